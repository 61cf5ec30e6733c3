import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { sentenceText } from '../base/sentence.js';
import { buildRequest } from './build-request.js';
import type { GivenCall } from './built-request.js';
import { openDocument } from './open-document.js';
import type { Operation } from './openapi-catalog.js';

const noFile = () => ({ ok: false, error: 'none' }) as const;

function operationOf(path: string, item: JsonObject, more: JsonObject = {}): Operation {
  const value: JsonValue = { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: { [path]: item }, ...more };
  const opened = openDocument({ value, file: '', otherFile: noFile, placeIn: () => undefined });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value.operation(opened.value.catalog.operations[0]!.id)!;
}

const baseUrl = 'https://api.example.com/v1/';
const built = (operation: Operation, call: Omit<GivenCall, 'baseUrl'>) => {
  const request = buildRequest(operation, { baseUrl, ...call });
  if (!request.ok) throw new Error(JSON.stringify(request.error));
  return request.value;
};
const wrong = (operation: Operation, call: Partial<GivenCall>) => {
  const request = buildRequest(operation, { baseUrl, ...call });
  return request.ok ? [] : request.error.map(({ path, rule, message }) => `${path} ${rule}: ${sentenceText(message)}`);
};

const parameter = (name: string, place: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: place,
  schema: { type: 'string' },
  ...(place === 'path' && { required: true }),
  ...more,
});

const item = operationOf('/items/{id}', {
  parameters: [parameter('id', 'path', { schema: { type: 'integer' } }), parameter('X-Trace', 'header')],
  get: {
    parameters: [
      parameter('id', 'query'),
      parameter('tags', 'query', { schema: { type: 'array' }, explode: false }),
      parameter('filter', 'query', { style: 'deepObject', schema: { type: 'object' } }),
      parameter('where', 'query', { content: { 'application/json': { schema: { type: 'object' } } }, schema: null }),
      parameter('session', 'cookie'),
      parameter('limit', 'query', {
        required: true,
        description: 'How many. At most 100.',
        schema: { type: 'integer' },
      }),
    ],
    responses: { 200: { description: 'ok', content: { 'text/csv': {}, 'application/json': {} } } },
  },
});

describe('a request', () => {
  it('has every parameter in its place', () => {
    const request = built(item, {
      with: {
        'path.id': 7,
        'query.id': 'a/b&c',
        tags: ['x', 'y,z'],
        filter: { size: { min: 1 }, any: ['q'] },
        where: { a: [1] },
        session: 'é',
        limit: '10',
        'x-trace': 't',
      },
    });
    expect(request).toEqual({
      method: 'GET',
      url:
        'https://api.example.com/v1/items/7?id=a%2Fb%26c&tags=x,y%2Cz&filter%5Bsize%5D%5Bmin%5D=1&filter%5Bany%5D%5B0%5D=q' +
        '&where=%7B%22a%22%3A%5B1%5D%7D&limit=10',
      headers: [
        ['accept', 'application/json'],
        ['x-trace', 't'],
        ['cookie', 'session=%C3%A9'],
      ],
    });
  });

  it('says everything that is wrong with what was given, and what it takes', () => {
    expect(
      wrong(item, { with: { id: 1, tgas: [], 'path.id': 'x', 'header.x-trace': ['a'], filter: 'no' }, body: {} }),
    ).toEqual([
      '/with/id ambiguous_parameter: `id` is in 2 places: write path.id or query.id',
      '/with/tgas unknown_parameter: `tgas` is not a parameter; did you mean `tags`?',
      '/with/path.id parameter_type: `path.id` takes a whole number, and a text was given',
      '/with/header.x-trace parameter_type: `header.x-trace` takes a text, and a list was given',
      '/with/filter parameter_type: `filter` takes an object, and a text was given',
      '/with/limit missing_parameter: `limit` is missing in the query; it takes a whole number: How many',
      '/body unexpected_body: the operation takes no body',
    ]);
  });

  it.each(['', 'ftp://x', 'https://user:pass@x', 'https://x/#a', '/v1', 'nonsense'])(
    'refuses %j as its base',
    (base) => {
      expect(wrong(item, { with: { 'path.id': 1, limit: 1 }, baseUrl: base })).toEqual([
        expect.stringContaining('/baseUrl'),
      ]);
    },
  );

  it('has nothing of what is null, empty or absent', () => {
    expect(
      built(item, { with: { 'path.id': 1, limit: 0, tags: [], 'query.id': null, filter: {}, session: null } }).url,
    ).toBe('https://api.example.com/v1/items/1?limit=0');
    expect(wrong(item, { with: { 'path.id': null, limit: 1 } })).toEqual([
      '/with/path.id missing_parameter: `path.id` is missing in the path; it takes a whole number',
    ]);
  });

  it('has no header or content type that would end its line', () => {
    const evil = 'application/json\r\nx-evil: 1';
    const operation = operationOf('/x', {
      post: {
        parameters: [parameter('x\r\ny', 'header')],
        requestBody: { content: { [evil]: {}, 'application/json': {} } },
        responses: { 200: { content: { [evil]: {} } } },
      },
    });
    expect([operation.parameters, operation.body?.content.map(({ type }) => type)]).toEqual([[], ['application/json']]);
    expect(built(operation, { body: 1 }).headers).toEqual([['content-type', 'application/json']]);
    expect(wrong(operation, { body: 1, content: evil })).toEqual([expect.stringContaining('/content')]);
  });

  it('takes what the path has of a query and leaves out what only tells it apart', () => {
    const operation = operationOf('/{Bucket}/{Key}.json?list-type=2#uploads', {
      parameters: [parameter('Bucket', 'path'), parameter('Key', 'path')],
      get: { parameters: [parameter('max', 'query')] },
    });
    expect(built(operation, { with: { Bucket: 'b', Key: 'a/ü', max: '1' } }).url).toBe(
      'https://api.example.com/v1/b/a%2F%C3%BC.json?list-type=2&max=1',
    );
  });

  it('lets a value fill several segments only where the document says so', () => {
    const path = '/files/{path}';
    const wide = operationOf(path, { get: { parameters: [parameter('path', 'path', { 'x-multi-segment': true })] } });
    expect(built(wide, { with: { path: 'a/b c' } }).url).toBe('https://api.example.com/v1/files/a/b%20c');
    expect(wrong(wide, { with: { path: 'a/../b' } })).toEqual([expect.stringContaining('lead to another path')]);
    const narrow = operationOf(path, { get: {} });
    expect(built(narrow, { with: { path: 'a/../b' } }).url).toBe('https://api.example.com/v1/files/a%2F..%2Fb');
    for (const dots of ['.', '..']) expect(wrong(narrow, { with: { path: dots } })).toHaveLength(1);
    expect(wrong(narrow, { with: { path: '' } })).toEqual([expect.stringContaining('would change the path')]);
  });

  it('never leaves its host or its path, whatever is filled in', () => {
    const operation = operationOf('/a/{x}/b/{y}', { get: { parameters: [parameter('q', 'query')] } });
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '\udc00x', '.', '%2e%2e', '/../', '//evil', '?', '#', '@', '\\', ';'),
    );
    fc.assert(
      fc.property(nasty, nasty, nasty, (x, y, q) => {
        const request = buildRequest(operation, { baseUrl, with: { x, y, q } });
        if (!request.ok) return;
        const url = new URL(request.value.url);
        expect(url.href).toBe(request.value.url);
        expect([url.origin, url.hash]).toEqual(['https://api.example.com', '']);
        const parts = url.pathname.split('/').map((part) => decodeURIComponent(part));
        expect(parts).toEqual(['', 'v1', 'a', x, 'b', y]);
        expect([...url.searchParams]).toEqual([['q', q]]);
      }),
    );
  });
});

describe('a body', () => {
  const taking = (content: JsonObject, more: JsonObject = {}): Operation =>
    operationOf('/x', { post: { requestBody: { content, required: true, ...more } } });
  const body = (operation: Operation, given: JsonValue, content?: string) => {
    const request = built(operation, { body: given, content });
    return [request.headers.find(([name]) => name === 'content-type')?.[1], request.body];
  };

  it('is JSON where that is taken', () => {
    const operation = taking({ 'text/plain': {}, 'application/vnd.x+json': {}, 'application/json': {} });
    expect(body(operation, { a: 1 })).toEqual(['application/json', { kind: 'text', text: '{"a":1}' }]);
    expect(body(operation, { a: 1 }, 'application/vnd.x+json')[0]).toBe('application/vnd.x+json');
    expect(body(operation, 'x', 'text/plain; charset=utf-8')).toEqual([
      'text/plain; charset=utf-8',
      { kind: 'text', text: 'x' },
    ]);
    expect(wrong(operation, { body: 1, content: 'application/xml' })).toEqual([
      '/content content_type: the operation takes no `application/xml`; it takes text/plain, application/vnd.x+json, application/json',
    ]);
    expect(wrong(operation, {})).toEqual([expect.stringContaining('/body missing_body')]);
    expect(body(taking({ '*/*': {} }), [1])).toEqual(['application/json', { kind: 'text', text: '[1]' }]);
  });

  it('is a form, with lists repeated and what is nested as the document says', () => {
    const operation = taking({
      'application/x-www-form-urlencoded': {
        encoding: { deep: { style: 'deepObject' }, flat: { style: 'form', explode: false } },
      },
    });
    const given = { a: ['1', '2'], b: { c: 1 }, deep: { d: { e: 'f' } }, flat: ['x', 'y'], none: null, t: 'a b&c' };
    expect(body(operation, given)).toEqual([
      'application/x-www-form-urlencoded',
      { kind: 'text', text: 'a=1&a=2&b=%7B%22c%22%3A1%7D&deep%5Bd%5D%5Be%5D=f&flat=x,y&t=a%20b%26c' },
    ]);
    expect(wrong(operation, { body: 'a=1' })).toEqual([expect.stringContaining('takes an object with its fields')]);
  });

  it('is in several parts, some of them files', () => {
    const operation = taking({
      'multipart/form-data': {
        schema: { properties: { meta: { type: 'object' }, photo: { type: 'string', format: 'binary' } } },
        encoding: { photo: { contentType: 'image/png, image/jpeg' } },
      },
    });
    const given = { meta: { file: 'no file' }, photo: { file: 'a.png', name: 'b.png' }, tags: ['x', 'y'] };
    expect(body(operation, given)).toEqual([
      'multipart/form-data',
      {
        kind: 'multipart',
        parts: [
          { name: 'meta', text: '{"file":"no file"}', type: 'application/json' },
          { name: 'photo', file: { file: 'a.png', name: 'b.png' }, type: 'image/png' },
          { name: 'tags', text: 'x' },
          { name: 'tags', text: 'y' },
        ],
      },
    ]);
  });

  it('is a file or a text where it is neither of these', () => {
    const operation = taking({ 'application/octet-stream': {} });
    expect(body(operation, { file: 'a.bin' })).toEqual([
      'application/octet-stream',
      { kind: 'file', file: { file: 'a.bin' } },
    ]);
    expect(body(operation, 'abc')).toEqual(['application/octet-stream', { kind: 'text', text: 'abc' }]);
    expect(wrong(operation, { body: { a: 1 } })).toEqual([expect.stringContaining('takes a text, or a file')]);
  });

  it('is of the type that its schema names', () => {
    const schema = { $ref: '#/components/schemas/List' };
    const more = { components: { schemas: { List: { type: 'array' } } } };
    const operation = operationOf(
      '/x',
      { post: { requestBody: { content: { 'application/json': { schema } } } } },
      more,
    );
    expect(wrong(operation, { body: { a: 1 } })).toEqual([
      '/body body_type: the body is a list, and an object was given',
    ]);
  });
});
