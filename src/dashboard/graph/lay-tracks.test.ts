import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectTimeInStep } from '../../../property-tests/worlds/time-in-step.js';
import type { GraphNode } from '../../contract/http-api.js';
import { layTracks, type TrackLayout } from './lay-tracks.js';

/** A run that grew: each node after the first hangs on one before it, mostly on the one just made. */
const grown = fc
  .array(fc.record({ back: fc.integer({ min: 0, max: 12 }), far: fc.boolean() }), { maxLength: 120 })
  .map((steps) => {
    const nodes: GraphNode[] = [{ id: 'n0', seq: 1, at: 0 }];
    for (const { back, far } of steps) {
      const up = far ? Math.max(0, nodes.length - 1 - back) : nodes.length - 1;
      nodes.push({ id: `n${nodes.length}`, up, seq: nodes.length + 1, at: nodes.length });
    }
    return nodes;
  });

function tipsOf(nodes: readonly GraphNode[]): string[] {
  const parents = new Set(nodes.map(({ up }) => up));
  return nodes.flatMap(({ id }, index) => (parents.has(index) ? [] : [id])).toReversed();
}

/** Where an edge goes across: between its parent's row and its own, over the lanes from one to the other. */
function crossings({ nodes, row, lane }: TrackLayout): string[] {
  const found: string[] = [];
  for (const [index, { up }] of nodes.entries()) {
    if (up === undefined || lane[up] === lane[index]) continue;
    for (const [other, { up: above }] of nodes.entries()) {
      if (above === undefined || row[other] !== row[index] || lane[above] !== lane[other]) continue;
      if (lane[other]! > lane[up]! && lane[other]! < lane[index]! && other !== index)
        found.push(`${index} over ${other}`);
    }
  }
  return found;
}

describe('tracks', () => {
  it('give every node a place of its own, one row below its parent', () => {
    fc.assert(
      fc.property(grown, (nodes) => {
        const { row, lane, inRow, rows, lanes } = layTracks(nodes, tipsOf(nodes));
        expect(new Set(nodes.map((_, index) => `${row[index]} ${lane[index]}`)).size).toBe(nodes.length);
        for (const [index, { up }] of nodes.entries()) if (up !== undefined) expect(row[index]).toBe(row[up]! + 1);
        expect(inRow.flat().toSorted((a, b) => a - b)).toEqual(nodes.map((_, index) => index));
        expect(rows).toBe(Math.max(...row) + 1);
        expect(lanes).toBe(Math.max(...lane) + 1);
      }),
    );
  });

  it('never cross, and part to the right', () => {
    fc.assert(
      fc.property(grown, (nodes) => {
        const layout = layTracks(nodes, tipsOf(nodes));
        expect(crossings(layout)).toEqual([]);
        for (const [index, { up }] of nodes.entries())
          if (up !== undefined) expect(layout.lane[index]).toBeGreaterThanOrEqual(layout.lane[up]!);
      }),
    );
  });

  it('run straight to the tip that is named first', () => {
    fc.assert(
      fc.property(grown, (nodes) => {
        const tips = tipsOf(nodes);
        const layout = layTracks(nodes, tips);
        let at: number | undefined = layout.indexOf.get(tips[0]!);
        for (; at !== undefined; at = nodes[at]?.up) expect(layout.lane[at]).toBe(0);
      }),
    );
  });

  it('go straight where they went straight before, whatever is preferred since', () => {
    fc.assert(
      fc.property(grown, fc.nat(), (nodes, cut) => {
        const first = nodes.slice(0, 1 + (cut % nodes.length));
        const before = layTracks(first, tipsOf(first));
        const after = layTracks(nodes, tipsOf(nodes), before);
        for (const [index, heir] of before.heir.entries()) if (heir >= 0) expect(after.heir[index]).toBe(heir);
        expect(crossings(after)).toEqual([]);
      }),
    );
  });

  it('start anew where an ancestor is not on disk', () => {
    const layout = layTracks(
      [
        { id: 'a', seq: 1, at: 0 },
        { id: 'lost', seq: 5, at: 9, partial: true },
        { id: 'b', up: 1, seq: 6, at: 10 },
      ],
      ['b', 'a'],
    );
    expect([...layout.row]).toEqual([0, 0, 1]);
    expect([...layout.lane]).toEqual([0, 1, 1]);
  });

  it('are laid for five thousand nodes in step with how many they are', async () => {
    await expectTimeInStep((length) => {
      const nodes = Array.from({ length }, (_, index): GraphNode => ({
        id: `n${index}`,
        ...(index > 0 && { up: index % 25 === 0 ? Math.floor(index / 2) : index - 1 }),
        seq: index,
        at: index,
      }));
      const tips = tipsOf(nodes);
      const layout = layTracks(nodes, tips);
      expect(tips.length).toBeGreaterThan(length / 28);
      expect(layout.lanes).toBeLessThanOrEqual(tips.length);
    }, 5000);
  });
});
