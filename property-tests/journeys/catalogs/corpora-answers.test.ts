import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json-value.js';
import { operationAnswersOf } from '../../../src/catalogs/operation-answers-of.js';
import type { Operation } from '../../../src/catalogs/openapi-catalog.js';
import { answerSchemas } from '../../../src/definitions/check/answer-schemas.js';
import { answerType } from '../../../src/definitions/check/answer-type.js';
import { inferType } from '../../../src/definitions/check/infer-type.js';
import type { KnownType, TypeProblem } from '../../../src/definitions/check/known-type.js';
import { expressionTree } from '../../../src/definitions/expression/expression-tree.js';
import { indexInMemory } from '../../../src/library/catalog-index-file.js';
import { readDocument } from '../../../src/library/read-document.js';
import { corpora, filesOf } from '../../worlds/corpora.js';

const folder = join(corpora, 'openapi');
const parts = /petstore-separate|SOURCE\.md$/u;
const names = filesOf('openapi').flatMap((file) => (parts.test(file) ? [] : [file.slice(folder.length + 1)]));

/** How many fields of a document are read misspelt. */
const atLeast: ReadonlyMap<string, number> = new Map([
  ['discord.json', 7000],
  ['gitea-2.0.json', 17_000],
  ['github.json', 44_000],
  ['kubernetes.json', 88_000],
  ['slack.json', 1300],
]);

/** A field that the document declares, and whether all that it says of its holder is that list of fields. */
interface Declared {
  readonly holder: string;
  readonly name: string;
  readonly siblings: readonly string[];
  readonly isPlain: boolean;
}

const saysMore = /Properties$|^(?:allOf|oneOf|anyOf|items|discriminator|if)$/u;

/** Every declared field of an answer, each schema looked at on the first way that leads to it; naive on purpose. */
function declaredIn(schemas: readonly JsonValue[], { definitions }: Operation): readonly Declared[] {
  const found: Declared[] = [];
  const seen = new Set<JsonValue>();
  const different = new Set(schemas.map((schema) => JSON.stringify(schema)));
  const waiting = schemas.map((schema) => ({ schema, at: 'body', isPlain: different.size === 1 }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { schema, at, isPlain } = next;
    if (!isJsonObject(schema) || seen.has(schema) || at.length > 300) continue;
    seen.add(schema);
    const { $ref: ref, properties, items, allOf, oneOf, anyOf } = schema;
    if (typeof ref === 'string') waiting.push({ schema: definitions[ref.replace('#/$defs/', '')]!, at, isPlain });
    for (const part of [allOf, oneOf, anyOf].flat())
      if (part !== undefined) waiting.push({ schema: part, at, isPlain: false });
    if (isJsonObject(items ?? null)) waiting.push({ schema: items!, at: `${at}[0]`, isPlain });
    if (!isJsonObject(properties ?? null)) continue;
    const fields = Object.entries(properties as JsonObject);
    const saysNoMore = !Object.entries(schema).some(([key, one]) => saysMore.test(key) && one !== false);
    const siblings = fields.map(([name]) => name);
    for (const [name, field] of fields) {
      found.push({ holder: at, name, siblings, isPlain: isPlain && saysNoMore });
      waiting.push({ schema: field, at: `${at}[${JSON.stringify(name)}]`, isPlain: isPlain && saysNoMore });
    }
  }
  return found;
}

function problemsOf(source: string, body: KnownType): readonly TypeProblem[] {
  const tree = expressionTree(source);
  if (!tree.ok) return [];
  const found: TypeProblem[] = [];
  inferType(tree.value, { inputs: {}, context: {}, variables: { body } }, (problem) => found.push(problem));
  return found;
}

/** The same name with a letter in the middle of it taken for another. */
const misspelt = (name: string): string => {
  const at = Math.floor(name.length / 2);
  return `${name.slice(0, at)}${name[at] === 'q' ? 'x' : 'q'}${name.slice(at + 1)}`;
};

describe.each(names)('%s', (name) => {
  const read = readDocument({ file: join(folder, name) });
  if (!read.ok) return;
  const index = indexInMemory(read.value.index());
  const all = read.value.catalog.operations.flatMap(({ id }) => {
    const operation = index.operation(id)!;
    const found = operationAnswersOf(operation);
    const schemas = answerSchemas(found, undefined, false);
    if (schemas === undefined) return [];
    return [{ id, body: answerType(schemas, found.definitions), declared: declaredIn(schemas, operation) }];
  });

  it('has no field that is told as unknown', () => {
    const wrong = all.flatMap(({ id, body, declared }) =>
      declared.flatMap(({ holder, name: field }) =>
        problemsOf(`${holder}[${JSON.stringify(field)}]`, body).map(({ message }) => `${id} ${message}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('has every field of which it says no more told where a letter of it is another', () => {
    const misread: string[] = [];
    const silent = all.flatMap(({ id, body, declared }) =>
      declared.flatMap(({ holder, name: field, siblings, isPlain }) => {
        const other = misspelt(field);
        if (!isPlain || siblings.includes(other)) return [];
        misread.push(other);
        const [problem] = problemsOf(`${holder}[${JSON.stringify(other)}]`, body);
        return problem === undefined || (field.length > 5 && problem.closest === undefined) ? [`${id} ${other}`] : [];
      }),
    );
    expect(silent).toEqual([]);
    expect(misread.length).toBeGreaterThanOrEqual(atLeast.get(name) ?? 0);
  });
});
