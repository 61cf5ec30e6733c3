import { expect, it } from 'vitest';
import { styleFor } from './style.js';

it('colours a terminal, and nothing where none are wanted', () => {
  expect(styleFor(true, {}).good('x')).toBe('\u001b[32mx\u001b[39m');
  expect(styleFor(true, { NO_COLOR: '' }).good('x')).not.toBe('x');
  expect(
    [styleFor(false, {}), styleFor(true, { NO_COLOR: '1' }), styleFor(true, { TERM: 'dumb' })].map(({ good }) =>
      good('x'),
    ),
  ).toEqual(['x', 'x', 'x']);
});
