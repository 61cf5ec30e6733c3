import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LineTransport } from './line-transport.js';
import { openCalls } from './open-calls.js';

const bounds = { most: 10, full: () => undefined, free: () => undefined };
const request = (id: number, method: string) => ({ jsonrpc: '2.0' as const, id, method, params: {} });

/** Whether everything is answered once these have been asked, and those answered. */
async function isAnswered(methods: readonly string[], answered: readonly number[] = []): Promise<boolean> {
  const transport = new LineTransport(new PassThrough(), new PassThrough());
  const calls = openCalls(transport, bounds);
  for (const [id, method] of methods.entries()) transport.heard?.(request(id, method));
  for (const id of answered) await transport.send({ jsonrpc: '2.0', id, result: {} });
  let isDone = false;
  void calls.answered().then(() => (isDone = true));
  await turn();
  return isDone;
}

it('a call is waited for until its answer is handed over', async () => {
  expect(await isAnswered(['tools/call', 'tools/list'], [1])).toBe(false);
  expect(await isAnswered(['tools/call', 'tools/list'], [1, 0])).toBe(true);
});

it('a subscription is not: it lasts as long as the connection', async () => {
  expect(await isAnswered(['subscriptions/listen'])).toBe(true);
  expect(await isAnswered(['subscriptions/listen', 'tools/call'])).toBe(false);
});
