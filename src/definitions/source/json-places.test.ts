import fc from 'fast-check';
import { LineCounter, parseDocument } from 'yaml';
import { expect, it } from 'vitest';
import { expectTimeInStep } from '../../../property-tests/worlds/time-in-step.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { jsonPlaces } from './json-places.js';
import type { SourcePath } from './source-path.js';
import { sourcePlaces } from './source-places.js';

function* pathsIn(value: JsonValue, path: SourcePath = []): Generator<SourcePath> {
  yield path;
  yield [...path, 'no such key'];
  if (Array.isArray(value))
    for (const [at, item] of (value as readonly JsonValue[]).entries()) yield* pathsIn(item, [...path, at]);
  else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) yield* pathsIn(item, [...path, key]);
}

const text = fc.oneof(fc.string(), fc.constantFrom('a"b\\', ']}', '{"a": [', '\n\t', 'a/b~c', '🙂', 'word'));
const json = fc.letrec<{ value: JsonValue; object: JsonValue }>((tie) => ({
  object: fc.dictionary(
    text.filter((key) => key !== '__proto__'),
    tie('value'),
    { maxKeys: 4 },
  ) as fc.Arbitrary<JsonValue>,
  value: fc.oneof(
    { maxDepth: 4 },
    text as fc.Arbitrary<JsonValue>,
    fc.constantFrom<JsonValue>(null, true, -1.5e-7, 12),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }) as fc.Arbitrary<JsonValue>,
  ),
})).object;

it('finds every value where a YAML parser finds it', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 1, 2, '\t'), (value, indent) => {
      const source = JSON.stringify(value, null, indent);
      const lines = new LineCounter();
      const document = parseDocument(source, { lineCounter: lines, uniqueKeys: false });
      // Tabs and odd keys that YAML itself cannot take are no matter of places.
      fc.pre(document.errors.length === 0);
      const [ours, theirs] = [jsonPlaces(source), sourcePlaces(source, lines, document)];
      for (const path of pathsIn(value)) {
        expect(ours(path), JSON.stringify(path)).toEqual(theirs(path));
        expect(ours(path, 'key'), `key of ${JSON.stringify(path)}`).toEqual(
          path.length === 0 || path.at(-1) === 'no such key' ? expect.anything() : theirs(path, 'key'),
        );
        expect(ours(path, { text: 'word' })).toEqual(theirs(path, { text: 'word' }));
      }
    }),
    { numRuns: 300 },
  );
});

it('places a file of a megabyte in step with its size', async () => {
  await expectTimeInStep((steps) => {
    const source = JSON.stringify(
      { steps: Array.from({ length: steps }, (_, at) => ({ id: `step-${at}`, prompt: 'x "y" \\ {z} '.repeat(15) })) },
      null,
      2,
    );
    const place = jsonPlaces(source);
    for (let at = 0; at < steps; at += 1) place(['steps', at, 'prompt'], 'key');
    expect(place(['steps', steps - 1, 'prompt'])).toMatchObject({ line: 4 * steps + 1 });
  }, 4000);
});
