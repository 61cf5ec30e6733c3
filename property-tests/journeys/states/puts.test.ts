import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, type Called, makeRequestsWorld, mergeInto, type RequestsWorld } from '../../worlds/requests-world.js';

const schema = {
  type: 'object',
  required: ['status', 'findings'],
  properties: {
    status: { enum: ['open', 'ready', 'closed'] },
    rounds: { type: 'integer' },
    findings: { type: 'array', items: { type: 'string' } },
    files: { type: 'object', additionalProperties: { enum: ['ok', 'bad'] } },
  },
};
const first = { status: 'open', rounds: 0, findings: [], files: {} };

const workflow = `
workflow: team.gather
steps:
  - id: look
    prompt: "There are \${{ state.findings.size() }} findings in round \${{ state.rounds }}."
    sets: {finding: {type: string}, file: {type: string}, verdict: {type: string}}
    puts:
      /findings/-: context.finding
      /files/\${{ context.file }}: context.verdict
      /rounds: state.rounds + 1
      /status: "size(state.findings) > 0 ? 'ready' : 'open'"
  - id: more
    if: state.status == "open"
    prompt: "Found: \${{ state.findings }}; notes \${{ has(state.nothing) }}"
    output: {kind: team.verdict, schema: {type: object}, example: {done: true}}
    puts: {/status: "output.done ? 'ready' : 'open'", /rounds: 7}
  - id: end
    if: state.status == "ready"
    prompt: "Round \${{ state.rounds }}"
`;

let world: RequestsWorld;
let requests: Requests;
type Tool = Parameters<typeof call>[1];
const ask = (name: Tool, args: JsonObject, by = requests): Promise<Called> => call(by, name, args);
const data = async (by = requests): Promise<JsonValue | undefined> =>
  (await ask('state_read', { session: 'R-1' }, by)).answer['current_data'];
const start = (): Promise<Called> => ask('start_workflow', { workflowId: 'team.gather', session: 'R-1' });
const ack = ({ answer }: Called, args: JsonObject, by = requests): Promise<Called> =>
  ask(
    'continue_workflow',
    { stateToken: answer['stateToken'], ackToken: answer['ackToken'], ...args } as JsonObject,
    by,
  );
const prompt = ({ answer }: Called): JsonValue | undefined => (answer['pending'] as JsonObject | undefined)?.['prompt'];
const found = { finding: 'leak', file: 'a/b~c', verdict: 'bad' };

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 33 });
  requests = world.open();
  world.writeWorkflow('gather', workflow);
  await requests.people.addSchema({ name: 'gathered', json: schema });
});
afterEach(() => world.close());
const create = (): Promise<Called> =>
  ask('state_create', { schemaName: 'gathered', initialData: first, session: 'R-1' });

const artifact = (done: JsonValue): JsonObject => ({ output: { artifacts: [{ kind: 'team.verdict', done }] } });
const changes = (): number => world.lines().filter(({ kind }) => kind === 'state_changed').length;
const patch = (path: string, value: JsonValue, by = requests): Promise<Called> =>
  ask('state_patch', { session: 'R-1', operations: [{ op: 'add', path, value }] }, by);
const resume = ({ answer }: Called, by = requests): Promise<Called> =>
  ask('continue_workflow', { stateToken: answer['stateToken']! }, by);

describe('a workflow and the shared state of its session', () => {
  it('reads it in texts and conditions, and puts into it what a step hands back', async () => {
    await create();
    const begun = await start();
    expect(prompt(begun)).toBe('There are 0 findings in round 0.');
    const next = await ack(begun, { context: found });
    expect(prompt(next)).toBe('Found: ["leak"]; notes false');
    expect(await data()).toEqual({ ...first, findings: ['leak'], rounds: 1, files: { 'a/b~c': 'bad' } });
    const last = await ack(next, artifact(true));
    expect(prompt(last)).toBe('Round 7');
    // In one append, and the version says which step made it.
    const lines = world.lines().filter(({ kind }) => kind === 'state_changed' || kind === 'step_acked');
    expect(lines.map(({ kind, more, v }) => [kind, more, v])).toEqual([
      ['state_changed', true, 3],
      ['step_acked', undefined, 3],
      ['state_changed', true, 3],
      ['step_acked', undefined, 3],
    ]);
    const versions = await requests.people.listVersions({ session: 'R-1' });
    expect(versions.ok && versions.value.versions.map(({ version, step }) => [version, step])).toEqual([
      [3, 'more'],
      [2, 'look'],
      [1, undefined],
    ]);
    expect((await ack(last, {})).answer).toMatchObject({ isComplete: true });
  });

  it('does it once, however often the same comes', async () => {
    await create();
    const begun = await start();
    const next = await ack(begun, { context: found });
    expect((await ack(begun, { context: found })).reply.text).toBe(next.reply.text);
    expect((await ack(begun, { context: found }, world.open())).reply.text).toBe(next.reply.text);
    expect(changes()).toBe(1);
  });

  it('tells a step what it was told before, whatever was written since, here and in a clone', async () => {
    await create();
    const begun = await start();
    await patch('/findings/-', 'other');
    await patch('/rounds', 5);
    expect(prompt(await resume(begun))).toBe('There are 0 findings in round 0.');
    const next = await ack(begun, { context: found });
    // What it puts is done to the newest version.
    expect(await data()).toMatchObject({ findings: ['other', 'leak'], rounds: 6, status: 'ready' });
    expect(prompt(next)).toBe('Round 6');
    const elsewhere = world.open(world.clone(world.data, 'clone'));
    expect(prompt(await resume(begun, elsewhere))).toBe('There are 0 findings in round 0.');
    expect(prompt(await resume(next, elsewhere))).toBe('Round 6');
    await patch('/rounds', 9);
    expect(prompt(await ack(begun, { context: found }))).toBe('Round 6');
  });

  it('puts again where a step is done once more on a branch of its own', async () => {
    await create();
    const begun = await start();
    await ack(begun, { context: found });
    const again = await resume(begun);
    await ack(again, { context: { ...found, finding: 'second' } });
    expect(await data()).toMatchObject({ findings: ['leak', 'second'], rounds: 2, status: 'ready' });
    expect(changes()).toBe(2);
  });

  it('is not done where its schema refuses it, and can be sent again', async () => {
    await create();
    const begun = await start();
    const before = world.lines().length;
    const refused = await ack(begun, { context: { ...found, verdict: 'maybe' } });
    expect(refused.answer).toMatchObject({
      error_code: 'STEP_INCOMPLETE',
      blockers: [{ code: 'STATE_NOT_WRITTEN', pointer: '/context/verdict' }],
    });
    expect(refused.reply.text).toContain('/files/a~1b~0c');
    expect(refused.reply.text).toContain('gathered');
    expect(world.lines()).toHaveLength(before);
    expect(await data()).toEqual(first);
    const next = await ack(begun, { context: found });
    expect(next.answer).toMatchObject({ kind: 'ok' });
    const wrong = await ack(next, artifact(1));
    expect(wrong.answer).toMatchObject({ blockers: [{ code: 'STATE_NOT_WRITTEN', pointer: '/output/artifacts' }] });
    expect((await ack(next, artifact(true))).answer).toMatchObject({ kind: 'ok' });
  });

  it('goes on with a gap where nobody is to be asked', async () => {
    await create();
    const begun = await ask('start_workflow', {
      workflowId: 'team.gather',
      session: 'R-1',
      preferences: { autonomy: 'full_auto_never_stop' },
    });
    const next = await ack(begun, { context: { ...found, verdict: 'maybe' } });
    expect(next.answer).toMatchObject({ kind: 'ok' });
    expect(next.reply.text).toContain('nothing was put into the shared state');
    expect(await data()).toEqual(first);
    const [acked] = world.lines().filter(({ kind }) => kind === 'step_acked');
    expect(acked?.data).toMatchObject({ gaps: [{ reason: 'state_not_written', severity: 'critical' }] });
  });

  it('says what is missing where the session has no state, or one without what is read', async () => {
    const begun = await start();
    expect(prompt(begun)).toContain('the session has no shared state yet');
    const refused = await ack(begun, { context: found });
    expect(refused.answer).toMatchObject({ error_code: 'STEP_INCOMPLETE', blockers: [{ code: 'STATE_NOT_WRITTEN' }] });
    expect(refused.reply.text).toContain('state_create');
    await create();
    expect((await ack(begun, { context: found })).answer).toMatchObject({ kind: 'ok' });

    world.writeWorkflow('gate', 'workflow: team.gate\nsteps:\n  - {id: a, if: state.ready, prompt: A}\n');
    const other = await ask('start_workflow', { workflowId: 'team.gate', session: 'R-2' });
    expect(other.answer).toMatchObject({ error_code: 'PRECONDITION_FAILED' });
    expect(other.reply.text).toContain('the session has no shared state yet');
    expect(other.reply.text).toContain('state_create');
    const lacking = await ask('start_workflow', { workflowId: 'team.gate', session: 'R-1' });
    expect(lacking.reply.text).toContain('`state` has no member `ready`');
    expect(lacking.reply.text).toContain('state_patch');
    world.writeWorkflow('asks', 'workflow: team.asks\nsteps:\n  - {id: a, if: "!has(state.ready.at)", prompt: A}\n');
    expect((await ask('start_workflow', { workflowId: 'team.asks', session: 'R-3' })).answer).toMatchObject({
      kind: 'ok',
    });
  });

  it('takes nothing once it is closed, and is read all the same', async () => {
    await create();
    await requests.people.closeState({ session: 'R-1', reason: 'over' });
    const begun = await start();
    expect(prompt(begun)).toBe('There are 0 findings in round 0.');
    const refused = await ack(begun, { context: found });
    expect(refused.reply.text).toContain('closed');
    expect(refused.answer).toMatchObject({ blockers: [{ code: 'STATE_NOT_WRITTEN' }] });
  });

  it('is merged before a step writes to it, where clones have written side by side', async () => {
    world.writeWorkflow(
      'gather',
      workflow.replace('      /rounds: state.rounds + 1\n', '').replace(/^ {6}\/status: "size.*\n/mu, ''),
    );
    await create();
    const begun = await start();
    const there = world.clone(world.data, 'clone');
    const other = world.open(there);
    await ack(begun, { context: { ...found, finding: 'here', file: 'a' } });
    const theirs = await ack(begun, { context: { ...found, finding: 'there', file: 'b' } }, other);
    expect(prompt(theirs)).toBe('Found: ["there"]; notes false');
    await other.close();
    mergeInto(world.data, there);
    const both = world.open();
    // Each tells what its own branch was told.
    expect(prompt(await resume(theirs, both))).toBe('Found: ["there"]; notes false');
    await ack(theirs, artifact(true), both);
    expect(await data(both)).toMatchObject({ status: 'ready', rounds: 7, files: { a: 'bad', b: 'bad' } });
    const { findings } = (await data(both)) as { findings: readonly string[] };
    expect(findings.toSorted()).toEqual(['here', 'there']);
  });

  it('keeps what a step reads only as far as it is short', async () => {
    await create();
    const long = Array.from({ length: 40 }, () => 'x'.repeat(2000));
    await ask('state_update', { session: 'R-1', data: { ...first, findings: long } });
    world.writeWorkflow(
      'long',
      'workflow: team.long\nsteps:\n  - {id: a, prompt: "${{ state.findings }}"}\n  - {id: b, prompt: "${{ state.status }}"}\n',
    );
    const begun = await ask('start_workflow', { workflowId: 'team.long', session: 'R-1' });
    expect(prompt(begun)).toContain('reads too much of the shared state');
    expect(prompt(await ack(begun, {}))).toBe('open');
    expect(world.lines().filter(({ kind }) => kind === 'run_started')[0]?.data).not.toHaveProperty('read.value');
  });

  it('leaves sessions that have nothing to do with it as they were', async () => {
    world.writeWorkflow('plain', 'workflow: team.plain\nsteps:\n  - {id: a, prompt: A}\n  - {id: b, prompt: B}\n');
    await create();
    await ack(await ask('start_workflow', { workflowId: 'team.plain', session: 'R-1' }), {});
    const plain = world.lines().filter(({ kind }) => kind === 'run_started' || kind === 'step_acked');
    expect(plain.map(({ v, data }) => [v, 'read' in data])).toEqual([
      [2, false],
      [2, false],
    ]);
  });
});

describe('puts of a workflow file', () => {
  const check = async (puts: string, more = ''): Promise<string> => {
    const text = `workflow: team.checked\nsteps:\n  - id: a\n    prompt: A\n    sets: {x: {type: string}}\n    puts: ${puts}\n${more}`;
    return (await ask('validate_workflow', { content: text })).reply.text;
  };
  it.each([
    ['{status: context.x}', 'does not begin with `/`: write `/status`'],
    ['{$.status: context.x}', 'write `/status`'],
    ['{/a~b: context.x}', 'write `~0` for a `~`'],
    ['{/tasks/-/x: context.x}', '`-` appends to a list'],
    ['{"/a/${{ context.x": context.x}', 'nothing closes'],
    ['{"/a/${{ contxt.x }}": context.x}', '`contxt` is not a known name'],
    ['{/status: done}', '`done` is not a known name'],
    ['{/status: "${{ context.x }}"}', 'is an expression already'],
    ['{/status: outputs.b.notes}', 'b'],
    ['{}', '`puts` names nothing'],
  ])('%s', async (puts, says) => {
    expect(await check(puts)).toContain(says);
  });

  it('belong to a step that leaves something', async () => {
    const text = 'workflow: team.checked\nsteps:\n  - {id: a, puts: {/x: 1}, steps: [{id: b, prompt: B}]}\n';
    expect((await ask('validate_workflow', { content: text })).reply.text).toContain(
      '`puts` belongs to a step with a `prompt`',
    );
  });

  it('are shown in a preview', async () => {
    world.writeWorkflow('gather', workflow);
    const shown = await ask('inspect_workflow', { workflowId: 'team.gather', mode: 'preview' });
    expect(shown.reply.text).toContain('puts into the shared state at /findings/-: context.finding');
    expect(shown.reply.text).toContain('only if: state.status == "open"');
  });
});
