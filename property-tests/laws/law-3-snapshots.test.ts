import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type * as Limits from '../../src/base/limits.js';
import * as snapshots from '../../src/log/reading/snapshot.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { whateverAnAgentDoes } from '../worlds/whatever-an-agent-does.js';

/** As if every session were huge: a snapshot after each event, in pieces of two, as soon as nothing comes for a moment. */
vi.mock('../../src/base/limits.js', async (original) => {
  const { limits } = await original<typeof Limits>();
  return { limits: { ...limits, snapshotEvery: 1, snapshotPiece: 2, leaseIdleMs: 1 } };
});

test(
  'law 3: whatever an agent does, no answer tells that a session was read from its snapshot',
  async () => {
    const [saved, loaded] = [vi.spyOn(snapshots, 'saveSnapshot'), vi.spyOn(snapshots, 'loadSnapshot')];
    await fc.assert(whateverAnAgentDoes(new Map(), { between: () => pause(3) }), runs(25));
    const used = loaded.mock.results.filter(({ value }) => value !== undefined).length;
    console.log(`law 3: ${saved.mock.calls.length} snapshots written, ${used} read`);
    expect(used).toBeGreaterThan(0);
  },
  patience,
);
