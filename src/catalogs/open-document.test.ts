import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyDocument, documentOfSchemas, expanded, pointed } from '../../property-tests/worlds/openapi-documents.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok } from '../base/result.js';
import { buildRequest } from './build-request.js';
import { openDocument } from './open-document.js';
import type { Operation } from './openapi-catalog.js';
import { parseDocument } from './parse-document.js';

const files: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['pet.json', { type: 'object', properties: { next: { $ref: '#' }, owner: { $ref: 'api.json#/definitions/Owner' } } }],
]);

const open = (value: JsonValue) =>
  openDocument({
    value,
    file: 'api.json',
    otherFile: (path) => {
      const there = files.get(path);
      return there === undefined ? err(`there is no file ${path}`) : ok(there);
    },
    placeIn: () => undefined,
  });

function opened(value: JsonObject) {
  const document = open(value);
  if (!document.ok) throw new Error(JSON.stringify(document.error));
  return document.value;
}

const about = { info: { title: 'Pets', version: '7' } };
const three = (paths: JsonObject, more: JsonObject = {}) => opened({ openapi: '3.0.3', ...about, paths, ...more });
const two = (paths: JsonObject, more: JsonObject = {}) => opened({ swagger: '2.0', ...about, paths, ...more });
const rules = (warnings: readonly { rule: string; pointer: string }[]) =>
  warnings.map(({ rule, pointer }) => `${rule} ${pointer}`);

describe('a document', () => {
  it.each<[JsonValue, string, string]>([
    [[], 'document', 'not an object'],
    [null, 'document', 'not an object'],
    [{ info: {} }, 'version', 'has no version'],
    [{ info: {}, item: [] }, 'version', 'Postman'],
    [{ asyncapi: '2.0' }, 'version', 'AsyncAPI'],
    [{ swagger: '1.2', paths: {} }, 'version', 'convert it'],
    [{ openapi: '4.0.0', paths: {} }, 'version', 'convert it'],
    [{ openapi: '3.0.0' }, 'paths', 'no `paths`'],
    [{ openapi: '3.1.0', paths: [] }, 'paths', 'an object'],
  ])('%j is refused: %s', (value, rule, said) => {
    expect(open(value)).toMatchObject({ ok: false, error: [{ rule, message: expect.stringContaining(said) }] });
  });

  it('may have its version as a number, and no paths in 3.1', () => {
    expect(opened({ swagger: 2, ...about, paths: {} }).catalog).toMatchObject({
      kind: 'openapi_2',
      title: 'Pets',
      version: '7',
    });
    expect(opened({ openapi: 3.1, webhooks: {} }).catalog).toMatchObject({ kind: 'openapi_3_1', operations: [] });
  });

  it('that is nested too deeply is refused', () => {
    let value: JsonValue = {};
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(open(value)).toMatchObject({ ok: false, error: [{ rule: 'depth' }] });
  });

  it('names its operations, and each goes by its method and path too', () => {
    const { catalog, operation } = three({
      '/a': { get: { operationId: 'x' }, post: { operationId: 'x' }, put: {}, trace: { operationId: 'GET /b' } },
      '/b': { get: { operationId: 'constructor', deprecated: true, tags: ['t'], summary: 'S' }, delete: 5 },
      '/b/{c}': { get: {} },
      '/b/{d}': { get: {} },
      b: { get: {} },
      'x-b': { get: {} },
    });
    expect(catalog.operations.map(({ id, safety }) => `${id}: ${safety}`)).toEqual([
      'x: safe',
      'PUT /a: idempotent',
      'POST /a: mutating',
      'TRACE /a: safe',
      'constructor: safe',
      'GET /b/{c}: safe',
      'GET /b/{d}: safe',
    ]);
    expect(rules(catalog.warnings)).toEqual([
      'operation /paths/~1b/delete',
      'path /paths/~1b~1{d}',
      'path /paths/b',
      'operation_id /paths/~1a/post/operationId',
      'operation_id /paths/~1a/trace/operationId',
    ]);
    expect(operation('GET /b')).toMatchObject({ id: 'constructor', deprecated: true, tags: ['t'] });
    for (const { id, method, path } of catalog.operations)
      expect(operation(`${method} ${path}`)).toEqual(operation(id));
    expect(operation('toString')).toBeUndefined();
  });
});

describe('an operation', () => {
  it('has the parameters of its path and its own, which win', () => {
    const get = {
      parameters: [
        { name: 'q', in: 'query', required: true, schema: { type: 'integer' } },
        { $ref: '#/components/parameters/H' },
        { in: 'query' },
      ],
    };
    const document = three(
      {
        '/a/{id}': {
          parameters: [
            { name: 'q', in: 'query' },
            { name: 'gone', in: 'path' },
          ],
          get,
        },
      },
      { components: { parameters: { H: { $ref: '#/components/parameters/I' }, I: { name: 'H', in: 'header' } } } },
    );
    expect(document.operation('GET /a/{id}')!.parameters).toEqual([
      {
        name: 'q',
        in: 'query',
        required: true,
        style: 'form',
        explode: true,
        allowReserved: false,
        schema: { type: 'integer' },
      },
      { name: 'H', in: 'header', required: false, style: 'simple', explode: false, allowReserved: false },
      {
        name: 'id',
        in: 'path',
        required: true,
        style: 'simple',
        explode: false,
        allowReserved: false,
        schema: { type: 'string' },
      },
    ]);
    expect(rules(document.catalog.warnings)).toEqual([
      'parameter /paths/~1a~1{id}/get/parameters/2',
      'path_parameter /paths/~1a~1{id}/parameters/1',
    ]);
  });

  it('of 2.0 has its collection formats as styles', () => {
    const list = (name: string, place: string, collectionFormat?: string) => ({
      name,
      in: place,
      type: 'array',
      items: { type: 'string' },
      ...(collectionFormat !== undefined && { collectionFormat }),
    });
    const parameters = [
      list('a', 'query'),
      list('b', 'query', 'multi'),
      list('c', 'query', 'ssv'),
      list('d', 'query', 'pipes'),
      list('e', 'query', 'tsv'),
      list('f', 'header'),
      { name: 'g', in: 'query', type: 'string', minLength: 1 },
    ];
    const { parameters: read } = two({ '/a': { get: { parameters } } }).operation('GET /a')!;
    expect(read.map(({ name, style, explode }) => `${name} ${style} ${explode}`)).toEqual([
      'a form false',
      'b form true',
      'c spaceDelimited false',
      'd pipeDelimited false',
      'e tabDelimited false',
      'f simple false',
      'g form true',
    ]);
    expect(read[6]!.schema).toEqual({ type: 'string', minLength: 1 });
  });

  it('of 2.0 has a body of what it consumes, or a form of its fields, also where JSON is consumed', () => {
    const document = two(
      {
        '/body': {
          post: { parameters: [{ $ref: '#/parameters/Body' }], responses: { 200: { $ref: '#/responses/Ok' } } },
        },
        '/form': {
          post: {
            consumes: ['application/x-www-form-urlencoded', 'application/json'],
            parameters: [
              { name: 'a', in: 'formData', type: 'array', collectionFormat: 'multi', required: true, description: 'A' },
            ],
          },
        },
        '/file': { post: { parameters: [{ name: 'f', in: 'formData', type: 'file' }] } },
      },
      {
        host: 'x.example',
        basePath: 'v1',
        schemes: ['http', 'https'],
        consumes: ['application/json', 'application/xml'],
        produces: ['application/json'],
        parameters: { Body: { name: 'b', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } } },
        responses: { Ok: { description: 'Fine', schema: { type: 'file' }, headers: { Link: { type: 'string' } } } },
        definitions: { Pet: { $ref: 'pet.json' }, Owner: { type: 'string' } },
      },
    );
    expect(document.catalog).toMatchObject({ baseUrl: 'https://x.example/v1', warnings: [] });
    const body = document.operation('POST /body')!;
    expect(body.body).toEqual({
      required: true,
      content: ['application/json', 'application/xml'].map((type) => ({ type, schema: { $ref: '#/$defs/Pet' } })),
    });
    expect(body.definitions).toEqual({
      Pet: { $ref: '#/$defs/pet' },
      pet: { type: 'object', properties: { next: { $ref: '#/$defs/pet' }, owner: { $ref: '#/$defs/Owner' } } },
      Owner: { type: 'string' },
    });
    expect(body.answers).toEqual([
      {
        status: '200',
        description: 'Fine',
        headers: [{ name: 'Link', schema: { type: 'string' } }],
        content: [{ type: 'application/json', schema: { type: 'string', format: 'binary' } }],
      },
    ]);
    const schema = { type: 'object', properties: { a: { type: 'array', description: 'A' } }, required: ['a'] };
    expect(document.operation('POST /form')!.body).toEqual({
      required: true,
      content: [
        { type: 'application/x-www-form-urlencoded', schema, encoding: { a: { style: 'form', explode: true } } },
      ],
    });
    expect(document.operation('POST /file')!.body?.content.map(({ type }) => type)).toEqual(['multipart/form-data']);
  });

  it('has servers and security of its own, or those of the document', () => {
    const document = three(
      {
        '/a': { servers: [{ url: 'https://up.example' }], get: { security: [] }, post: { servers: [{ url: '/b' }] } },
        '/c': { get: {} },
        '/d': { servers: [{ url: 'https://eu.example/1' }], get: {} },
        '/e': {
          get: {
            servers: [
              { url: 'http://up.example' },
              { url: 'https://{where}.example/1/', variables: { where: { default: 'eu' } } },
            ],
          },
        },
      },
      {
        servers: [
          {
            url: 'https://{where}.example/{v}/',
            variables: { where: { default: 'eu', enum: ['eu', 'us'] }, v: { default: '1' } },
          },
        ],
        security: [{ key: [] }, { login: ['read'] }],
        components: {
          securitySchemes: {
            key: { type: 'apiKey', in: 'header', name: 'X-Key' },
            login: {
              type: 'oauth2',
              flows: { clientCredentials: { tokenUrl: 'https://t.example', scopes: { read: 'Reads' } } },
            },
            odd: { type: 'odd' },
          },
        },
      },
    );
    expect(document.catalog.baseUrl).toBe('https://eu.example/1');
    expect(document.catalog.schemes).toEqual([
      { kind: 'key', place: 'header', parameter: 'X-Key', name: 'key' },
      {
        kind: 'oauth2',
        flows: [{ grant: 'clientCredentials', tokenUrl: 'https://t.example', scopes: ['read'] }],
        name: 'login',
      },
    ]);
    expect(rules(document.catalog.warnings)).toEqual(['security /components/securitySchemes/odd']);
    const told = (id: string) => {
      const { servers, ownServers, security } = document.operation(id)!;
      return [servers[0]!.url, ownServers, security.length];
    };
    expect(told('GET /a')).toEqual(['https://up.example', true, 0]);
    expect(told('POST /a')).toEqual(['/b', true, 2]);
    expect(told('GET /c')).toEqual(['https://{where}.example/{v}/', false, 2]);
    // Said once more, they are no others: whoever sets another address means these too.
    expect(told('GET /d')).toEqual(['https://{where}.example/{v}/', false, 2]);
    expect(told('GET /e')).toEqual(['https://{where}.example/{v}/', false, 2]);
  });

  it('tells references that lead nowhere, with their place, and is read without them', () => {
    const text = JSON.stringify(
      {
        openapi: '3.0.0',
        ...about,
        paths: {
          '/a': {
            get: {
              parameters: [
                { $ref: '#/components/parameters/Gone' },
                { name: 'q', in: 'query', schema: { $ref: '#/components/schemas/Pat' } },
              ],
              responses: {
                200: {
                  description: '',
                  content: { 'application/json': { schema: { $ref: 'https://x.example/a.json' } } },
                },
              },
            },
          },
        },
        components: { schemas: { Pet: { properties: { $ref: { type: 'string' } } } } },
      },
      null,
      2,
    );
    const parsed = parseDocument(text, 'api.json');
    if (!parsed.ok) throw new Error('not parsed');
    const document = openDocument({
      value: parsed.value.value,
      file: 'api.json',
      otherFile: () => err('none'),
      placeIn: () => parsed.value.place,
    });
    if (!document.ok) throw new Error('not opened');
    const lines = text.split('\n');
    expect(
      document.value.catalog.warnings.map(({ rule, line, actual }) => [rule, lines[line! - 1]!.includes(actual!)]),
    ).toEqual([
      ['reference', true],
      ['reference', true],
      ['reference', true],
    ]);
    const operation = document.value.operation('GET /a')!;
    expect(operation.parameters.map(({ name, schema }) => [name, schema])).toEqual([['q', {}]]);
    expect(operation.warnings.map(({ closest }) => closest)).toEqual([undefined, 'Pet', undefined]);
  });

  it('keeps its definitions within bounds and says which are left out', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: limits.apiDefinitions + 10 }, (_, at) => [
        `S${at}`,
        { properties: { next: { $ref: `#/components/schemas/S${at + 1}` } } },
      ]),
    );
    const answer = {
      description: '',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } },
    };
    const { definitions, leftOut } = three(
      { '/a': { get: { responses: { 200: answer } } } },
      { components: { schemas } },
    ).operation('GET /a')!;
    expect(Object.keys(definitions)).toHaveLength(limits.apiDefinitions);
    expect(leftOut).toEqual([`S${limits.apiDefinitions}`]);
  });
});

it('any document is read or refused, and each of its operations can be built or is refused too', () => {
  fc.assert(
    fc.property(anyDocument, anyDocument, anyDocument, (paths, components, given) => {
      for (const value of [
        paths,
        { openapi: '3.1.0', paths, components } as JsonValue,
        { swagger: '2.0', paths, definitions: components } as JsonValue,
      ]) {
        const document = open(value);
        if (!document.ok) {
          expect(document.error.length).toBeGreaterThan(0);
          continue;
        }
        for (const { id } of document.value.catalog.operations) {
          const operation = document.value.operation(id)!;
          expect(operation.id).toBe(id);
          const values = given as JsonObject;
          buildRequest(operation, { with: values, body: given, baseUrl: 'https://x.example' });
        }
      }
    }),
    { numRuns: 500 },
  );
});

it('one operation read is the same as everything expanded', () => {
  const schemasOf = ({ parameters, body, answers }: Operation) => [
    parameters[0]!.schema!,
    body!.content[0]!.schema!,
    answers[0]!.content[0]!.schema!,
  ];
  fc.assert(
    fc.property(documentOfSchemas, (value) => {
      const operation = opened(value).operation('x')!;
      const raw = [
        'parameters/0/schema',
        'requestBody/content/application~1json/schema',
        'responses/200/content/application~1json/schema',
      ];
      const read = schemasOf(operation).map((schema) =>
        expanded(schema, (to) => operation.definitions[to.replace('#/$defs/', '')], 4),
      );
      expect(read).toEqual(
        raw.map((at) => expanded(pointed(value, `#/paths/~1x/post/${at}`)!, (to) => pointed(value, to), 4)),
      );
    }),
  );
});
