import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { laneColour, laneColours } from '../../src/dashboard/timeline/lane-colour.js';

const tokens = readFileSync(new URL('../../src/dashboard/style/tokens.css', import.meta.url), 'utf8');
const [light = '', dark = ''] = tokens.split('@media (prefers-color-scheme: dark)');
const token = (css: string, name: string): string => new RegExp(`${name}: (#[0-9a-f]+);`, 'u').exec(css)?.[1] ?? '';

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/gu, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

describe.each([
  ['light', light],
  ['dark', dark],
])('the lanes on %s paper', (_, css) => {
  const all = [undefined, ...Array.from({ length: laneColours }, (__, lane) => lane)].map((lane) =>
    token(css, laneColour(lane)),
  );

  it('have a colour each, and can be told from the paper and from a block', () => {
    expect(new Set(all).size).toBe(laneColours + 1);
    for (const colour of all) {
      expect(contrast(colour, token(css, '--paper')), colour).toBeGreaterThanOrEqual(4.5);
      expect(colour).not.toBe(token(css, '--grave'));
    }
  });
});

it('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#fff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
