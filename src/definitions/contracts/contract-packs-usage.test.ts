import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json-value.js';
import { readUsage } from '../../base/usage.js';
import { packContract } from './contract-packs.js';
import { checkArtifact } from './output-contract.js';

const contract = packContract('wr.contracts.usage', false)!;

const value = fc.oneof(
  fc.nat(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e6, 1e12, 1e12 + 1, 0, -1, 1.5, 1e6 + 0.5),
  fc.constantFrom('', 'm', '7', 'm'.repeat(200), 'm'.repeat(201), '\u{1F600}'.repeat(200), null, true, [], {}),
);
const field = fc.constantFrom(
  'model',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'costUsd',
  'input_tokens',
  'constructor',
);

it('what counts as usage is what its contract accepts', () => {
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(field, value), { selector: ([name]) => name, maxLength: 3 }), (fields) => {
      const artifact = { kind: 'wr.usage', ...Object.fromEntries(fields) } as JsonObject;
      const isTaken = readUsage(artifact) !== undefined;
      expect(checkArtifact(contract, artifact).length === 0).toBe(isTaken);
      if (isTaken) taken += 1;
      else refused += 1;
    }),
    { numRuns: 500 },
  );
  expect(Math.min(taken, refused)).toBeGreaterThan(20);
});
