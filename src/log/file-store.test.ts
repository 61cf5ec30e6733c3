import { expect, it } from 'vitest';
import type { SessionId } from '../base/ids.js';
import { listing, makeWorld, notes } from '../../property-tests/worlds/log-world.js';
import { withinLimits } from '../../property-tests/worlds/within-limits.js';

const ids = Array.from({ length: 5 }, (_, at) => `ses_${at}` as SessionId);

/** Of five sessions that were written to in turn, those that have to be read anew, the last first. */
async function letGo(bytes: number): Promise<readonly SessionId[]> {
  withinLimits({ residentEvents: 10, residentEventBytes: 100 });
  const world = makeWorld();
  try {
    let folds = 0;
    const store = world.store({
      projection: {
        ...listing,
        fold: (state, events) => {
          folds += 1;
          return listing.fold(state, events);
        },
        weigh: () => bytes,
      },
    });
    for (const id of ids) await store.create(id).append(notes('one'));
    const gone: SessionId[] = [];
    for (const id of ids.toReversed()) {
      folds = 0;
      await store.create(id).read();
      if (folds > 0) gone.push(id);
    }
    return gone;
  } finally {
    await world.close();
  }
}

it('lets go of the sessions used least lately, by what they weigh and not by their lines alone', async () => {
  expect(await letGo(0)).toEqual([]);
  // With its one line each counts as four of ten.
  expect(await letGo(300)).toEqual(['ses_2', 'ses_1', 'ses_0']);
  expect(await letGo(301)).toEqual(['ses_2', 'ses_1', 'ses_0']);
  expect(await letGo(401)).toEqual(['ses_3', 'ses_2', 'ses_1', 'ses_0']);
  // Whatever it weighs, the one that was used last stays.
  expect(await letGo(1e9)).toEqual(['ses_3', 'ses_2', 'ses_1', 'ses_0']);
});
