import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.js';
import type { RequestName } from '../../src/contract/request-schemas.js';
import type { Requests } from '../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  linesOnDisk,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
  pairOf,
} from '../worlds/requests-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 11 });
  requests = world.open();
});
afterEach(() => world.close());

async function ask(name: RequestName, raw: JsonObject): Promise<Fields> {
  const { reply, answer } = await call(requests, name, raw);
  if (reply.failed) throw new Error(reply.text);
  return answer;
}

const promptOf = (answer: Fields): string => textOf(fieldsOf(answer['pending'])['prompt']).trim();
const tryTo = (raw: JsonObject): Promise<Called> => call(requests, 'continue_workflow', raw);

test('a key set on one branch is not seen on another, nor by its conditions', async () => {
  world.writeWorkflow(
    'marks',
    `workflow: wr.marks
steps:
  - { id: mark, prompt: Mark it. }
  - { id: show, prompt: 'The mark: \${{ has(context.mark) ? context.mark : "none" }}.' }
  - { id: marked, if: has(context.mark), prompt: Only where it is marked. }
  - { id: last, prompt: 'At last: \${{ has(context.mark) ? context.mark : "none" }}.' }
`,
  );
  const start = await ask('start_workflow', { workflowId: 'wr.marks', context: { common: 'both' } });
  const left = await ask('continue_workflow', {
    ...pairOf(start),
    context: { mark: 'left' },
    output: { notesMarkdown: 'left' },
  });
  expect(promptOf(left)).toBe('The mark: left.');
  const again = await ask('continue_workflow', { stateToken: start['stateToken']! });
  const right = await ask('continue_workflow', { ...pairOf(again), output: { notesMarkdown: 'right' } });
  expect(right['happened']).toBe('forked');
  expect(promptOf(right)).toBe('The mark: none.');
  expect(promptOf(await ask('continue_workflow', pairOf(left)))).toBe('Only where it is marked.');
  const rightLast = await ask('continue_workflow', pairOf(right));
  expect(promptOf(rightLast)).toBe('At last: none.');
  // Deleted on one branch, it stands on the other.
  const third = await ask('continue_workflow', {
    ...pairOf(await ask('continue_workflow', { stateToken: left['stateToken']! })),
    context: { mark: null },
  });
  expect(promptOf(third)).toBe('At last: none.');
  expect(promptOf(await ask('continue_workflow', { stateToken: left['stateToken']! }))).toBe('The mark: left.');
});

const asking = `workflow: wr.asking
steps:
  - id: asked
    prompt: Do it.
    notes: required
    rules: [ { contains: "Done:" }, { minLength: 20 } ]
    sets: { size: { type: string, enum: [Small, Large] } }
    needs: [ { reason: needs_user_artifact, key: design, ask: "The design, please." } ]
    confirm: true
  - { id: after, if: context.size == "Large", prompt: Do more. }
`;

test('an incomplete step is put right piece by piece with the same tokens, then blocks for the user, then goes on', async () => {
  world.writeWorkflow('asking', asking);
  const pair = pairOf(await ask('start_workflow', { workflowId: 'wr.asking' }));
  const before = linesOnDisk(world.data).length;
  const output = { notesMarkdown: 'Done: all that was to be done.' };
  const tries: readonly [JsonObject, number][] = [
    [{}, 4],
    [{ output: { notesMarkdown: 'short' } }, 5],
    [{ output }, 3],
    [{ output, context: { size: 'Huge' } }, 3],
  ];
  for (const [sent, lacking] of tries) {
    const { answer } = await tryTo({ ...pair, ...sent });
    expect(answer['error_code']).toBe('STEP_INCOMPLETE');
    expect(listOf(answer['blockers'])).toHaveLength(lacking);
    expect(fieldsOf(fieldsOf(answer['nextCall'])['arguments'])).toMatchObject(pair);
  }
  expect(linesOnDisk(world.data)).toHaveLength(before);
  const complete = { ...pair, output, context: { size: 'Large' } };
  const blocked = await tryTo(complete);
  expect(blocked.answer).toMatchObject({ kind: 'blocked', ...pair });
  expect(listOf(blocked.answer['blockers']).map(({ code }) => code)).toEqual([
    'USER_ONLY_DEPENDENCY',
    'CONFIRMATION_REQUIRED',
  ]);
  expect((await tryTo(complete)).reply.text).toBe(blocked.reply.text);
  expect(linesOnDisk(world.data)).toHaveLength(before + 1);
  // Nothing of a blocked request took effect.
  expect(fieldsOf((await ask('continue_workflow', { stateToken: pair['stateToken']! }))['pending'])['stepId']).toBe(
    'asked',
  );
  const still = await tryTo({ ...complete, confirmed: true });
  expect(listOf(still.answer['blockers']).map(({ code }) => code)).toEqual(['USER_ONLY_DEPENDENCY']);
  const done = await ask('continue_workflow', {
    ...complete,
    context: { size: 'Large', design: 'here' },
    confirmed: true,
  });
  expect(promptOf(done)).toBe('Do more.');
  expect((await tryTo({ ...complete, context: { size: 'Large', design: 'here' }, confirmed: true })).answer).toEqual(
    done,
  );
});

test('a run that ends at its start with a critical gap says so', async () => {
  world.writeWorkflow('empty', 'workflow: wr.empty\nsteps:\n  - { id: only, if: context.flag, prompt: Do it. }\n');
  const start = await ask('start_workflow', { workflowId: 'wr.empty', mode: 'auto_never_stop' });
  expect(start['isComplete']).toBe(true);
  const look = await ask('continue_workflow', { stateToken: start['stateToken']! });
  expect(look['status']).toBe('complete_with_gaps');
  expect(start['status']).toBe(look['status']);
});

test('a step that was blocked and then done is not called blocked when somebody looks back', async () => {
  world.writeWorkflow('asking', asking);
  const start = await ask('start_workflow', { workflowId: 'wr.asking' });
  const complete = {
    ...pairOf(start),
    output: { notesMarkdown: 'Done: all that was to be done.' },
    context: { size: 'Large', design: 'here' },
  };
  expect((await tryTo(complete)).answer['kind']).toBe('blocked');
  await ask('continue_workflow', { ...complete, confirmed: true });
  const back = await ask('continue_workflow', { stateToken: start['stateToken']! });
  expect(back['happened']).toBe('looked_back');
  expect(back['status']).toBe('in_progress');
});

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

test('a session folder holds no path of the machine, nothing of the environment, no credential of a remote and no key', async () => {
  const canary = 'canary-7f3a9c-of-the-environment';
  const workspace = join(world.folder, 'workspace');
  mkdirSync(join(workspace, '.git', 'refs', 'heads'), { recursive: true });
  writeFileSync(join(workspace, '.git', 'HEAD'), 'ref: refs/heads/fix/login\n');
  writeFileSync(join(workspace, '.git', 'refs', 'heads', 'login'), `${'ab'.repeat(20)}\n`);
  writeFileSync(
    join(workspace, '.git', 'config'),
    `[remote "origin"]\n\turl = https://someone:${canary}@example.com/team/project.git\n`,
  );
  world.writeWorkflow('asking', asking);
  process.env['LAWS_CANARY'] = canary;
  requests = world.open(world.data, { LAWS_CANARY: canary, WORKRAIL_TOKEN: canary });
  const start = await ask('start_workflow', {
    workflowId: 'wr.asking',
    session: 'AUTH-1234',
    context: { branch: 'fix/login' },
  });
  await tryTo({
    ...pairOf(start),
    output: { notesMarkdown: 'Done: all that was to be done.' },
    context: { size: 'Large' },
  });
  await ask('continue_workflow', {
    ...pairOf(start),
    output: { notesMarkdown: 'Done: all that was to be done.', artifacts: [{ kind: 'x' }] },
    context: { size: 'Large', design: 'here' },
    confirmed: true,
  });
  await ask('checkpoint_workflow', { stateToken: start['stateToken']!, output: { notesMarkdown: 'kept' } });
  const { reply } = await call(requests, 'resume_session', { query: 'AUTH-1234' });
  await requests.close();
  delete process.env['LAWS_CANARY'];

  const keys = readFileSync(join(world.folder, 'config', 'workrail', 'keys.json'), 'utf8');
  const secrets = (JSON.parse(keys) as { keys: string[] }).keys;
  expect(secrets).toHaveLength(1);
  const forbidden = new Map<string, Buffer>([
    ['the temporary folder', Buffer.from(tmpdir())],
    ["the world's own folder", Buffer.from(world.folder)],
    ['the environment', Buffer.from(canary)],
    ...secrets.flatMap((secret): [string, Buffer][] => [
      ['the key', Buffer.from(secret, 'hex')],
      ['the key as hexadecimal', Buffer.from(secret)],
      ['the key as base64', Buffer.from(Buffer.from(secret, 'hex').toString('base64').slice(0, 40))],
    ]),
    ['a user of the machine', Buffer.from(String(process.env['HOME'] ?? '/nobody'))],
  ]);
  const files = filesUnder(join(world.data, 'sessions'));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files)
    for (const [what, needle] of forbidden)
      expect(readFileSync(file).includes(needle), `${what} stands in ${file}`).toBe(false);
  expect(reply.text).not.toContain(canary);
  // What was looked for could have been found.
  expect(files.some((file) => readFileSync(file).includes(Buffer.from('all that was to be done')))).toBe(true);
  expect(
    linesOnDisk(world.data).some(
      ({ kind, data }) => kind === 'observation' && JSON.stringify(data).includes('example.com/team/project'),
    ),
  ).toBe(true);
});
