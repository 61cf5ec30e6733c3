import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { providerOf } from './provider-of.js';

const of = (schema: JsonValue, more: JsonObject = {}, definitions: JsonObject = {}) =>
  providerOf({
    method: 'GET',
    path: '/x',
    safety: 'safe',
    parameters: [],
    answers: [{ status: '200', description: '', headers: [], content: [{ type: 'application/json', schema }] }],
    definitions: { ...definitions },
    ...more,
  } as Parameters<typeof providerOf>[0]);

const list = (items: JsonValue): JsonObject => ({ type: 'array', items });
const thing = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

describe('what offers choices', () => {
  it('is a list, in itself or where lists usually are', () => {
    expect(of(list(text))).toEqual({ items: 'body', fields: [], required: [] });
    expect(of(thing({ other: list(text), items: list(thing({ id: text })), count: text }))?.items).toBe('body.items');
    expect(of(thing({ repos: list(text) }))?.items).toBe('body.repos');
    expect(of(thing({ a: list(text), b: list(text) }))).toBeUndefined();
    expect(of(thing({ repos: list(text) }), { path: '/x/{id}' })).toBeUndefined();
    expect(of(thing({ 'no-name': list(text), in: list(text) }))).toBeUndefined();
    expect(of({ $ref: '#/$defs/A' }, {}, { A: { allOf: [{ type: ['array', 'null'], items: text }] } })?.items).toBe(
      'body',
    );
  });

  it('is chosen by what names it and is always there', () => {
    const fields = (item: JsonObject) => of(list(item))?.fields;
    expect(fields(thing({ size: { type: 'integer' }, id: text, name: text, tags: list(text) }))).toEqual([
      'name',
      'id',
      'size',
    ]);
    expect(fields(thing({ name: text, login: { type: ['string', 'null'] } }, ['login']))).toEqual(['login', 'name']);
    expect(fields(thing({ kind: text, metadata: thing({ name: text }) }))).toEqual(['metadata.name', 'kind']);
    expect(fields(thing({ nested: list(text) }))).toBeUndefined();
  });

  it('only reads, and says what it requires as a step gives it', () => {
    expect(of(list(text), { method: 'POST' })).toBeUndefined();
    expect(of(list(text), { body: { required: true, content: [] } })).toBeUndefined();
    const id = { name: 'id', required: true };
    const parameters = [
      { ...id, in: 'path' },
      { ...id, in: 'query' },
    ];
    expect(of(list(text), { parameters })?.required).toEqual(['path.id', 'query.id']);
  });
});
