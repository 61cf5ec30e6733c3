import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { apiRoutes } from '../../../src/contract/api-routes.js';
import type { Reply } from '../../../src/contract/reply.js';
import { type RequestName, requestSchemas } from '../../../src/contract/request-schemas.js';
import { commandTable } from '../../../src/cli/command-table.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';
import { type ServedWorld, serveRequests } from '../../worlds/http-world.js';
import type { Requests } from '../../../src/requests/requests.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';

/** What every plain object knows, and nobody put there. */
const names = Object.getOwnPropertyNames(Object.prototype);
/** An object that really has that field, `__proto__` as well. */
const named = (name: string, value: JsonValue): JsonObject => Object.fromEntries([[name, value]]);

const kinds = 'sets inputs reads ids loop functions routine call with contract schema keyword strange older'.split(' ');

const codeOf = ({ answer }: Reply): unknown => answer['error_code'];

let world: RequestsWorld;
let requests: Requests;
let served: ServedWorld;
let terminal: CommandLineWorld;
beforeAll(async () => {
  world = makeRequestsWorld({ seed: 14 });
  for (const [at, name] of names.entries()) {
    const file = (key: string, source: JsonObject): void =>
      writeFileSync(join(world.bundled, `${at}-${key}.json`), JSON.stringify(source));
    const steps = (more: JsonObject): JsonValue => [{ id: 'a', title: 'A', prompt: 'P', notes: 'optional', ...more }];
    const head = (key: string): JsonObject => ({
      workflow: `wr.names_${at}_${key}`,
      title: name,
      description: `Use this for ${name}.`,
      version: '1.0.0',
    });
    const text = { type: 'string' };
    file('sets', { ...head('sets'), tags: [name], steps: steps({ sets: named(name, text) }) });
    file('inputs', {
      ...head('inputs'),
      inputs: named(name, { ...text, required: true }),
      steps: steps({ prompt: `Look at \${{ inputs.${name} }}.` }),
    });
    file('reads', {
      ...head('reads'),
      steps: steps({ if: `context.${name} == "x"`, prompt: `\${{ context.${name} }}` }),
    });
    file('ids', { ...head('ids'), steps: [{ id: name, title: name, prompt: `\${{ outputs.${name} }}` }] });
    file('loop', {
      ...head('loop'),
      steps: [
        { id: name, foreach: ['x'], as: name, max: 3, steps: [{ id: 'b', title: 'B', prompt: `\${{ ${name} }}` }] },
      ],
    });
    file('functions', {
      ...head('functions'),
      functions: named(name, { params: [name], text: `{{${name}}}` }),
      steps: steps({ functions: [name] }),
    });
    file('routine', { ...head('routine'), kind: 'routine', inputs: named(name, text), steps: steps({}) });
    file('call', { ...head('call'), steps: [{ id: 'c', call: `wr.names_${at}_routine` }] });
    file('with', { ...head('with'), steps: [{ id: 'c', call: `wr.names_${at}_routine`, with: named(name, 'x') }] });
    file('contract', { ...head('contract'), steps: steps({ output: { contract: name } }) });
    const schema = { type: 'object', properties: named(name, text), required: [name] };
    file('schema', { ...head('schema'), steps: steps({ output: { kind: 't.k', schema, example: named(name, 'x') } }) });
    file('keyword', {
      ...head('keyword'),
      steps: steps({ output: { kind: 't.k', schema: named(name, 1), example: {} } }),
    });
    file('strange', { ...head('strange'), ...named(name, 1), steps: steps(named(name, 1)) });
    file('older', {
      id: `wr.names_${at}_older`,
      name,
      description: name,
      version: '1.0.0',
      steps: [
        {
          id: name,
          title: name,
          prompt: `{{${name}}}`,
          runCondition: { var: name, ...named(name, 1) },
          ...named(name, 1),
        },
      ],
    });
  }
  requests = world.open();
  served = await serveRequests(requests);
  terminal = makeCommandLineWorld();
});
afterAll(async () => {
  await served.close();
  await world.close();
  terminal.close();
});

describe.each(names)('%s', (name) => {
  const at = names.indexOf(name);
  const call = async (tool: RequestName, request: unknown): Promise<Reply> => requests.call(tool, request);

  test('as a name in a workflow file: the file is right or told of, and no other is hidden', async () => {
    const ids = kinds.map((kind) => `wr.names_${at}_${kind}`);
    const judged = await requests.people.validateFiles({ files: [], ids });
    const rules = judged.ok ? judged.value.files.map(({ violations }) => violations.map((one) => one['rule'])) : [];
    expect(rules).toHaveLength(kinds.length);
    expect(rules.flat()).not.toContain('internal');
    const sound = kinds.filter((_, index) => rules[index]!.length === 0);
    expect(sound.includes('older')).toBe(name !== '__proto__');
    if (/^[a-z]+$/iu.test(name))
      expect(sound).toEqual(expect.arrayContaining(['sets', 'inputs', 'call', 'with', 'schema']));
    for (const id of ids) {
      expect(codeOf(await call('inspect_workflow', { workflowId: id, mode: 'preview' }))).not.toBe('INTERNAL');
      await play(id);
    }
  });

  /** Nothing given, then all that is asked for, whatever is answered. */
  async function play(workflowId: string): Promise<void> {
    const key = workflowId.split('_').at(-1)!;
    const bare = await requests.call('start_workflow', { workflowId, session: `${name} ${key}` });
    expect(codeOf(bare)).not.toBe('INTERNAL');
    const started = await requests.call('start_workflow', {
      workflowId,
      session: `${name} ${key}`,
      context: named(name, 'x'),
    });
    expect(codeOf(started)).not.toBe('INTERNAL');
    const { stateToken, ackToken } = started.answer;
    if (typeof ackToken !== 'string') return;
    const nothing = await requests.call('continue_workflow', { stateToken, ackToken });
    expect(codeOf(nothing)).not.toBe('INTERNAL');
    if (key === 'sets') expect(JSON.stringify(nothing.answer)).toContain('MISSING_CONTEXT_KEY');
    if (key === 'schema') {
      const empty = { stateToken, ackToken, output: { artifacts: [{ kind: 't.k' }] } };
      expect(JSON.stringify((await requests.call('continue_workflow', empty)).answer)).toContain('which is missing');
    }
    const done = await requests.call('continue_workflow', {
      stateToken,
      ackToken,
      context: named(name, 'x'),
      confirmed: true,
      output: { notesMarkdown: name, artifacts: [{ kind: 't.k', ...named(name, 'x') }] },
    });
    expect(codeOf(done)).not.toBe('INTERNAL');
    if (key === 'sets' || key === 'schema') expect(codeOf(done)).toBeUndefined();
  }

  test('in every field of every tool', async () => {
    for (const [tool, { shape }] of Object.entries(requestSchemas) as [RequestName, { readonly shape: object }][])
      for (const field of [...Object.keys(shape), name])
        for (const value of [name, named(name, name), [name], named(name, named(name, 1))]) {
          const { answer } = await call(tool, { ...whole(tool), ...named(field, value) });
          expect(answer['error_code'], `${tool} ${field} ${JSON.stringify(value)}`).not.toBe('INTERNAL');
        }
  });

  const whole = (tool: RequestName): JsonObject =>
    tool === 'inspect_workflow' || tool === 'start_workflow' ? { workflowId: `wr.names_${at}_sets` } : {};

  test('in every route, as a part of the path, a question, a header and a field of the body', async () => {
    for (const { method, path } of Object.values(apiRoutes)) {
      const filled = path.replaceAll(/\{[^}]+\}/gu, name);
      for (const asked of [filled, `${path}/${name}`, `${filled}?${name}=${name}`, `${filled}?query=${name}`]) {
        const headers = name.startsWith('__') ? {} : { [name]: name };
        const answer =
          method === 'GET' ? await served.get(asked, headers) : await served.post(asked, named(name, name), headers);
        expect(answer.status, `${method} ${asked}`).toBeLessThan(500);
        await answer.body?.cancel();
      }
    }
    const odd = await served.get(`/${name}`);
    expect(odd.status).toBeLessThan(500);
    await odd.body?.cancel();
  });

  test('as a tool, a method, a resource and a prompt of MCP', async () => {
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } };
    const headers = { accept: 'application/json, text/event-stream' };
    const first = await served.post(
      '/mcp',
      { jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize },
      headers,
    );
    const session = first.headers.get('mcp-session-id') ?? '';
    await first.text();
    for (const [method, params] of [
      [name, {}],
      ['tools/call', { name, arguments: {} }],
      ['tools/call', { name: 'list_workflows', arguments: named(name, name) }],
      ['resources/read', { uri: name }],
      ['prompts/get', { name }],
    ] as const) {
      const asked = { jsonrpc: '2.0', id: 1, method, params };
      const text = await (await served.post('/mcp', asked, { ...headers, 'mcp-session-id': session })).text();
      expect(text, `${method} ${JSON.stringify(params)}`).toContain('"id":1');
      expect(text).not.toMatch(/-32603|INTERNAL/u);
    }
  });

  test('as a command, an option and an argument', async () => {
    mkdirSync(join(terminal.workspace, '.workrail'), { recursive: true });
    const commands = commandTable
      .map((one) => one.name)
      .filter((one) => !['mcp', 'serve', 'demo', 'init'].includes(one));
    const lines = [
      [name],
      [`--${name}`],
      ['help', name],
      ...commands.flatMap((one) => [
        [one, name],
        [one, `--${name}=x`],
      ]),
    ];
    for (const line of lines) {
      const { out, err } = await terminal.run(line);
      expect(`${out}${err}`, line.join(' ')).not.toMatch(/made a mistake|Correlation|native code|\[object/u);
    }
  });
});
