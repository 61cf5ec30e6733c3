import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.js';
import type { Requests } from '../../src/requests/requests.js';
import {
  call,
  fieldsOf,
  linesOnDisk,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
  pairOf,
} from '../worlds/requests-world.js';
import { patience } from '../worlds/runs-of-law.js';
import { renderWorkflow, straightWorkflow } from '../worlds/tiny-workflow.js';
import { everyChange } from '../worlds/token-changes.js';

interface Pair extends JsonObject {
  readonly stateToken: string;
  readonly ackToken: string;
}

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 5 });
  for (const name of ['one', 'two']) world.writeWorkflow(name, renderWorkflow(straightWorkflow(name, 4)));
  requests = world.open();
});
afterAll(() => world.close());

async function start(name: string, session: string): Promise<Pair> {
  return pairOf((await call(requests, 'start_workflow', { workflowId: `wr.${name}`, session, fresh: true })).answer);
}

async function step(pair: Pair): Promise<Pair> {
  const { reply, answer } = await call(requests, 'continue_workflow', { ...pair, output: { notesMarkdown: 'done' } });
  if (reply.failed) throw new Error(reply.text);
  return pairOf(answer);
}

async function refused(raw: JsonObject): Promise<string> {
  const before = linesOnDisk(world.data).length;
  const { reply, answer } = await call(requests, 'continue_workflow', { ...raw, output: { notesMarkdown: 'forged' } });
  expect(reply.failed, JSON.stringify(raw)).toBe(true);
  expect(linesOnDisk(world.data)).toHaveLength(before);
  return textOf(answer['error_code']);
}

describe('law 5', () => {
  test(
    'an ack of one place is refused at every other: of another node, run, session, workflow',
    async () => {
      const pairs: Pair[] = [];
      for (const [name, session] of [
        ['one', 'A-1'],
        ['one', 'A-1'],
        ['two', 'A-1'],
        ['one', 'B-1'],
        ['two', 'B-1'],
      ] as const) {
        const first = await start(name, session);
        const second = await step(first);
        const third = await step(second);
        const { answer } = await call(requests, 'continue_workflow', { stateToken: first.stateToken });
        pairs.push(first, second, third, pairOf(answer));
      }
      for (const from of pairs) {
        for (const to of pairs) {
          if (from.stateToken === to.stateToken) continue;
          expect(await refused({ stateToken: to.stateToken, ackToken: from.ackToken })).toBe('TOKEN_SCOPE_MISMATCH');
        }
      }
    },
    patience,
  );

  test('tokens of the other kinds are refused as such', async () => {
    const pair = await start('one', 'KINDS-1');
    expect(await refused({ stateToken: pair.ackToken, ackToken: pair.ackToken })).toBe('TOKEN_MALFORMED');
    expect(await refused({ stateToken: pair.stateToken, ackToken: pair.stateToken })).toBe('TOKEN_MALFORMED');
    expect(await refused({ stateToken: pair.stateToken.replace('v1', 'v2'), ackToken: pair.ackToken })).toBe(
      'TOKEN_VERSION',
    );
  });

  test.each(['stateToken', 'ackToken'] as const)(
    'every one-character change, insertion and deletion of a %s is refused',
    async (field) => {
      let pair = await start('one', `EXACT-${field}`);
      pair = await step(pair);
      const before = linesOnDisk(world.data).length;
      const changes = everyChange(pair[field]);
      const codes = new Map<string, number>();
      for (const changed of changes) {
        const { reply, answer } = await call(requests, 'continue_workflow', {
          ...pair,
          [field]: changed,
          output: { notesMarkdown: 'forged' },
        });
        if (!reply.failed) throw new Error(`${changed} was accepted for ${pair[field]}`);
        const code = textOf(answer['error_code']);
        if (!code.startsWith('TOKEN_')) throw new Error(`${changed} was refused as ${code}`);
        codes.set(code, (codes.get(code) ?? 0) + 1);
        const right = fieldsOf(answer['context'])['didYouMean'];
        if (right !== undefined && right !== pair[field])
          throw new Error(`${changed}: ${textOf(right)} was suggested in place of ${pair[field]}`);
      }
      console.log(
        `law 5: ${changes.length} changes of one ${field} refused: ${JSON.stringify(Object.fromEntries(codes))}`,
      );
      expect(linesOnDisk(world.data)).toHaveLength(before);
      const cased = { stateToken: pair.stateToken.toLowerCase(), ackToken: pair.ackToken.toUpperCase() };
      expect(
        (await call(requests, 'continue_workflow', { ...cased, output: { notesMarkdown: 'in another case' } })).reply
          .failed,
      ).toBe(false);
    },
    patience,
  );
});
