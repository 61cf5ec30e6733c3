import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json-value.js';
import { envelope, said, serve } from '../../property-tests/worlds/stdio-world.js';

const meta = (over: JsonObject = {}): JsonObject => ({
  _meta: { ...envelope, 'io.modelcontextprotocol/clientCapabilities': {}, ...over },
});

/** A server, and messages as they are: what a client of its own making sends. */
function raw(answer: Parameters<typeof serve>[1] = () => Promise.resolve(said('done'))) {
  const world = serve('legacy', answer);
  const ask = (id: number, method: string, params: JsonObject) => {
    world.send({ id, method, params });
    return world.answered((message) => message.id === id);
  };
  return { ...world, ask };
}

describe('one connection of a client of 2026-07-28', () => {
  it('lets a subscription end with the connection, and gives it a last word', async () => {
    const { ask, send, stdin, answered, ended, messages, log } = raw();
    await ask(1, 'tools/list', meta());
    send({ id: 2, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true }, ...meta() } });
    await answered(({ method }) => method === 'notifications/subscriptions/acknowledged');
    stdin.end();
    await ended;
    expect(messages.at(-1)).toMatchObject({ id: 2, result: { resultType: 'complete' } });
    expect(log).toEqual([]);
  });
});

describe('a client of 2026-07-28 that has roots', () => {
  const named = meta({ 'io.modelcontextprotocol/clientCapabilities': { roots: {} } });
  const call = { name: 'list_workflows', arguments: {} };

  it('is asked for them once, and the call that it repeats is answered', async () => {
    const { ask, calls } = raw();
    const wanted = { resultType: 'input_required', inputRequests: { roots: { method: 'roots/list' } } };
    expect((await ask(1, 'tools/call', { ...call, ...named })).result).toMatchObject(wanted);
    expect(calls.opened).toEqual([]);
    const inputResponses = { roots: { roots: [{ uri: 5 }, { uri: pathToFileURL(tmpdir()).href }] } };
    expect((await ask(2, 'tools/call', { ...call, inputResponses, ...named })).result).toMatchObject({
      content: [{ text: 'done' }],
    });
    expect((await ask(3, 'tools/call', { ...call, ...named })).result).toMatchObject({ content: [{ text: 'done' }] });
    expect(calls.opened).toEqual([tmpdir()]);
  });

  it('is asked for them still where it has looked at the lists before', async () => {
    const { ask, calls } = raw();
    for (const [at, method] of ['resources/list', 'prompts/list', 'tools/list'].entries())
      expect((await ask(1 + at, method, named)).error).toBeUndefined();
    const read = await ask(4, 'resources/read', { uri: 'workrail://workflow-schema', ...named });
    expect(read.result).toMatchObject({ contents: [{ mimeType: 'application/schema+json' }] });
    expect((await ask(5, 'tools/call', { ...call, ...named })).result).toMatchObject({ resultType: 'input_required' });
    expect(calls.opened).toEqual([]);
  });

  it.each([{}, { roots: [] }, { roots: 'x' }, { roots: [{ uri: 'https://example.com' }] }])(
    'and names none that is a folder here works where the server was started: %j',
    async (roots) => {
      const { ask, calls } = raw();
      expect((await ask(1, 'tools/call', { ...call, inputResponses: { roots }, ...named })).result).toMatchObject({
        content: [{ text: 'done' }],
      });
      expect(calls.opened).toEqual(['/here']);
    },
  );
});

describe('a client of 2026-07-28 with a person before it', () => {
  const call = { name: 'continue_workflow', arguments: {} };
  const asks = (capability: JsonObject): JsonObject =>
    meta({ 'io.modelcontextprotocol/clientCapabilities': { elicitation: capability } });
  const asking = (question: string) =>
    raw(async (_name, _raw, { askPerson } = {}) =>
      said(askPerson === undefined ? 'nobody' : (await askPerson(question)) ? 'yes' : 'no'),
    );
  const textOf = (message: { readonly result?: Readonly<Record<string, unknown>> }): unknown =>
    (message.result?.['content'] as readonly { readonly text: string }[] | undefined)?.[0]?.text;

  it.each([
    [{ action: 'accept', content: {} }, 'yes'],
    [{ action: 'decline' }, 'no'],
    [{ action: 5 }, 'no'],
  ])('is answered with the question, and its repeated call with what %j means', async (person, means) => {
    const { ask } = asking('May it?');
    const { result } = await ask(1, 'tools/call', { ...call, ...asks({ form: {} }) });
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { person: { method: 'elicitation/create', params: { mode: 'form', message: 'May it?' } } },
    });
    const requestState = result?.['requestState'] as string;
    const repeated = { ...call, inputResponses: { person }, requestState, ...asks({}) };
    expect(textOf(await ask(2, 'tools/call', repeated))).toBe(means);
  });

  it('is asked again where the answer belongs to another question, or to none', async () => {
    const { ask } = asking('May it?');
    for (const [at, requestState] of ['x', ''].entries()) {
      const repeated = { ...call, inputResponses: { person: { action: 'accept' } }, requestState, ...asks({}) };
      expect((await ask(1 + at, 'tools/call', repeated)).result).toMatchObject({ resultType: 'input_required' });
    }
  });

  it('is not asked where it takes no forms', async () => {
    const { ask } = asking('May it?');
    expect(textOf(await ask(1, 'tools/call', { ...call, ...asks({ url: {} }) }))).toBe('nobody');
    expect(textOf(await ask(2, 'tools/call', { ...call, ...meta() }))).toBe('nobody');
  });
});

describe('the program that asks', () => {
  it.each(['legacy', 'modern'] as const)('is handed on as it names itself: %s', async (era) => {
    const agents: unknown[] = [];
    const { initialize, ask } = serve(era, (_name, _raw, askable) => {
      agents.push(askable?.agent);
      return Promise.resolve(said('done'));
    });
    await initialize();
    await ask(2, 'tools/call', { name: 'list_workflows', arguments: {} });
    expect(agents).toEqual([{ name: 'test', version: '1' }]);
  });

  it('is nobody where it gives no name that can be shown', async () => {
    const agents: unknown[] = [];
    const { ask } = raw((_name, _raw, askable) => {
      agents.push(askable?.agent);
      return Promise.resolve(said('done'));
    });
    const nameless = meta({ 'io.modelcontextprotocol/clientInfo': { name: '\u0000', version: '1' } });
    await ask(1, 'tools/call', { name: 'list_workflows', arguments: {}, ...nameless });
    expect(agents).toEqual([undefined]);
  });
});

describe('progress of a call', () => {
  it.each(['legacy', 'modern'] as const)('grows with each notification, whatever is told (%s)', async (era) => {
    const world = serve(era, (_name, _raw, askable) => {
      for (const steps of [0, 0, 0, 1, 1, 3, 2, 3, 3]) askable?.progress?.(steps, 'at it');
      return Promise.resolve(said('done'));
    });
    await world.initialize({});
    await world.ask(2, 'tools/call', { name: 'list_workflows', arguments: {}, _meta: { progressToken: 't' } });
    const told = world.messages
      .filter(({ method }) => method === 'notifications/progress')
      .map((message) => (message as { params?: { progress: number } }).params?.progress ?? 0);
    expect(told).toHaveLength(9);
    expect(told.every((progress, at) => at === 0 || progress > told[at - 1]!)).toBe(true);
    expect(told.at(-1)).toBeLessThan(4);
  });
});
