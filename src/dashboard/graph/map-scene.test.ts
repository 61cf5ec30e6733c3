import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laneGap, opened, xOf } from './camera.js';
import { layTracks } from './lay-tracks.js';
import { wordsBeside, wordsRoom } from './map-scene.js';

describe('the room for the words of a step', () => {
  it('ends at the edge of the map as it is opened, with all that is said in it, also on a narrow screen', () => {
    fc.assert(
      fc.property(fc.integer({ min: 320, max: 2000 }), fc.integer({ min: 1, max: 30 }), (width, length) => {
        const line = Array.from({ length }, (_, index) => ({
          id: `n${index}`,
          ...(index > 0 && { up: index - 1 }),
          seq: index,
          at: index,
        }));
        const branch = { id: 'b', up: 0, seq: length, at: length };
        const layout = layTracks([...line, branch], [`n${length - 1}`, 'b']);
        const size = { width, height: 300 };
        const camera = opened(layout, size);
        for (const node of layout.nodes.keys()) {
          const x = xOf(camera, layout.lane[node] ?? 0) + wordsBeside;
          if (x > width - 80) continue;
          const room = wordsRoom({ layout, camera, size }, { node, right: Infinity });
          expect(x + room).toBeLessThanOrEqual(width);
          expect(room).toBeGreaterThanOrEqual(72);
        }
      }),
    );
  });

  it('goes on behind the edge where next to nothing of it would be left', () => {
    const layout = layTracks([{ id: 'a', seq: 0, at: 0 }], ['a']);
    const camera = { zoom: 0.9, x: 300, y: 34, stretch: 1 };
    const room = wordsRoom({ layout, camera, size: { width: 360, height: 300 } }, { node: 0, right: Infinity });
    expect(room).toBe(laneGap(0.9) - wordsBeside - 14);
  });
});
