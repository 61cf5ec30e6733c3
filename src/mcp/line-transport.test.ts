import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../property-tests/worlds/runs-of-law.js';
import { type Message, said, serve } from '../../property-tests/worlds/stdio-world.js';

const id = fc.oneof(fc.nat(9), fc.constantFrom('a', 'b', ''), fc.constantFrom(null, 1.5, true, {}, []));
const method = fc.constantFrom('ping', 'tools/list', 'nobody/knows', 'notifications/initialized', '', 5, null);
const params = fc.constantFrom({}, { name: 'list_workflows' }, { _meta: {} }, [], [1], 'x', 5, null);
const request = fc.record(
  { jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2), id, method, params },
  { requiredKeys: ['method'] },
);
const answer = fc.record(
  { jsonrpc: fc.constant('2.0'), id, result: fc.constant({}) },
  { requiredKeys: ['jsonrpc', 'result'] },
);
const one = fc.oneof({ weight: 4, arbitrary: request }, answer, fc.jsonValue({ maxDepth: 1 }));
const line = fc.oneof(
  { weight: 5, arbitrary: one.map((value) => JSON.stringify(value)) },
  fc.array(one, { maxLength: 4 }).map((batch) => JSON.stringify(batch)),
  fc.string(),
  one.map((value) => JSON.stringify(value).slice(0, -1)),
  fc.constantFrom('', ' ', '\r', '\ufeff{}', '{}\u0000'),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): boolean => typeof value === 'string' || Number.isInteger(value);

/** What one message is owed, as JSON-RPC has it: an answer, a refusal, or nothing. */
function owed(message: unknown): 'answer' | 'refusal' | 'nothing' {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return 'refusal';
  const has = (name: string): boolean => Object.hasOwn(message, name);
  if (has('method')) {
    if (typeof message['method'] !== 'string') return 'refusal';
    if (has('params') && !isObject(message['params'])) return 'refusal';
    if (!has('id')) return 'nothing';
    return isId(message['id']) ? 'answer' : 'refusal';
  }
  return has('id') && isId(message['id']) && has('result') ? 'nothing' : 'refusal';
}

/** Lines that go out for one that came in. */
function linesFor(text: string): number {
  if (text.trim() === '') return 0;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return 1;
  }
  if (!Array.isArray(message)) return owed(message) === 'nothing' ? 0 : 1;
  return message.length === 0 || message.some((each) => owed(each) !== 'nothing') ? 1 : 0;
}

it('each line is answered once, whatever stands in it, and a batch as one', async () => {
  const seen = { none: 0, refused: 0, batches: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (drawn) => {
      const lines = drawn.map((text) => text.replaceAll('\n', ' '));
      const { stdin, messages, ended } = serve('legacy', () => Promise.resolve(said('done')));
      for (const text of lines) stdin.write(`${text}\n`);
      stdin.end();
      await ended;
      const heard: readonly (Message | readonly Message[])[] = messages;
      expect(heard).toHaveLength(lines.map(linesFor).reduce((sum, count) => sum + count, 0));
      for (const message of heard.flat()) {
        expect(message).toMatchObject({ jsonrpc: '2.0' });
        expect(message.result === undefined).toBe(message.error !== undefined);
      }
      seen.batches += heard.filter((each) => Array.isArray(each)).length;
      seen.none += lines.filter((text) => linesFor(text) === 0).length;
      seen.refused += heard.flat().filter(({ error }) => error?.code === -32600 || error?.code === -32700).length;
    }),
    runs(150),
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});

it('a refusal names what it refuses, where that can be read', async () => {
  const { stdin, messages, ended } = serve('legacy', () => Promise.resolve(said('done')));
  for (const text of [
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":[]}',
    '{"id":"x","method":"ping"}',
    '{"jsonrpc":"2.0","id":3',
  ])
    stdin.write(`${text}\n`);
  stdin.end();
  await ended;
  expect(messages.map((message) => [message.id, message.error?.code])).toEqual([
    [2, -32600],
    ['x', -32600],
    [null, -32700],
  ]);
});

it('bytes that are no UTF-8 are no JSON, and a last line needs no end', async () => {
  const { stdin, messages, ended } = serve('legacy', () => Promise.resolve(said('done')));
  stdin.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
  stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await ended;
  expect(messages.map((message) => message.error?.code ?? message.result)).toEqual([-32700, {}]);
});
