import { expect, it } from 'vitest';
import { previewText } from './preview-text.js';

it.each([
  [[202], '  expects 202'],
  [['2xx', 404], '  expects 2xx or 404'],
  ['status < 300', '  expects status < 300'],
])('%j is told as a person says it', (expected, line) => {
  const step = { path: 'use', title: 'Use', kind: 'run', run: 'shop addPet', expect: expected };
  expect(previewText(step).split('\n')).toContain(line);
});
