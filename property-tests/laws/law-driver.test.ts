import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionId } from '../../src/base/ids.js';
import { limits } from '../../src/base/limits.js';
import { err, ok } from '../../src/base/result.js';
import type { EventDraft } from '../../src/events/event.js';
import type { SessionStore } from '../../src/log/port/session-store.js';
import { drive, type Turn, turn } from '../../src/requests/world/drive.js';
import { sessionProjection } from '../../src/sessions/fold-session.js';
import type { FoldedSession } from '../../src/sessions/folded-session.js';
import { makeWorld, note } from '../worlds/log-world.js';
import { emptyMemory, MemoryStore } from '../worlds/memory-store.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const id = 'ses_example' as SessionId;
const needs = {
  projection: sessionProjection,
  now: () => new Date('2026-01-02T03:04:05.678Z'),
  randomBytes: (count: number) => Buffer.alloc(count, 7),
};
const memory = (): SessionStore<FoldedSession> => new MemoryStore(emptyMemory(), needs);

/** A request of so many turns: each records its number and is shown what the turns before it recorded. */
function chain(numbers: readonly number[], done: string[] = []): Turn<readonly string[]> {
  const [first, ...rest] = numbers;
  return turn(
    ({ state }) => ({
      answer: state.notes.length,
      events: first === undefined ? [] : [note(`${state.notes.length}: ${first}`) as EventDraft],
    }),
    ({ state }, before) => {
      const shown = state.notes.map(({ data }) => data.text);
      expect(shown).toHaveLength(before + (first === undefined ? 0 : 1));
      return first === undefined
        ? { done: ok(shown) }
        : {
            next: async () => {
              await Promise.resolve();
              done.push(`work after ${first}`);
              return chain(rest, done);
            },
          };
    },
  );
}

test(
  'turns of one request are appends one after another, each seeing those before it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 6 }), fc.boolean(), async (numbers, files) => {
        const world = makeWorld();
        const store = files ? world.store({ projection: sessionProjection as never }) : memory();
        const log = (store as SessionStore<FoldedSession>).create(id);
        const done: string[] = [];
        const driven = await drive(log, chain(numbers, done), 'keyed');
        expect(driven).toEqual(ok(numbers.map((number, index) => `${index}: ${number}`)));
        expect(done).toEqual(numbers.map((number) => `work after ${number}`));
        const appends = new Set<string>();
        for await (const { event } of log.events()) if (event.more === undefined) appends.add(event.sum);
        expect(appends.size).toBe(numbers.length);
        await world.close();
      }),
      runs(30),
    );
  },
  patience,
);

test('what was recorded before the work between two turns fails stays recorded', async () => {
  const log = memory().create(id);
  const failing = turn(
    () => ({ answer: undefined, events: [note('before')] }),
    () => ({ next: () => Promise.reject(new Error('the work failed')) }),
  );
  await expect(drive(log, failing, 'keyed')).rejects.toThrow('the work failed');
  expect(await log.read(({ state }) => state.notes.map(({ data }) => data.text))).toEqual(['before']);
});

test('a turn that refuses ends the request with its reason', async () => {
  const log = memory().create(id);
  const refusing = turn(
    () => ({ answer: undefined }),
    () => ({ done: err({ code: 'PRECONDITION_FAILED', message: 'no', action: 'do something else' } as const) }),
  );
  expect(await drive(log, refusing, 'keyed')).toMatchObject({ ok: false, error: { message: 'no' } });
});

test('a request that never ends is ended, and says that it can be gone on with', async () => {
  const log = memory().create(id);
  let turns = 0;
  const endless: Turn<never> = turn(
    () => ({ answer: undefined }),
    () => ({
      next: async () => {
        turns += 1;
        return endless;
      },
    }),
  );
  expect(await drive(log, endless, 'keyed')).toMatchObject({ ok: false, error: { code: 'LIMIT_EXCEEDED', again: [] } });
  // No work is done whose turn would not be taken.
  expect(turns).toBe(limits.turnsOfRequest - 1);
});
