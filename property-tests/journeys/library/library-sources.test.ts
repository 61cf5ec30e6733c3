import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { limits } from '../../../src/base/limits.js';
import type { Reply } from '../../../src/contract/reply.js';
import type { RequestName } from '../../../src/contract/request-schemas.js';
import { openRequests, type Requests } from '../../../src/requests/requests.js';
import { fieldsOf, listOf, type Fields, textOf } from '../../worlds/requests-world.js';
import { tiny } from '../../worlds/library-world.js';

let folder: string;
let requests: Requests;
const at = (path: string): string => join(folder, path);
const write = (path: string, text: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
const open = (): Requests =>
  openRequests({
    workspace: at('project'),
    dataDir: at('data'),
    env: { XDG_CONFIG_HOME: at('config'), XDG_DATA_HOME: at('share') },
    home: at('home'),
    bundledWorkflows: at('bundled'),
    version: '0.0.0-test',
    now: () => new Date(),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    log: () => undefined,
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sources-'));
  for (const name of ['bundled', 'project', 'home']) mkdirSync(at(name));
  write(
    'config/workrail/config.json',
    JSON.stringify({ workflowFolders: ['../team/workflows', '~/shared/workflows'] }),
  );
  requests = open();
});
afterEach(async () => {
  await requests.close();
  rmSync(folder, { recursive: true });
});

const bundled = 'bundled';
const user = 'config/workrail/workflows';
const project = 'project/.workrail/workflows';
const team = 'team/workflows';
const shared = 'home/shared/workflows';
const ask = (tool: RequestName, args: JsonObject = {}): Promise<Reply> => requests.call(tool, args);
const listed = async (args: JsonObject = {}): Promise<readonly Fields[]> =>
  listOf((await ask('list_workflows', args)).answer['workflows']);
const startedTitle = async (workflowId: string): Promise<string> =>
  textOf(fieldsOf((await ask('start_workflow', { workflowId, fresh: true })).answer['workflow'])['title']);

describe('sources', () => {
  const all = [bundled, user, project, team, shared];

  it('are all looked in, and each says which it is and where a file lies', async () => {
    all.forEach((place, number) => write(`${place}/x.yaml`, tiny(place === bundled ? 'wr.x' : `team.x${number}`)));
    expect((await listed()).map(({ id, source, file }) => [id, source, file])).toEqual([
      ['team.x1', 'user', 'user/x.yaml'],
      ['team.x2', 'project', '.workrail/workflows/x.yaml'],
      ['team.x3', 'configured', 'team/workflows/x.yaml'],
      ['team.x4', 'configured', 'shared/workflows/x.yaml'],
      ['wr.x', 'bundled', 'bundled/x.yaml'],
    ]);
  });

  it('hide one another in rising precedence, and the list names what is hidden', async () => {
    for (const [number, place] of all.slice(1).entries()) {
      write(`${place}/deep/x.yaml`, tiny('team.x', `From ${place}`));
      const [entry] = await listed();
      expect(entry).toMatchObject({ title: `From ${place}` });
      expect(listOf(entry?.['hides'])).toHaveLength(number);
      expect(await startedTitle('team.x')).toBe(`From ${place}`);
    }
    const { text } = await ask('list_workflows');
    expect(text).toContain('hides the one of the same id in user/deep/x.yaml (user)');
    expect(text).toContain('hides the one of the same id in team/workflows/deep/x.yaml (configured)');
  });

  it('keep wr. for what is bundled, and suggest names by source', async () => {
    write(`${bundled}/x.yaml`, tiny('wr.x', 'Ours'));
    for (const place of all.slice(1)) write(`${place}/x.yaml`, tiny('wr.x', 'Theirs'));
    const told = await listed();
    expect(
      told.map(({ source, startable, violations }) => [
        source,
        startable,
        listOf(violations)
          .map(({ rule, closest }) => `${textOf(rule)} ${textOf(closest)}`)
          .join(),
      ]),
    ).toEqual([
      ['bundled', true, ''],
      ['project', false, 'reserved_namespace project.x'],
      ['configured', false, 'reserved_namespace repo.x'],
      ['configured', false, 'reserved_namespace repo.x'],
      ['user', false, 'reserved_namespace user.x'],
    ]);
    expect(await startedTitle('wr.x')).toBe('Ours');
  });

  it('run a legacy id, warn of it, and suggest a name by source', async () => {
    for (const [place, id] of [
      [bundled, 'one'],
      [user, 'two'],
      [project, 'three'],
      [team, 'four'],
    ] as const)
      write(`${place}/x.yaml`, tiny(id));
    expect(
      (await listed()).map(({ id, idStatus, suggestedId, startable }) => [id, idStatus, suggestedId, startable]),
    ).toEqual([
      ['four', 'legacy', 'repo.four', true],
      ['one', 'legacy', 'wr.one', true],
      ['three', 'legacy', 'project.three', true],
      ['two', 'legacy', 'user.two', true],
    ]);
    const { answer, text } = await ask('start_workflow', { workflowId: 'four' });
    expect(listOf(answer['warnings'])).toEqual([
      expect.objectContaining({ code: 'LEGACY_ID', message: expect.stringContaining('repo.four') }),
    ]);
    expect(text).toContain('repo.four');
    expect((await ask('list_workflows')).text).toContain('its id has no namespace: better project.three');
    expect((await ask('inspect_workflow', { workflowId: 'four' })).answer).toMatchObject({
      workflow: { idStatus: 'legacy', suggestedId: 'repo.four' },
      warnings: [{ rule: 'legacy_id', closest: 'repo.four' }],
    });
  });

  it('may lie within one another: a file is of the higher one alone', async () => {
    write('config/workrail/config.json', JSON.stringify({ workflowFolders: ['.workrail/workflows/team'] }));
    write(`${project}/team/x.yaml`, tiny('team.x'));
    await requests.close();
    requests = open();
    expect(await listed()).toMatchObject([{ id: 'team.x', source: 'configured', hides: [] }]);
  });
});

describe('a broken file', () => {
  const nonsense = 'workflow: team.broken\ntitle: "An open quotation\nsteps:\n  - id: a\n';

  it('answers to its id with what is wrong, also where its syntax is broken', async () => {
    write(`${project}/some name.yaml`, nonsense);
    const [entry] = await listed();
    expect(entry).toMatchObject({
      id: 'team.broken',
      idStatus: 'namespaced',
      startable: false,
      file: '.workrail/workflows/some name.yaml',
    });
    expect(entry).not.toHaveProperty('suggestedId');
    const started = await ask('start_workflow', { workflowId: 'team.broken' });
    expect(started.answer).toMatchObject({
      error_code: 'WORKFLOW_INVALID',
      context: { file: '.workrail/workflows/some name.yaml' },
    });
    expect(started.text).toMatch(/\.workrail\/workflows\/some name\.yaml:\d+:\d+ /u);
    const inspected = await ask('inspect_workflow', { workflowId: 'team.broken' });
    expect(inspected.text).toMatch(
      /cannot be started, \d violations?:\n- \.workrail\/workflows\/some name\.yaml:\d+:\d+ : /u,
    );
    // For agents whose clients show no resources, the format is one call away, at every workflow.
    expect(inspected.text).toContain(
      'Every key there is: inspect_workflow {"workflowId":"team.broken","cursor":"format"}',
    );
    const format = await ask('inspect_workflow', { workflowId: 'team.broken', cursor: 'format' });
    expect(format.text).toContain('- collect: ');
    expect(format.answer).toMatchObject({ workflow: { id: 'team.broken' }, format: expect.any(String) });
    expect(listOf(inspected.answer['violations'])[0]).toMatchObject({
      line: expect.any(Number),
      column: expect.any(Number),
      message: expect.any(String),
    });
    expect((await ask('inspect_workflow', { workflowId: 'team.broken', mode: 'source' })).answer['source']).toBe(
      nonsense,
    );
    // A slip of the keyboard leads to it too.
    expect(await ask('start_workflow', { workflowId: 'team.brocken' })).toMatchObject({
      answer: { error_code: 'NOT_FOUND', nextCall: { arguments: { workflowId: 'team.broken' } } },
    });
  });

  it('answers to its id in the older JSON format as well', async () => {
    write(`${project}/old.json`, '{\n  "id": "old-one",\n  "name": "Old",\n  "steps": [ { "id": "a", ]\n}\n');
    expect(await listed()).toMatchObject([
      { id: 'old-one', idStatus: 'legacy', suggestedId: 'project.old-one', startable: false },
    ]);
    expect((await ask('start_workflow', { workflowId: 'old-one' })).answer).toMatchObject({
      error_code: 'WORKFLOW_INVALID',
      violations: expect.arrayContaining([
        expect.objectContaining({ path: expect.stringContaining('.workrail/workflows/old.json:4:') }),
      ]),
    });
  });

  it('keeps its kind, title, tags and description, so that filters find it', async () => {
    write(
      `${project}/r.yaml`,
      'workflow: team.r\nkind: routine\ntitle: A routine\ntags: [odd]\ndescription: Use this for zebras.\nsteps: [ { id: a } ]\n',
    );
    const told = { id: 'team.r', kind: 'routine', title: 'A routine', startable: false };
    for (const filter of [{}, { kind: 'routine' }, { tag: 'odd' }, { query: 'zebras' }])
      expect(await listed(filter), JSON.stringify(filter)).toMatchObject([told]);
    expect(await listed({ kind: 'workflow' })).toEqual([]);
    expect((await ask('list_workflows')).text).toContain(
      '- team.r: A routine (routine; odd; project). Use this for zebras.',
    );
  });

  it('goes by its file’s name where nothing tells its id, and is given no advice about that', async () => {
    write(`${project}/notes.json`, '[1, 2]');
    write(`${project}/void.yaml`, '');
    const told = await listed();
    expect(told.map(({ id, idStatus, suggestedId }) => [id, idStatus, suggestedId])).toEqual([
      ['notes', 'unknown', undefined],
      ['void', 'unknown', undefined],
    ]);
    const { text } = await ask('list_workflows');
    expect(text).not.toContain('better');
    expect(text).toContain('its id cannot be read');
  });

  it('hides nothing, and whoever starts the one below is told', async () => {
    write(`${user}/x.yaml`, tiny('team.x', 'Whole'));
    write(`${project}/x.yaml`, tiny('team.x', 'Broken', 'nonsense: 1\n'));
    write(`${project}/other.yaml`, nonsense);
    write(`${project}/good.yaml`, tiny('team.good'));
    expect((await listed()).map(({ id, title, startable }) => [id, title, startable])).toEqual([
      ['team.broken', 'team.broken', false],
      ['team.good', 'A tiny one', true],
      ['team.x', 'Whole', true],
      ['team.x', 'Broken', false],
    ]);
    const { answer, text } = await ask('start_workflow', { workflowId: 'team.x' });
    expect(fieldsOf(answer['workflow'])).toMatchObject({ title: 'Whole' });
    expect(text).toContain(
      '.workrail/workflows/x.yaml also defines team.x and would take precedence, but it has 1 violation, so user/x.yaml was started',
    );
    expect(listOf((await ask('start_workflow', { workflowId: 'team.good' })).answer['warnings'])).toEqual([]);
  });

  it('breaks those that call it, and names itself there', async () => {
    write(`${project}/r.yaml`, 'workflow: team.r\nkind: routine\ntitle: "open\nsteps: []\n');
    write(`${project}/x.yaml`, 'workflow: team.x\ndescription: Use this.\nsteps: [ { id: c, call: team.r } ]\n');
    const { text } = await ask('start_workflow', { workflowId: 'team.x' });
    expect(text).toContain('WORKFLOW_INVALID');
    expect(text).toContain('.workrail/workflows/r.yaml');
  });

  it('is never passed over in silence: links, folders in the way, what is too large', async () => {
    write(`elsewhere/x.yaml`, tiny('team.linked'));
    mkdirSync(at(project), { recursive: true });
    symlinkSync(at('elsewhere/x.yaml'), at(`${project}/link.yaml`));
    symlinkSync(at('elsewhere'), at(`${project}/linked`));
    symlinkSync(at('nowhere'), at(`${project}/dangling.yml`));
    write(`${project}/folder.yaml/inner.yaml`, tiny('team.inner'));
    write(`${project}/huge.yaml`, 'x'.repeat(limits.workflowFile + 1));
    write(team, 'A file where a folder should be.');
    const told = await listed();
    expect(told.map(({ id, startable }) => [id, startable])).toEqual([
      ['dangling', false],
      ['huge', false],
      ['link', false],
      ['linked', false],
      ['workflows', false],
      ['team.inner', true],
    ]);
    const { text } = await ask('list_workflows');
    for (const said of [
      'dangling.yml cannot be read: it is a link',
      'huge.yaml has 1048577 bytes',
      'link.yaml cannot be read: it is a link',
      'linked cannot be read: it is a link to a folder',
      'team/workflows cannot be read: it is not a folder',
    ])
      expect(text).toContain(said);
    expect(text).not.toContain(folder);
    expect((await ask('inspect_workflow', { workflowId: 'link', mode: 'source' })).answer['source']).toBe('');
  });
});

describe('pages', () => {
  const pagesOf = async (tool: RequestName, args: JsonObject): Promise<readonly Reply[]> => {
    const pages: Reply[] = [];
    for (let cursor: unknown; pages.length === 0 || cursor !== undefined; cursor = pages.at(-1)!.answer['nextCursor'])
      pages.push(await ask(tool, { ...args, ...(typeof cursor === 'string' && { cursor }) }));
    return pages;
  };

  it('of a long list are small, and together tell each file once', async () => {
    for (let number = 0; number < 300; number += 1)
      write(
        `${project}/w${number}.yaml`,
        number % 3 === 0
          ? `workflow: team.w${number}\n${Array.from({ length: 20 }, (_, key) => `key${key}: 1\n`).join('')}`
          : tiny(`team.w${number}`).replace('in a test.', 'x'.repeat(number * 10)),
      );
    const pages = await pagesOf('list_workflows', {});
    const ids = pages.flatMap(({ answer }) => listOf(answer['workflows']).map(({ id }) => textOf(id)));
    expect(ids).toHaveLength(300);
    expect(new Set(ids).size).toBe(300);
    for (const { text, answer } of pages) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.answer);
      expect(listOf(answer['workflows']).length).toBeLessThanOrEqual(limits.listPage);
    }
    expect(pages[0]!.text).toMatch(/^\d+ of 300 workflows:/u);
    expect(pages.some(({ text }) => /and \d+ more: inspect_workflow/u.test(text))).toBe(true);
    expect(pages.some(({ text }) => text.includes('bytes in all; inspect_workflow shows them'))).toBe(true);
  });

  it('of a big preview tell each step once, whole, with what it expects', async () => {
    const steps = Array.from(
      { length: 60 },
      (_, number) =>
        `  - id: s${number}\n    title: Step ${number}\n    prompt: ${'Do this part with care. '.repeat(10)}\n    sets: { k${number}: { type: boolean } }\n    ${number === 0 ? 'confirm: { if: context.k0 }' : `if: context.k${number - 1}`}\n`,
    );
    write(
      `${project}/big.yaml`,
      `workflow: team.big\ndescription: Use this.\nguidance: [ ${'"Heed this.", '.repeat(20)}"And this." ]\nsteps:\n${steps.join('')}`,
    );
    const pages = await pagesOf('inspect_workflow', { workflowId: 'team.big', mode: 'preview' });
    const told = pages.flatMap(({ answer }) => listOf(answer['steps']).map(({ path }) => path));
    expect(told).toEqual(Array.from({ length: 60 }, (_, number) => `s${number}`));
    expect(pages.length).toBeGreaterThan(2);
    for (const { text } of pages) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.answer);
    // What the workflow is stands on the first page alone.
    expect(pages.map(({ text }) => text.includes('Heed this.'))).toEqual(pages.map((_, number) => number === 0));
  });

  it('of many violations tell each once', async () => {
    write(
      `${project}/odd.yaml`,
      `workflow: team.odd\ndescription: Use this.\n${Array.from({ length: 150 }, (_, key) => `key${key}: 1\n`).join('')}steps: [ { id: a, prompt: Go. } ]\n`,
    );
    const pages = await pagesOf('inspect_workflow', { workflowId: 'team.odd' });
    const pointers = pages.flatMap(({ answer }) => listOf(answer['violations']).map(({ pointer }) => pointer));
    expect(new Set(pointers).size).toBe(150);
    expect(pointers).toHaveLength(150);
    for (const { text } of pages) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.answer);
  });
});

const whole = `workflow: team.whole
description: Use this to see everything.
inputs: { thing: { type: string, required: true, description: What it is about, example: a door } }
functions: { rate: { params: [thing], text: "Rate {{thing}}." } }
assessments:
  - id: good
    purpose: Is it good?
    dimensions: { how: { purpose: How good, levels: [low, high] } }
    followUps: [ { level: low, guidance: Do it again. } ]
steps:
  - id: size
    title: Judge the size
    role: You are careful.
    guidance: [ Be quick. ]
    prompt: Judge it.
    functions: [ rate ]
    sets: { size: { type: string, enum: [Small, Large], description: How big it is } }
    output: { contract: wr.contracts.findings }
    rules: [ { contains: "Seen:" }, { minLength: 10 } ]
  - id: ask
    title: Ask for it
    if: context.size == "Large"
    needs: [ { reason: needs_user_artifact, key: design, ask: Paste it. } ]
    prompt: Read it.
  - id: parts
    title: Go through them
    foreach: context.parts
    as: part
    max: 4
    steps: [ { id: do, title: "Do \${{ part }}", prompt: Do it. } ]
  - id: again
    title: Again
    until: context.calm
    max: 3
    steps: [ { id: look, prompt: Look., sets: { calm: { type: boolean } } } ]
  - id: judge
    title: Judge it
    prompt: Judge it.
    assessments: [ good ]
    confirm: { if: context.calm == false }
  - id: group
    title: Together
    steps:
      - { id: sides, title: From two sides, delegate: [ { routine: team.side, title: Look at it, goal: "Look at \${{ inputs.thing }}" } ] }
`;

describe('a preview', () => {
  it('says of every step when it runs, what it says and what it expects', async () => {
    write(
      `${project}/side.yaml`,
      'workflow: team.side\nkind: routine\ntitle: One side\ndescription: Use this.\nsteps: [ { id: look, prompt: Look. } ]\n',
    );
    write(`${project}/whole.yaml`, whole);
    const { text } = await ask('inspect_workflow', { workflowId: 'team.whole', mode: 'preview' });
    for (const said of [
      '- size: Judge the size',
      '  role: You are careful.',
      '  heed: Be quick.',
      '  hand back notes (required); they must contain "Seen:", and have at least 10 characters',
      '  hand back context.size (required): "Small" or "Large" (How big it is); for whether step “Ask for it” runs',
      '  hand back artifact mr_review.findings of wr.contracts.findings (required), kept in review.findings (table), review.comments (table), review.revision_log (log); schema: {',
      '  function rate(thing): Rate {{thing}}.',
      '- ask: Ask for it',
      '  only if: context.size == "Large"',
      '  only the user can give context.design (needs_user_artifact): Paste it.',
      '- parts: Go through them (a loop: once for each part of context.parts, at most 4 times)',
      '- parts/do: Do ${{ part }}',
      '- again: Again (a loop: until context.calm, asked after each round, at most 3 times)',
      '- judge: Judge it',
      '  hand back assessment good: Is it good?',
      '  - how: How good (low, high)',
      '  - where any is low: Do it again.',
      '  needs the user’s agreement where context.calm == false',
      '- group: Together (a group)',
      '- group/sides: From two sides',
      '  to be delegated: Look at it; goal: Look at ${{ inputs.thing }}',
      '- thing (required): text (What it is about); such as "a door"',
      'contextFromElsewhere:\n- parts',
      'contracts:\n- wr.contracts.findings',
    ])
      expect(text).toContain(said);
  });
});
