import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type BareLookup, bareLookups } from './bare-lookups.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isOurs = (file: string): boolean =>
  file.startsWith(join(root, 'src')) && !file.endsWith('.test.ts') && !file.endsWith('.test.tsx');

/** Each with why no name of others gets there. */
const reasons: { readonly [why: string]: readonly string[] } = {
  'it has asked': [
    'src/base/own.ts: object[name as string]',
    'src/definitions/contracts/schema-references.ts: (at as JsonObject)[key]',
    'src/definitions/source/shape-findings.ts: (value as { readonly [key: string | number]: JsonValue })[step]',
    'src/definitions/workrail-json/workrail-part.ts: part.value[key]',
    'src/definitions/workrail-json/workrail-conditions.ts: operators[key]',
  ],
  'the name is one of the keys of that object': [
    'src/base/plain-copy.ts: (value as Record<string, unknown>)[key]',
    'src/definitions/compiled/schema-parts.ts: def.shape[key]',
    'src/definitions/expression/expression-values.ts: a[key]',
    'src/definitions/source/source-reporter.ts: holder[field]',
    'src/definitions/source/source-reporter.ts: holder[name]',
    "src/definitions/source/workflow-schema.ts: (schema['$defs'] as JsonObject)[name]",
    'src/definitions/workrail-json/workrail-blocks.ts: blocks.value[key]',
  ],
  'the name stands in our source': [
    'src/contract/openapi-document.ts: paths[route.path]',
    'src/contract/parse-request.ts: request[field]',
    'src/contract/preview-text.ts: step[field]',
    'src/definitions/check/check-step.ts: source[field]',
    'src/definitions/check/check-texts.ts: source[field]',
    'src/definitions/compiled/schema-parts.ts: value[key]',
    'src/definitions/contracts/metered-validator.ts: ajv.RULES.all[keyword]',
    'src/events/json-test.ts: (value as { readonly [key: string]: unknown })[key]',
    'src/log/reading/snapshot.ts: state[name]',
    'src/machine/data-roots.ts: env[name]',
    'src/machine/data-roots.ts: env[windowsName]',
    'src/render/tell-value.ts: value[field]',
  ],
  'it asks for the names of every object': ['src/definitions/contracts/schema-work.ts: key in Object.prototype'],
};
const allowed = Object.values(reasons).flat();

const told = ({ file, text }: BareLookup): string => `${relative(root, file)}: ${text}`;

test('nothing is looked up in a plain object by a name of others, but through `own`', { timeout: 120_000 }, () => {
  const found = ['tsconfig.json', 'src/dashboard/tsconfig.json']
    .flatMap((config) => bareLookups(join(root, config), isOurs))
    .filter((one, at, all) => all.findIndex((other) => told(other) === told(one)) === at);
  expect(found.map(told).filter((one) => !allowed.includes(one))).toEqual([]);
  expect(allowed.filter((one) => !found.map(told).includes(one))).toEqual([]);
});

test('a bare lookup is found, one that asks first is not', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'));
  try {
    writeFileSync(
      join(folder, 'planted.ts'),
      `export function planted(table: { readonly [name: string]: number }, name: string, known: 'a' | 'b') {
        const asked = Object.hasOwn(table, name) ? table[name] : undefined;
        return [asked, table[known], table['a'], [1][0]];
      }
      export const bare = (held: { readonly [name: string]: number }, name: string) => [held[name], name in held];
      export const written = (held: { [name: string]: number }, name: string): void => void (held[name] = 1);`,
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      '{"compilerOptions":{"strict":true,"target":"es2022","lib":["es2022"],"types":[]}}',
    );
    const found = bareLookups(join(folder, 'tsconfig.json'), (file) => file.includes('planted'));
    expect(found.map(({ line, text }) => [line, text])).toEqual([
      [5, 'held[name]'],
      [5, 'name in held'],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
