import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import type { JsonValue } from '../../../src/base/json-value.js';
import { applyPatch } from '../../../src/base/patch/apply-patch.js';
import { readPatch } from '../../../src/base/patch/json-patch.js';
import { openDocument } from '../../../src/base/patch/live-document.js';
import { filesOf } from '../../worlds/corpora.js';
import { naivelyPatched } from '../../worlds/naive-patch.js';

interface Case {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: JsonValue;
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

const cases = filesOf('json-patch')
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) =>
    (JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]).map((one, at) => ({
      ...one,
      name: `${basename(file)} ${at}: ${one.comment ?? one.error ?? ''}`,
    })),
  );

/** What the suite leaves to whoever implements it: a text as the whole document is fine, and so is a member that means nothing. */
const leftOpen: Readonly<Record<string, JsonValue | undefined>> = {
  'A.13 Invalid JSON Patch Document': undefined,
  'Toplevel scalar values OK?': 'bar',
  'Whole document': { foo: 1 },
  'duplicate ops': { baz: 'bar' },
};

function patched({ doc, patch }: Case): JsonValue | undefined {
  const document = openDocument(doc);
  const operations = readPatch(patch);
  if (!document.ok) throw new Error(document.error.message);
  const before = JSON.stringify(document.value.value);
  const applied = operations.ok ? applyPatch(document.value, operations.value) : operations;
  if (applied.ok) return document.value.value;
  expect(JSON.stringify(document.value.value)).toBe(before);
  expect(applied.error.message).toMatch(/\S/u);
  return undefined;
}

it('was tried on both suites', () => {
  for (const [name, least] of [
    ['spec_tests.json', 10],
    ['tests.json', 60],
  ] as const)
    expect(cases.filter((one) => one.name.startsWith(name)).length).toBeGreaterThanOrEqual(least);
});

it.each(cases.filter(({ disabled }) => disabled !== true))('$name', (one) => {
  const value = patched(one);
  if (one.error !== undefined) expect(value).toBeUndefined();
  else expect(value).toBeDefined();
  if (one.expected !== undefined && value !== undefined) expect(canonicalJson(value)).toBe(canonicalJson(one.expected));
  const operations = readPatch(one.patch);
  if (operations.ok) expect(naivelyPatched(one.doc, operations.value)).toEqual(value);
});

it('does what it says with records that the suite leaves open', () => {
  const open = cases.filter(({ disabled }) => disabled === true);
  expect(Object.fromEntries(open.map((one) => [one.comment, patched(one)]))).toEqual(leftOpen);
});
