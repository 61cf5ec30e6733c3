import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentOfSchemas, withPlainNames } from '../../property-tests/worlds/openapi-documents.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { type OpenDocument, openDocument } from './open-document.js';
import { operationFrom } from './operation-index.js';

const opened = (value: JsonValue): OpenDocument => {
  const found = openDocument({
    value,
    file: '',
    otherFile: () => ({ ok: false, error: 'none' }),
    placeIn: () => undefined,
  });
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
};

function fromIndex(document: OpenDocument, at: number) {
  const { operations, definitions } = document.index();
  const byName = new Map(definitions);
  return operationFrom(operations[at]!, (name) => byName.get(name));
}

it('an operation is the same from its document and from the index of it', () => {
  fc.assert(
    fc.property(documentOfSchemas, (value) => {
      const document = opened(value);
      expect(withPlainNames(fromIndex(document, 0))).toEqual(withPlainNames(document.operation('x')!));
    }),
  );
});

const text = (length: number): JsonObject => ({ type: 'string', description: 'x'.repeat(length) });
const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const withSchemas = (schemas: JsonObject): JsonValue => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/x': {
      post: {
        operationId: 'x',
        requestBody: { content: { 'application/json': { schema: { properties: { a: to('Big'), b: to('Small') } } } } },
        responses: {},
      },
    },
  },
  components: { schemas },
});

it('a definition for which there is no room is named, and brings none of those it refers to', () => {
  const document = opened(
    withSchemas({ Big: { ...text(1_100_000), properties: { far: to('Far') } }, Small: text(5), Far: text(5) }),
  );
  for (const operation of [document.operation('x')!, fromIndex(document, 0)])
    expect([Object.keys(operation.definitions), operation.leftOut]).toEqual([['Small'], ['Big']]);
});

it('a text that looks like a reference brings nothing', () => {
  const document = opened(
    withSchemas({ Big: { enum: ['#/$defs/Far'], examples: [{ $ref: '#/$defs/Far' }] }, Small: text(1), Far: text(1) }),
  );
  expect(Object.keys(fromIndex(document, 0).definitions)).toEqual(['Big', 'Small']);
});
