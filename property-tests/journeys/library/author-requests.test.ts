import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { authorPrompt, authorPrompts } from '../../../src/contract/tools/author-prompts.js';
import { toolCatalogue } from '../../../src/contract/tool-catalogue.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

const draft = `# Ours.
workflow: team.release   # the id
title: Make a release
description: Use this to cut a release.
version: 1.0.0
inputs:
  version: { type: string, required: true, description: The version }
  dry: { type: boolean, default: true }
steps:
  - id: check
    prompt: Run the tests for \${{ inputs.version }}.
    sets: { risk: { type: string, enum: [low, high] } }
  - id: ask
    if: context.risk == "high"
    prompt: Say \${{ context.risk }}.
    confirm: true
  - id: dry
    if: inputs.dry
    prompt: Try it.
`;

let world: RequestsWorld;
let requests: Requests;
const folder = (): string => join(world.data, 'workflows');
const files = (): readonly string[] => readdirSync(folder()).toSorted();
const told = async (...[name, args]: [Parameters<typeof call>[1], JsonObject]): Promise<Called> =>
  call(requests, name, args);
const codeOf = ({ answer }: Called): unknown => answer['error_code'] ?? answer['code'];
const save = (args: JsonObject): Promise<Called> => told('save_workflow', args);

beforeEach(() => {
  world = makeRequestsWorld({ seed: 19 });
  requests = world.open();
});
afterEach(() => world.close());

describe('a workflow is written by an agent', () => {
  it('checked, saved, found, started and changed, with its comments to the byte', async () => {
    const wrong = await told('validate_workflow', { content: draft.replace('prompt: Try', 'promt: Try') });
    expect(wrong.reply.failed).toBe(false);
    expect(wrong.answer['valid']).toBe(false);
    expect(wrong.reply.text).toContain('did you mean `prompt`?');
    expect((await told('validate_workflow', { content: draft })).answer['valid']).toBe(true);
    const saved = await save({ content: draft });
    expect(saved.answer).toMatchObject({ happened: 'created', workflowId: 'team.release' });
    expect(readFileSync(join(folder(), 'team.release.yaml'), 'utf8')).toBe(draft);
    const got = await told('get_workflow', { workflowId: 'team.release' });
    expect(got.answer).toMatchObject({ content: draft, format: 'yaml', revision: saved.answer['revision'] ?? '' });
    const started = await told('start_workflow', { workflowId: 'team.release', context: { version: '2.1.0' } });
    expect(started.reply.text).toContain('Run the tests for 2.1.0.');
    const patch = [
      { op: 'replace', path: '/title', value: 'Cut a release' },
      { op: 'add', path: '/steps/1', value: { id: 'log', prompt: 'Write the log.' } },
    ];
    const changed = await save({ workflowId: 'team.release', patch, expectedRevision: textOf(got.answer['revision']) });
    expect(changed.answer['happened']).toBe('replaced');
    expect(readFileSync(join(folder(), 'team.release.yaml'), 'utf8')).toBe(
      draft
        .replace('Make a release', '"Cut a release"')
        .replace('  - id: ask', '  - id: log\n    prompt: Write the log.\n  - id: ask'),
    );
    // A run goes on with what it began with.
    const again = await told('continue_workflow', { stateToken: textOf(started.answer['stateToken']) });
    expect(again.reply.text).toContain('Run the tests for 2.1.0.');
  });

  it('once, however often it is sent, and never over what somebody else wrote', async () => {
    await save({ content: draft });
    expect((await save({ content: draft })).answer['happened']).toBe('unchanged');
    const other = draft.replace('Try it', 'Do it');
    expect(codeOf(await save({ content: other }))).toBe('ALREADY_EXISTS');
    expect(codeOf(await save({ content: other, expectedRevision: 'rv_0000000000000000' }))).toBe('REVISION_CONFLICT');
    expect((await save({ content: other, overwrite: true })).answer['happened']).toBe('replaced');
    expect(
      codeOf(
        await save({ content: draft.replace('team.release', 'team.gone'), expectedRevision: 'rv_0000000000000000' }),
      ),
    ).toBe('REVISION_CONFLICT');
    expect(files()).toEqual(['team.release.yaml']);
  });

  it('by one of a hundred who save at once', async () => {
    const { answer } = await save({ content: draft });
    const expectedRevision = textOf(answer['revision']);
    const others = Array.from({ length: 4 }, () => world.open());
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        call(others[at % 4]!, 'save_workflow', {
          content: draft.replace('Try it', `Try it ${at} times`),
          expectedRevision,
        }),
      ),
    );
    expect(all.filter((one) => one.answer['happened'] === 'replaced')).toHaveLength(1);
    expect(all.filter((one) => codeOf(one) === 'REVISION_CONFLICT')).toHaveLength(99);
    expect(files()).toEqual(['team.release.yaml']);
    const fresh = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        call(others[at % 4]!, 'save_workflow', {
          content: draft.replace('team.release', 'team.new').replace('Try', `Try ${at}`),
        }),
      ),
    );
    expect(fresh.filter((one) => one.answer['happened'] === 'created')).toHaveLength(1);
    expect(files()).toEqual(['team.new.yaml', 'team.release.yaml']);
  });

  it('is renamed with its callers named, and deleted only once the user agreed to lose that text', async () => {
    await save({ content: draft });
    await save({
      content:
        'workflow: team.all\ndescription: d\nversion: 1.0.0\nsteps:\n  - id: a\n    call: team.release\n    with: { version: "1" }\n',
    });
    const renamed = await told('rename_workflow', { workflowId: 'team.release', newId: 'team.cut_release' });
    expect(renamed.answer).toMatchObject({ happened: 'renamed', workflowId: 'team.cut_release' });
    expect(renamed.reply.text).toContain('team.all');
    expect(files()).toEqual(['team.all.yaml', 'team.cut_release.yaml']);
    expect(codeOf(await told('rename_workflow', { workflowId: 'team.all', newId: 'team.cut_release' }))).toBe(
      'ALREADY_EXISTS',
    );
    const asked = await told('delete_workflow', { workflowId: 'team.cut_release' });
    expect(codeOf(asked)).toBe('CONFIRMATION_REQUIRED');
    expect(
      codeOf(await told('delete_workflow', { workflowId: 'team.cut_release', confirm: 'rv_0000000000000000' })),
    ).toBe('REVISION_CONFLICT');
    const confirm = textOf(fieldsOf(asked.answer['context'])['revision']);
    const deleted = await told('delete_workflow', { workflowId: 'team.cut_release', confirm });
    expect(deleted.answer['happened']).toBe('deleted');
    expect(files()).toEqual(['team.all.yaml']);
    const [kept = ''] = readdirSync(join(world.data, 'local', 'deleted'));
    expect(readFileSync(join(world.data, 'local', 'deleted', kept), 'utf8')).toContain('workflow: team.cut_release');
  });

  it('leads nowhere else: bundled ones stay, names stay in the folder, links are not followed', async () => {
    world.writeWorkflow('own.yaml', draft.replace('team.release', 'wr.own'));
    expect(codeOf(await save({ workflowId: 'wr.own', patch: [{ op: 'replace', path: '/title', value: 'x' }] }))).toBe(
      'PRECONDITION_FAILED',
    );
    expect(codeOf(await told('delete_workflow', { workflowId: 'wr.own', confirm: 'rv_0000000000000000' }))).toBe(
      'PRECONDITION_FAILED',
    );
    for (const id of ['../../etc/passwd', '..', '/x', 'team.a/../../b', '.hidden', 'a\\u0000b']) {
      await save({ content: draft.replace('team.release', JSON.stringify(id)) });
      for (const name of readdirSync(world.folder, { recursive: true, encoding: 'utf8' }))
        expect(name.includes('passwd') && !name.includes('workflows')).toBe(false);
    }
    const outside = join(world.folder, 'outside.yaml');
    writeFileSync(outside, draft);
    symlinkSync(outside, join(world.folder, 'workspace', 'link.yaml'));
    expect(codeOf(await told('validate_workflow', { path: 'link.yaml' }))).toBe('NOT_FOUND');
    expect(codeOf(await told('validate_workflow', { path: '../outside.yaml' }))).toBe('NOT_FOUND');
  });

  it('is not written while it is wrong, and keeps what an editor wrote meanwhile', async () => {
    const refused = await save({ content: draft.replace('enum: [low, high]', 'enum: low') });
    expect(codeOf(refused)).toBe('WORKFLOW_INVALID');
    expect(existsSync(folder())).toBe(false);
    await save({ content: draft });
    const { answer } = await told('get_workflow', { workflowId: 'team.release' });
    writeFileSync(join(folder(), 'team.release.yaml'), draft.replace('Ours', 'By hand'));
    const stale = await save({
      workflowId: 'team.release',
      patch: [{ op: 'remove', path: '/steps/2' }],
      expectedRevision: textOf(answer['revision']),
    });
    expect(codeOf(stale)).toBe('REVISION_CONFLICT');
    expect(readFileSync(join(folder(), 'team.release.yaml'), 'utf8')).toContain('# By hand');
    expect(codeOf(await save({ workflowId: 'team.release', patch: [{ op: 'remove', path: '/steps/9' }] }))).toBe(
      'PRECONDITION_FAILED',
    );
  });
});

describe('a schema that asks what is not always judged right', () => {
  const asking = `${draft}    output: { kind: team.done, schema: { unevaluatedProperties: false }, example: {} }\n`;

  it('is not saved any more, and a file that has one goes on', async () => {
    const refused = await save({ content: asking });
    expect(codeOf(refused)).toBe('WORKFLOW_INVALID');
    expect(refused.reply.text).toContain('`unevaluatedProperties` is not supported');
    expect(existsSync(folder())).toBe(false);
    mkdirSync(folder(), { recursive: true });
    writeFileSync(join(folder(), 'team.release.yaml'), asking);
    const inputs = { version: '1' };
    expect((await told('start_workflow', { workflowId: 'team.release', inputs })).reply.failed).toBe(false);
    expect((await told('validate_workflow', { content: asking })).answer['valid']).toBe(true);
  });
});

describe('beside the tools', () => {
  it('a folder of the user’s own takes what is written, and what lies there is found', async () => {
    const own = join(world.folder, 'own');
    const there = world.open(world.data, { WORKRAIL_WORKFLOWS_DIR: own });
    const saved = await call(there, 'save_workflow', { content: draft });
    expect(saved.answer).toMatchObject({ happened: 'created', path: 'own/team.release.yaml' });
    expect(readdirSync(own)).toEqual(['team.release.yaml']);
    expect((await call(there, 'get_workflow', { workflowId: 'team.release' })).answer['content']).toBe(draft);
  });

  it('the guides, the list and each file can be read by their addresses', async () => {
    await save({ content: draft });
    const { resources } = requests;
    const uris = (await resources?.list())?.map(({ uri }) => uri);
    expect(uris).toEqual([
      'workrail://workflow-schema',
      'workrail://format',
      'workrail://authoring',
      'workrail://workflows',
      'workrail://commands',
      'workrail://providers',
    ]);
    for (const uri of uris ?? []) expect((await resources?.read(uri))?.text.length).toBeGreaterThan(100);
    expect((await resources?.read('workrail://workflows/team.release'))?.text).toBe(draft);
    for (const uri of ['workrail://workflows/team.none', 'workrail://workflows/%', 'file:///x', ''])
      expect(await resources?.read(uri)).toBeUndefined();
  });

  it('each prompt names the tools that there are, and says what it lacks', () => {
    for (const { name, arguments: wanted } of authorPrompts) {
      const given = Object.fromEntries(wanted.map((one) => [one.name, `<${one.name}>`]));
      const said = authorPrompt(name, given);
      if (typeof said === 'string') throw new Error(said);
      for (const { name: one } of wanted) expect(said.text).toContain(`<${one}>`);
      const tools: readonly string[] = toolCatalogue.map((tool) => tool.name);
      for (const [tool = ''] of said.text.matchAll(/[a-z]+_(?:workflows?|rendered|inputs)/gu))
        expect(tools).toContain(tool);
      expect(authorPrompt(name, {})).toContain(`${name} needs ${wanted[0]?.name}`);
    }
    expect(authorPrompt('constructor', {})).toContain('no prompt named "constructor"');
  });
});

describe('before a run', () => {
  it('its inputs are shown and settled', async () => {
    const { answer } = await told('preview_inputs', { content: draft });
    expect(listOf(answer['inputs']).map(({ name, required }) => [name, required])).toEqual([
      ['version', true],
      ['dry', false],
    ]);
    const open = await told('resolve_inputs', { content: draft, inputs: { dry: 'maybe', verson: 'x' } });
    expect(open.answer['ready']).toBe(false);
    expect(listOf(open.answer['inputs']).map(({ outcome }) => outcome)).toEqual(['prompt', 'error']);
    expect(open.reply.text).toContain('did you mean `version`?');
    const ready = await told('resolve_inputs', { content: draft, inputs: { version: '2' } });
    expect(ready.answer).toMatchObject({ ready: true, resolved: { version: '2', dry: true } });
  });

  it('its steps are shown with what is known filled in, and what is not left as it is written', async () => {
    const { answer } = await told('preview_rendered', { content: draft, inputs: { version: '2', dry: false } });
    const steps = listOf(answer['steps']);
    expect(steps.map(({ prompt }) => prompt)).toEqual(['Run the tests for 2.', 'Say ${{ context.risk }}.', 'Try it.']);
    expect(steps.map(({ runs }) => runs)).toEqual([undefined, 'unknown', 'no']);
  });

  it('its plan says what the server would send, and asks for agreement where that may change something', async () => {
    const commands = (run: string): string =>
      `workflow: team.ask\ndescription: d\nversion: 1.0.0\nsteps:\n  - id: a\n    run: github ${run}\n    with: { owner: acme }\n`;
    const plan = async (run: string): Promise<readonly unknown[]> => {
      const { answer } = await told('plan_steps', { content: commands(run) });
      const [step] = listOf(answer['steps']);
      return [step?.['command'], step?.['safety'], answer['confirm']];
    };
    const responses = { 200: { description: 'done' } };
    const paths = {
      '/repos/{owner}': { get: { responses }, post: { responses }, delete: { operationId: 'repos/delete' } },
    };
    const catalog = join(world.data, 'catalogs', 'github');
    mkdirSync(catalog, { recursive: true });
    writeFileSync(join(catalog, 'catalog.json'), JSON.stringify({ version: 1, enabled: true }));
    const info = { title: 'GitHub', version: '1' };
    writeFileSync(join(catalog, 'document.json'), JSON.stringify({ openapi: '3.0.3', info, paths }));
    expect(await plan('GET /repos/{owner}')).toEqual(['github GET /repos/{owner}', 'safe', false]);
    expect(await plan('POST /repos/{owner}')).toEqual(['github POST /repos/{owner}', 'mutating', true]);
    expect(await plan('repos/delete')).toEqual(['github repos/delete', 'destructive', true]);
    expect(await plan('repos/deleted')).toEqual([undefined, undefined, undefined]);
    const hash = async (): Promise<string> =>
      textOf((await told('plan_steps', { content: commands('POST /repos/{owner}') })).answer['plan']);
    const before = await hash();
    expect(await hash()).toBe(before);
    const settings = (baseUrl: string): void =>
      writeFileSync(join(catalog, 'catalog.json'), JSON.stringify({ version: 1, enabled: true, baseUrl }));
    settings('https://api.example.com/v1');
    const there = await hash();
    expect(there).not.toBe(before);
    settings('https://api.example.com/v1/');
    expect(await hash()).toBe(there);
    settings('https://api.example.com/v2');
    expect(await hash()).not.toBe(there);
    settings('https://elsewhere.example/v1');
    expect(await hash()).not.toBe(there);
    const saved = await save({ content: commands('GET /repos/{owner}') });
    expect(fieldsOf(saved.answer['nextCall'])['tool']).toBe('start_workflow');
  });

  it('its plan and its preview say after what a step comes, and where it is sent that goes to another host', async () => {
    const responses = { 200: { description: 'done' } };
    const uploads = { post: { operationId: 'upload', servers: [{ url: 'https://uploads.example/v1' }], responses } };
    const paths = { '/x': { get: { operationId: 'read', responses } }, '/y': uploads };
    const catalog = join(world.data, 'catalogs', 'github');
    mkdirSync(catalog, { recursive: true });
    writeFileSync(join(catalog, 'catalog.json'), JSON.stringify({ version: 1, enabled: true }));
    const document = { info: { title: 'T', version: '1' }, servers: [{ url: 'https://api.example/v1' }], paths };
    writeFileSync(join(catalog, 'document.json'), JSON.stringify({ openapi: '3.0.3', ...document }));
    const content =
      'workflow: team.up\ndescription: d\nsteps:\n  - { id: a, run: github read }\n  - { id: b, run: github read }\n' +
      '  - { id: c, run: github upload, depends_on: [a, b] }\n';
    const plan = await told('plan_steps', { content });
    const [a, , c] = listOf(plan.answer['steps']);
    expect(a).not.toHaveProperty('dependsOn');
    expect(a).not.toHaveProperty('address');
    expect(c).toMatchObject({ command: 'github upload', address: 'https://uploads.example/v1', dependsOn: ['a', 'b'] });
    expect(plan.reply.text).toContain('; github upload at https://uploads.example/v1; after a, b; waits for server');
    expect(plan.reply.text).toContain('; github read; waits for server');
    expect(listOf(plan.answer['catalogs'])).toMatchObject([{ id: 'github', address: 'https://api.example/v1' }]);
    const preview = await told('preview_rendered', { content });
    expect(listOf(preview.answer['steps'])[2]).toMatchObject({ address: 'https://uploads.example/v1' });
    expect(preview.reply.text).toContain('github upload, POST /y at https://uploads.example/v1 (mutating');
  });

  it('its plan has a hash that changes with the file and the inputs, and with nothing else', async () => {
    const plan = async (content: string, inputs: JsonObject): Promise<string> =>
      textOf((await told('plan_steps', { content, inputs })).answer['plan']);
    const first = await plan(draft, { version: '2' });
    expect(first).toMatch(/^pl_[0-9a-f]{16}$/u);
    expect(await plan(`${draft}# a comment\n`, { version: '2', dry: true })).toBe(first);
    expect(await plan(draft, { version: '3' })).not.toBe(first);
    expect(await plan(draft.replace('Try it', 'Do it'), { version: '2' })).not.toBe(first);
  });
});
