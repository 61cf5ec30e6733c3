import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexAtMoment, inTime, momentOf, type VersionTold } from './version-moment.js';

const versions = fc
  .array(fc.record({ seq: fc.nat(20), version: fc.integer({ min: 1, max: 9 }) }), { minLength: 1, maxLength: 12 })
  .map((all) =>
    inTime(
      all.map(({ seq, version }, index): VersionTold => ({
        seq,
        version,
        etag: `v${version}-${index.toString(16).padStart(12, '0')}`,
        at: '2026-01-02T03:04:05Z',
        made: 'patch',
        bytes: 2,
      })),
    ),
  );

describe('a moment of a state', () => {
  it('leads back to the version that it is of, also where clones wrote two at one place', () => {
    fc.assert(
      fc.property(versions, fc.nat(), (all, some) => {
        const index = some % all.length;
        expect(indexAtMoment(all, momentOf(all, index))).toBe(index);
      }),
    );
  });

  it('of a run shows what the state was then', () => {
    fc.assert(
      fc.property(versions, fc.nat(25), (all, at) => {
        const index = indexAtMoment(all, { at });
        expect(all.slice(0, index + 1).every(({ seq }) => seq <= at)).toBe(true);
        expect(all.slice(index + 1).every(({ seq }) => seq > at)).toBe(true);
      }),
    );
  });

  it('is the newest where it names none, or one that is not known', () => {
    const [all] = fc.sample(versions, { numRuns: 1, seed: 3 });
    expect(indexAtMoment(all!, {})).toBe(all!.length - 1);
    expect(indexAtMoment(all!, { version: 'v1-unknown' })).toBe(all!.length - 1);
  });
});
