import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { compileSource } from '../../../src/definitions/compile-source.js';
import { corpora, filesOf } from '../../worlds/corpora.js';
import { documentsOfSchema } from '../../worlds/schema-samples.js';
import { walkFolder } from '../../worlds/workrail-walks.js';

const told: string[] = [];
afterAll(() => console.log(told.join('\n')));

const isHere = (name: string): boolean => existsSync(join(corpora, name));

it.each(['workrail-workflows', 'jcs-rfc8785', 'workrail-format'])('%s is here to be tried', (name) => {
  expect(isHere(name), join(corpora, name)).toBe(true);
});

describe.runIf(isHere('workrail-workflows'))('real files of the WorkRail JSON format', () => {
  if (isHere('workrail-workflows'))
    walkFolder(join(corpora, 'workrail-workflows'), { largestMs: 30, contexts: 200 }, (line) => void told.push(line));
});

describe.runIf(isHere('jcs-rfc8785'))('the canonical form', () => {
  const files = filesOf('jcs-rfc8785');
  const pairs = files.flatMap((file): readonly (readonly [string, string, string])[] => {
    if (basename(dirname(file)) !== 'input' || !file.endsWith('.json')) return [];
    const output = join(dirname(dirname(file)), 'output', basename(file));
    return existsSync(output) ? [[basename(file), file, output]] : [];
  });
  test.each(pairs)('is that of %s, to the byte', (_, input, output) => {
    const ours = Buffer.from(canonicalJson(JSON.parse(readFileSync(input, 'utf8')) as JsonValue), 'utf8');
    expect(ours.toString('utf8')).toBe(readFileSync(output, 'utf8').replace(/\n$/u, ''));
  });

  test.each(pairs.map(([name, input]) => [name, input] as const))('of %s is that in UTF-8', (name, input) => {
    const bytes = readFileSync(join(corpora, 'jcs-rfc8785/outhex', name.replace('.json', '.txt')), 'utf8');
    const ours = Buffer.from(canonicalJson(JSON.parse(readFileSync(input, 'utf8')) as JsonValue), 'utf8');
    expect(ours.toString('hex')).toBe(bytes.replaceAll(/\s/gu, ''));
  });

  // Lines such as `4340000000000001,9007199254740994`: the bits of a double, and how it is written.
  const numbers = files.filter(
    (file) => /\.(?:txt|csv)$/u.test(file) && /^[0-9a-f]{1,16},-?\d/mu.test(readFileSync(file, 'utf8').slice(0, 4000)),
  );
  test.each(numbers.map((file) => [basename(file), file] as const))('writes each number of %s', (name, file) => {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, 200_000)
      .filter((line) => /^[0-9a-f]{1,16},\S/u.test(line));
    const wrong = lines.filter((line) => {
      const [bits = '', written = ''] = line.trim().split(',');
      const number = Buffer.from(bits.padStart(16, '0'), 'hex').readDoubleBE();
      return Number.isFinite(number) && canonicalJson(number) !== written;
    });
    told.push(`${name}: ${lines.length} numbers`);
    expect(wrong).toEqual([]);
  });

  it('was tried on something', () => {
    told.push(`canonical form: ${pairs.length} documents, ${numbers.length} lists of numbers`);
    expect(pairs.length + numbers.length).toBeGreaterThan(0);
  });
});

describe.runIf(isHere('workrail-format'))('the schema of the WorkRail JSON format', () => {
  const schemas = filesOf('workrail-format').filter((file) => file.endsWith('.schema.json'));
  test.each(schemas.map((file) => [basename(file), file] as const))(
    '%s names no field that the reader does not know',
    (name, file) => {
      const documents = documentsOfSchema(JSON.parse(readFileSync(file, 'utf8')) as JsonObject);
      const strange = documents.flatMap((document) => {
        const compilation = compileSource(JSON.stringify({ ...document, id: 'wr.sample' }), 'sample.json');
        const said = compilation.ok ? compilation.warnings : compilation.violations;
        return said
          .filter(
            ({ rule, message }) =>
              rule === 'unknown_key' || (rule === 'condition' && message.includes('is not an operator')),
          )
          .map(({ pointer, message }) => `${pointer}: ${message}`);
      });
      told.push(`${name}: ${documents.length} documents that use every field`);
      expect(new Set(strange)).toEqual(new Set());
    },
  );
});
