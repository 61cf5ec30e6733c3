import fc from 'fast-check';
import { isJsonObject, type JsonValue } from '../../src/base/json-value.js';
import type { JsonPatch, PatchOperation } from '../../src/base/patch/json-patch.js';
import { pointerTo } from '../../src/base/patch/json-pointer.js';
import { naivelyPatched } from './naive-patch.js';

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'id') },
  fc.constantFrom('', '-', '0', '1', '01', 'a/b', 'm~n', '~1', 'length', 'é😀'),
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON'),
);

const scalar = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, 1, -1, 1e21, 0.1, '', 'a', 'aé😀\n', '__proto__'),
  fc.string({ maxLength: 6 }),
);

/** Made as JSON is read: `__proto__` is a member like any other. */
export const { value: anyJson } = fc.letrec<{ readonly value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

interface Choice {
  readonly op: PatchOperation['op'];
  readonly from: number;
  readonly to: number;
  readonly key: string;
  readonly twist: number;
  readonly value: JsonValue;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  op: fc.constantFrom('add', 'add', 'add', 'remove', 'replace', 'move', 'move', 'copy', 'test'),
  from: fc.nat(),
  to: fc.nat(),
  key,
  twist: fc.nat(99),
  value: anyJson,
});

/** The way to everything in a value, itself included. */
function pathsIn(value: JsonValue, path: readonly string[] = []): readonly (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, one]) => pathsIn(one, [...path, name]))];
}

function valueUnder(value: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>(
    (inner, name) => Object.entries(inner as object).find(([one]) => one === name)![1],
    value,
  );
}

/** An operation that mostly fits what is there: one of forty names a place that is not, or is none. */
function operationFor(document: JsonValue, { op, from, to, key: name, twist, value }: Choice): PatchOperation {
  const paths = pathsIn(document);
  const at = (pick: number): readonly string[] => paths[pick % paths.length]!;
  const beside = (pick: number): readonly string[] => {
    const path = at(pick);
    const found = valueUnder(document, path);
    if (Array.isArray(found)) return [...path, twist % 3 === 0 ? '-' : String(to % (found.length + 1))];
    return isJsonObject(found) ? [...path, name] : path;
  };
  const broken = twist < 2 ? '/none' : twist < 3 ? '/x' : '';
  const path = pointerTo(op === 'remove' || op === 'replace' || op === 'test' ? at(to) : beside(to)) + broken;
  switch (op) {
    case 'move':
    case 'copy':
      return { op, from: pointerTo(at(from)), path };
    case 'remove':
      return { op, path };
    case 'test':
      return { op, path, value: broken === '' && twist < 95 ? valueUnder(document, at(to)) : value };
    case 'add':
    case 'replace':
      return { op, path, value };
  }
}

/** Patches one after the other, each for the document that those before it leave. What does not apply changes nothing. */
export const documentAndPatches: fc.Arbitrary<{
  readonly document: JsonValue;
  readonly patches: readonly JsonPatch[];
}> = fc
  .tuple(anyJson, fc.array(fc.array(choice, { maxLength: 6 }), { minLength: 1, maxLength: 5 }))
  .map(([document, all]) => {
    let standing = document;
    const patches = all.map((choices) => {
      const patch: PatchOperation[] = [];
      let value: JsonValue | undefined = standing;
      for (const one of choices) {
        if (value === undefined || JSON.stringify(value).length > 20_000) break;
        patch.push(operationFor(value, one));
        value = naivelyPatched(value, patch.slice(-1));
      }
      if (value !== undefined) standing = value;
      return patch;
    });
    return { document, patches };
  });
