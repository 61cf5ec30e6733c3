import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.js';
import type { JsonValue } from '../../src/base/json-value.js';
import { limits } from '../../src/base/limits.js';
import { applyPatch } from '../../src/base/patch/apply-patch.js';
import { jsonDifference } from '../../src/base/patch/json-difference.js';
import { type JsonPatch, readPatch } from '../../src/base/patch/json-patch.js';
import { parsePointer } from '../../src/base/patch/json-pointer.js';
import { type LiveDocument, openDocument } from '../../src/base/patch/live-document.js';
import { naivelyPatched } from '../worlds/naive-patch.js';
import { anyJson, documentAndPatches } from '../worlds/patch-generators.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const namesOfObjects = Object.getOwnPropertyNames(Object.prototype).toSorted();

function opened(value: JsonValue): LiveDocument {
  const document = openDocument(value);
  if (!document.ok) throw new Error(document.error.message);
  return document.value;
}

/** What a patch made, or what was there where it did not apply; null is a document too. */
const orElse = (made: JsonValue | undefined, before: JsonValue): JsonValue => (made === undefined ? before : made);

/** Every array and object in a value, each as often as it is met. */
function containersIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}

function expectPlain({ value, bytes }: LiveDocument, patches: readonly JsonPatch[]): void {
  expect(bytes).toBe(Buffer.byteLength(JSON.stringify(value)));
  const mine = containersIn(value);
  const sent = new Set(containersIn(patches));
  const strange = mine.filter(
    (one) => sent.has(one) || Object.getPrototypeOf(one) !== (Array.isArray(one) ? Array.prototype : Object.prototype),
  );
  expect(strange).toEqual([]);
  expect(new Set(mine).size).toBe(mine.length);
  expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(namesOfObjects);
}

test(
  'a patch does what a naive one on copies does, or nothing; taken back, every byte is as before; nothing is shared',
  () => {
    const seen = { applied: 0, refused: 0, unchanged: 0 };
    fc.assert(
      fc.property(documentAndPatches, ({ document, patches }) => {
        const live = opened(document);
        const given = JSON.stringify(patches);
        let standing = document;
        for (const patch of patches) {
          const before = JSON.stringify(live.value);
          const wanted = naivelyPatched(standing, patch);
          const first = applyPatch(live, patch);
          expect(first.ok).toBe(wanted !== undefined);
          if (!first.ok) {
            seen.refused += 1;
            const { operation = -1, place, pointer, message, action } = first.error;
            expect(patch[operation]).toBeDefined();
            expect(place).toMatch(new RegExp(`^/${operation}/(?:path|from|value)$`, 'u'));
            expect(parsePointer(pointer).ok).toBe(true);
            expect([message, action].every((text) => text.length > 5 && text.length < 600)).toBe(true);
          } else {
            seen[first.value.changed ? 'applied' : 'unchanged'] += 1;
            if (!first.value.changed) expect(JSON.stringify(live.value)).toBe(before);
            expectPlain(live, patches);
            first.value.undo();
          }
          expect(JSON.stringify(live.value)).toBe(before);
          expectPlain(live, patches);
          // What was taken back or refused leaves nothing that a second try would meet.
          const again = applyPatch(live, patch);
          expect(again.ok).toBe(first.ok);
          standing = orElse(wanted, standing);
          expect(canonicalJson(live.value)).toBe(canonicalJson(standing));
          expectPlain(live, patches);
        }
        expect(JSON.stringify(patches)).toBe(given);
      }),
      runs(2000),
    );
    console.log(seen);
    expect(Math.min(seen.applied, seen.refused, seen.unchanged)).toBeGreaterThan(20);
  },
  patience,
);

test(
  'what differs between two documents makes the one of the other, is read as a patch, and is nothing where they are equal',
  () => {
    const pair = fc.oneof(
      fc.tuple(anyJson, anyJson),
      documentAndPatches.map(({ document, patches }): readonly [JsonValue, JsonValue] => [
        document,
        patches.reduce((value, patch) => orElse(naivelyPatched(value, patch), value), document),
      ]),
      fc
        .tuple(fc.array(anyJson, { maxLength: 30 }), fc.array(fc.nat(40), { maxLength: 30 }))
        .map(([items, picks]): readonly [JsonValue, JsonValue] => [items, picks.flatMap((at) => items[at] ?? [])]),
    );
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const difference = jsonDifference(before, after);
        expect(readPatch([...difference])).toEqual({ ok: true, value: difference });
        const live = opened(before);
        const applied = applyPatch(live, difference);
        expect(applied).toMatchObject({ ok: true, value: { changed: difference.length > 0 } });
        expect(canonicalJson(live.value)).toBe(canonicalJson(after));
        expect(difference.length === 0).toBe(canonicalJson(before) === canonicalJson(after));
        expect(difference.length).toBeLessThanOrEqual(limits.patchOperations);
      }),
      runs(2000),
    );
  },
  patience,
);
