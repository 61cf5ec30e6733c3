import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Camera,
  fitted,
  keeping,
  laneGap,
  rowGap,
  showing,
  within,
  xOf,
  yOf,
  zoomAt,
  zoomRange,
} from './camera.js';

const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const camera: fc.Arbitrary<Camera> = fc.record({
  zoom: number(zoomRange.least, zoomRange.most),
  x: number(-5000, 5000),
  y: number(-5000, 5000),
  stretch: number(1, 4),
});
const place = fc.record({ row: fc.nat(300), lane: fc.nat(200) });
const size = fc.record({ width: fc.integer({ min: 320, max: 2000 }), height: fc.integer({ min: 240, max: 1400 }) });
const extent = fc.record({ rows: fc.integer({ min: 1, max: 500 }), lanes: fc.integer({ min: 1, max: 300 }) });

describe('a camera', () => {
  it('keeps what lies under the pointer there while it zooms', () => {
    fc.assert(
      fc.property(camera, place, number(0.2, 5), (before, { row, lane }, factor) => {
        const at = { x: xOf(before, lane), y: yOf(before, row) };
        const after = zoomAt(before, factor, at);
        expect(xOf(after, lane)).toBeCloseTo(at.x, 3);
        expect(yOf(after, row)).toBeCloseTo(at.y, 3);
        expect(after.zoom).toBeGreaterThanOrEqual(zoomRange.least);
        expect(after.zoom).toBeLessThanOrEqual(zoomRange.most);
      }),
    );
  });

  it('shows rows and lanes further apart the nearer it is', () => {
    fc.assert(
      fc.property(
        number(zoomRange.least, zoomRange.most),
        number(zoomRange.least, zoomRange.most),
        number(1, 4),
        (a, b, stretch) => {
          const [far, near] = [Math.min(a, b), Math.max(a, b)];
          expect(rowGap({ zoom: far, stretch })).toBeLessThanOrEqual(rowGap({ zoom: near, stretch }));
          expect(laneGap(far)).toBeLessThanOrEqual(laneGap(near));
          expect(laneGap(far)).toBeGreaterThan(0);
        },
      ),
    );
  });

  it('keeps a place where it is on the screen when rows and lanes are counted anew', () => {
    fc.assert(
      fc.property(camera, place, place, (before, was, is) => {
        const after = keeping(before, was, is);
        expect(xOf(after, is.lane)).toBeCloseTo(xOf(before, was.lane), 3);
        expect(yOf(after, is.row)).toBeCloseTo(yOf(before, was.row), 3);
      }),
    );
  });

  it('brings a place into view, and does not move for one that is', () => {
    fc.assert(
      fc.property(camera, place, size, (before, where, screen) => {
        const after = showing(before, where, screen);
        expect(xOf(after, where.lane)).toBeGreaterThanOrEqual(0);
        expect(xOf(after, where.lane)).toBeLessThanOrEqual(screen.width);
        expect(yOf(after, where.row)).toBeGreaterThanOrEqual(0);
        expect(yOf(after, where.row)).toBeLessThanOrEqual(screen.height);
        const again = showing(after, where, screen);
        expect(Math.abs(again.x - after.x) + Math.abs(again.y - after.y)).toBeLessThan(0.01);
      }),
    );
  });

  it('never loses the run, and fits it whole where that can be', () => {
    fc.assert(
      fc.property(camera, extent, size, (before, run, screen) => {
        const { x, y } = within(before, run, screen);
        expect(x).toBeLessThanOrEqual(screen.width);
        expect(x + (run.lanes - 1) * laneGap(before.zoom)).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(screen.height);
        expect(y + (run.rows - 1) * rowGap(before)).toBeGreaterThanOrEqual(0);
        const whole = fitted(run, screen);
        if (whole.zoom > zoomRange.least * 1.01) {
          expect(xOf(whole, run.lanes - 1)).toBeLessThanOrEqual(screen.width);
          expect(yOf(whole, run.rows - 1)).toBeLessThanOrEqual(screen.height);
        }
      }),
    );
  });
});
