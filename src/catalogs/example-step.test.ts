import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json-value.js';
import { exampleStep } from './example-step.js';
import { openDocument } from './open-document.js';

function exampleOf(operation: JsonObject, path = '/x', schemas: JsonObject = {}) {
  const value = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { [path]: { post: { operationId: 'do/thing', responses: {}, ...operation } } },
    components: { schemas },
  };
  const opened = openDocument({
    value,
    file: '',
    otherFile: () => ({ ok: false, error: 'none' }),
    placeIn: () => undefined,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return exampleStep('api', opened.value.operation('do/thing')!);
}

const parameter = (name: string, place: string, schema: JsonObject = { type: 'string' }, required = true) => ({
  name,
  in: place,
  required,
  schema,
});
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } }, required: true });

describe('an example of a step', () => {
  it('reads what is required from inputs of its type, and writes what leaves no choice', () => {
    const parameters = [
      parameter('id', 'path', { type: 'integer' }),
      parameter('id', 'query', { type: ['string', 'integer'] }),
      parameter('X-Id', 'header', { enum: ['a', 'b'] }),
      parameter('v', 'query', { const: 2 }),
      parameter('Authorization', 'header'),
      parameter('page', 'query', { type: 'integer' }, false),
    ];
    expect(exampleOf({ parameters }, '/x/{id}')).toEqual({
      inputs: {
        id: { type: 'integer', required: true },
        id_2: { type: 'string', required: true },
        X_Id: { type: 'string', required: true, enum: ['a', 'b'] },
      },
      step: {
        id: 'do_thing',
        run: 'api do/thing',
        with: {
          'path.id': '${{ inputs.id }}',
          'query.id': '${{ inputs.id_2 }}',
          'X-Id': '${{ inputs.X_Id }}',
          v: 2,
        },
      },
    });
  });

  it.each([
    [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, 'string'],
    [
      {
        anyOf: [
          { type: 'number', minimum: 1 },
          { type: 'string', enum: ['all'] },
        ],
      },
      'string',
    ],
    [{ anyOf: [{ type: 'null' }, { type: 'string' }, { type: 'integer' }] }, 'string'],
    [{ oneOf: [{ type: 'integer' }, { type: ['string', 'number'] }] }, 'string'],
    [{ type: ['integer', 'string', 'null'] }, 'string'],
    [{ type: ['integer', 'array'] }, 'any'],
    [{ oneOf: [{ type: 'integer' }, { type: 'integer', minimum: 1 }] }, 'integer'],
    [{ oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'integer'],
    [{ oneOf: [{ type: 'integer' }, {}] }, 'integer'],
  ])('reads what is %j from an input of type %s', (schema, type) => {
    const { inputs, step } = exampleOf({ parameters: [parameter('n', 'query', schema)] });
    expect(inputs).toEqual({ n: { type, required: true } });
    expect(step['with']).toEqual({ n: '${{ inputs.n }}' });
  });

  it('leaves to its author what has parts and may be null', () => {
    const checks = { type: ['object', 'null'], required: ['strict'], properties: { strict: { type: 'boolean' } } };
    const either = { anyOf: [{ type: 'object', required: ['a'], properties: { a: {} } }, { type: 'null' }] };
    const properties = { checks, either, admins: { type: ['boolean', 'null'] } };
    const required = ['checks', 'either', 'admins'];
    expect(exampleOf({ requestBody: json({ type: 'object', required, properties }) })).toMatchObject({
      inputs: { admins: {} },
      step: { body: { checks: null, either: null, admins: '${{ inputs.admins }}' } },
    });
  });

  it('names the file of a command that takes one', () => {
    const upload = { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } };
    expect(exampleOf({ requestBody: upload }).step).toMatchObject({ body: { file: '${{ inputs.file }}' } });
    const photos = { type: 'array', items: { type: 'string', format: 'binary' } };
    const form = { schema: { type: 'object', required: ['photos'], properties: { photos } } };
    expect(exampleOf({ requestBody: { content: { 'multipart/form-data': form }, required: true } }).step).toMatchObject(
      {
        body: { photos: [{ file: '${{ inputs.photos }}' }] },
      },
    );
  });

  it('has of a body what it requires, however deep, past references and in the first of its forms', () => {
    const schemas = {
      Base: { type: 'object', required: ['kind'], properties: { kind: { const: 'pet' }, at: { readOnly: true } } },
      Owner: {
        type: 'object',
        required: ['name', 'tags'],
        properties: { tags: { type: 'array', items: { type: 'integer' } } },
      },
    };
    const requestBody = json({
      allOf: [{ $ref: '#/components/schemas/Base' }],
      required: ['owner', 'parts', 'free', 'at'],
      properties: {
        owner: { $ref: '#/components/schemas/Owner' },
        parts: { type: 'array', items: { required: ['n'], properties: { n: { type: 'number' } } } },
        free: { type: 'object' },
      },
      oneOf: [{ type: 'null' }, { required: ['form'] }, { required: ['other'] }],
    });
    const { step, inputs } = exampleOf({ requestBody }, '/x', schemas);
    expect(step['body']).toEqual({
      kind: 'pet',
      form: '${{ inputs.form }}',
      owner: { name: '${{ inputs.name }}', tags: '${{ inputs.tags }}' },
      parts: [{ n: '${{ inputs.n }}' }],
      free: '${{ inputs.free }}',
    });
    expect(inputs['tags']).toEqual({ type: 'array', items: { type: 'integer' }, required: true });
    expect(inputs['free']).toEqual({ type: 'object', required: true });
  });

  it('names the content where several are taken and none is JSON, and files by their path', () => {
    const form = {
      type: 'object',
      required: ['photo'],
      properties: { photo: { type: 'string', format: 'binary', description: 'A photo.\nOf you.' } },
    };
    const requestBody = { content: { 'multipart/form-data': { schema: form }, 'text/plain': {} }, required: true };
    const { step, inputs } = exampleOf({ requestBody });
    expect(step).toMatchObject({ body: { photo: { file: '${{ inputs.photo }}' } }, content: 'multipart/form-data' });
    expect(inputs['photo']).toEqual({ type: 'string', required: true, description: 'A photo.' });
    const bytes = { content: { 'application/octet-stream': {} }, required: true };
    expect(exampleOf({ requestBody: bytes }).step).toMatchObject({ body: { file: '${{ inputs.file }}' } });
    expect(exampleOf({ requestBody: { content: { 'application/xml': {} }, required: true } }).step['body']).toBe(
      '${{ inputs.body }}',
    );
    expect(exampleOf({ requestBody: { content: { 'application/json': {} } } }).step).not.toHaveProperty('body');
  });

  it('fills in nothing of a document that would be read as a hole', () => {
    const evil = { const: '${{ secrets.KEY }}', description: '${{ secrets.KEY }}' };
    const { step, inputs } = exampleOf({ requestBody: json({ required: ['a'], properties: { a: evil } }) });
    expect(JSON.stringify({ step, inputs })).not.toContain('secrets');
  });

  it('ends where a schema requires itself', () => {
    const Node = { required: ['next'], properties: { next: { $ref: '#/components/schemas/Node' } } };
    const { step } = exampleOf({ requestBody: json({ $ref: '#/components/schemas/Node' }) }, '/x', { Node });
    expect(JSON.stringify(step)).toContain('${{ inputs.next }}');
  });
});
