import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/base/json-value.js';
import { isJsonObject } from '../../../src/base/json-value.js';
import { buildRequest } from '../../../src/catalogs/build-request.js';
import type { OpenDocument } from '../../../src/catalogs/open-document.js';
import type { Operation, Parameter } from '../../../src/catalogs/openapi-catalog.js';
import { searchOperations } from '../../../src/catalogs/search-operations.js';
import type { readCatalog as ReadCatalog } from '../../../src/library/read-catalog.js';
import { readDocument } from '../../../src/library/read-document.js';
import { corpora, filesOf } from '../../worlds/corpora.js';
import {
  laterPhrasings,
  laterPhrasingsOfOthers,
  type Phrasing,
  phrasings,
  phrasingsOfOthers,
} from '../../worlds/phrasings.js';

const folder = join(corpora, 'openapi');
const read = (name: string, root?: string): OpenDocument => {
  const found = readDocument({ file: join(folder, name), ...(root !== undefined && { folder: join(folder, root) }) });
  if (!found.ok) throw new Error(`${name}: ${JSON.stringify(found.error)}`);
  return found.value;
};

/** What each is and how many operations it has; then what is doubtful in it, by rule. */
const expected: Readonly<Record<string, readonly [kind: string, operations: number, warnings: readonly string[]]>> = {
  'github.json': ['openapi_3', 1223, ['path', 'path']],
  'kubernetes.json': ['openapi_2', 1123, []],
  'twilio-v2010.json': ['openapi_3', 197, []],
  'slack.json': ['openapi_2', 174, []],
  'discord.json': ['openapi_3_1', 242, []],
  'gitea-2.0.json': ['openapi_2', 536, []],
  'gitea-3.0.json': ['openapi_3', 536, []],
  's3.yaml': ['openapi_3', 97, []],
  'spotify.yaml': ['openapi_3', 96, []],
  'heroku-data.yaml': ['openapi_3', 31, []],
  'ably.yaml': ['openapi_3', 22, []],
  'petstore.yaml': ['openapi_3', 19, []],
  'examples/callback-3.0.json': ['openapi_3', 1, []],
  'examples/link-3.0.json': ['openapi_3', 6, []],
  'examples/webhook-3.1.json': ['openapi_3_1', 0, []],
  'examples/uber-2.0.json': ['openapi_2', 5, []],
  'examples/petstore-separate/spec/swagger.json': ['openapi_2', 4, []],
  'examples/tags-3.2.json': ['openapi_3_1', 4, ['version']],
  'examples/non-oauth-scopes-3.1.json': ['openapi_3_1', 1, []],
  'examples/tictactoe-3.1.yaml': ['openapi_3_1', 3, []],
  'examples/uspto-3.0.yaml': ['openapi_3', 3, []],
};

const documents = new Map(
  Object.keys(expected).map((name) => {
    const root = name.includes('petstore-separate') ? 'examples/petstore-separate' : undefined;
    return [name, read(name, root)];
  }),
);
const operationsOf = (name: string): readonly Operation[] => {
  const document = documents.get(name)!;
  return document.catalog.operations.map(({ id }) => document.operation(id)!);
};

it('no document is left out', () => {
  const parts = /petstore-separate\/(?:common|spec\/(?!swagger))|SOURCE\.md$/u;
  const all = filesOf('openapi').filter((file) => !parts.test(file));
  expect(all.map((file) => file.slice(folder.length + 1))).toEqual(Object.keys(expected).toSorted());
});

describe.each(Object.entries(expected))('%s', (name, [kind, count, warnings]) => {
  it('has its operations, and nothing more is doubtful', () => {
    const { catalog } = documents.get(name)!;
    expect([catalog.kind, catalog.operations.length]).toEqual([kind, count]);
    expect(catalog.warnings.map(({ rule }) => rule)).toEqual(warnings);
    expect(new Set(catalog.operations.map(({ id }) => id)).size).toBe(count);
  });

  it('has each operation by itself: every reference leads to a definition that is with it', () => {
    for (const operation of operationsOf(name)) {
      const { definitions, leftOut } = operation;
      expect(leftOut, operation.id).toEqual([]);
      // Of examples and of what others added nothing is followed.
      const bare = JSON.stringify(operation, (key, value: unknown) =>
        /^(?:x-|examples?$)/u.test(key) ? undefined : value,
      );
      for (const [, to] of bare.matchAll(/"\$ref":"#\/\$defs\/([^"]*)"/gu))
        expect(Object.hasOwn(definitions, to!), `${operation.id}: ${to}`).toBe(true);
      expect(/"\$ref":"(?!#\/\$defs\/)/u.test(bare), operation.id).toBe(false);
    }
  });

  it('has for each a request whose values can be read from it again', () => {
    for (const operation of operationsOf(name)) expectRequest(operation);
  });
});

/** A value that a parameter takes, told apart from those of others. */
function valueFor(parameter: Parameter, at: number, { definitions }: Operation): JsonValue {
  let schema: JsonValue | undefined = parameter.schema;
  while (isJsonObject(schema) && typeof schema['$ref'] === 'string')
    schema = definitions[schema['$ref'].replace('#/$defs/', '')];
  const types = isJsonObject(schema) ? [schema['type']].flat() : [];
  if (types.includes('array'))
    return parameter.in === 'header' ? [`a${at}`] : [`a ${at}`, 'b/,&'].map((one) => one.replace(' ', ''));
  if (types.includes('integer') || types.includes('number')) return at;
  if (types.includes('boolean')) return true;
  if (types.includes('object')) return { [`k${at}`]: 'v=1' };
  return parameter.in === 'header' ? `h ${at}` : `ä/?#&=% ${at}`;
}

function expectRequest(operation: Operation): void {
  const values = new Map(operation.parameters.map((parameter, at) => [parameter, valueFor(parameter, at, operation)]));
  const given = Object.fromEntries([...values].map(([{ in: place, name }, value]) => [`${place}.${name}`, value]));
  const content = operation.body?.content[0]?.type;
  const request = buildRequest(operation, {
    baseUrl: 'https://api.example/base',
    with: given,
    ...(content !== undefined && { body: bodyFor(operation) }),
  });
  if (!request.ok) throw new Error(`${operation.id}: ${JSON.stringify(request.error)}`);
  const url = new URL(request.value.url);
  expect([url.origin, url.hash, request.value.url.includes(' ')]).toEqual(['https://api.example', '', false]);
  for (const [{ name, in: place, style, explode, segments }, value] of values) {
    const text = typeof value === 'object' ? '' : String(value);
    if (place === 'path' && segments !== true)
      expect(
        url.pathname
          .split('/')
          .map(decodeURIComponent)
          .some((part) => part.includes(text)),
        name,
      ).toBe(true);
    if (place !== 'query') continue;
    const found = url.searchParams.getAll(name);
    if (Array.isArray(value)) expect(explode ? found : found[0]?.split(',').length, name).toEqual(explode ? value : 3);
    else if (typeof value === 'object') expect(style === 'deepObject' ? url.search : 'k', name).toContain('k');
    else expect(found, name).toEqual([text]);
  }
  const headers = new Map(request.value.headers);
  for (const [{ name, in: place }, value] of values)
    if (place === 'header')
      expect(headers.get(name.toLowerCase()), name).toBe(Array.isArray(value) ? value.join(',') : `${value as string}`);
}

function bodyFor({ body, definitions }: Operation): JsonValue {
  const [content] = body!.content;
  let schema: JsonValue | undefined = content!.schema;
  while (isJsonObject(schema) && typeof schema['$ref'] === 'string')
    schema = definitions[schema['$ref'].replace('#/$defs/', '')];
  const types = isJsonObject(schema) ? [schema['type']].flat() : [];
  const isForm = /form/u.test(content!.type);
  if (content!.type.includes('xml')) return '<a/>';
  if (isForm || types.includes('object')) return { a: '1' };
  return types.includes('array') ? ['1'] : '1';
}

it('the two documents of one API give the same commands', () => {
  const told = ({ id, method, path, safety, parameters, body, security }: Operation) => ({
    id,
    method,
    path,
    safety,
    security,
    parameters: parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`).toSorted(),
    types: body?.content.map(({ type }) => type).toSorted(),
    required: body?.required,
  });
  const [old, modern] = ['gitea-2.0.json', 'gitea-3.0.json'].map((name) => operationsOf(name).map(told));
  const differing = old!.flatMap((one, at) => {
    const keys = Object.keys(one) as (keyof typeof one)[];
    return keys
      .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(modern![at]![key]))
      .map((key) => `${one.id} ${key}`);
  });
  // The conversion has lost that a form with a required field must be sent, and has added a content type.
  expect(differing).toEqual([
    'issueCreateIssueCommentAttachment required',
    'issueCreateIssueAttachment required',
    'repoCreateReleaseAttachment types',
  ]);
  const styles = (name: string) =>
    operationsOf(name).map(({ parameters }) =>
      parameters
        .filter(({ schema }) => isJsonObject(schema) && schema['type'] === 'array')
        .map(({ name: of, style, explode }) => `${of} ${style} ${explode}`),
    );
  expect(styles('gitea-3.0.json')).toEqual(styles('gitea-2.0.json'));
});

it('keeps what others lose: bodies by reference, servers of one path, a property called $ref', () => {
  expect(operationsOf('kubernetes.json').filter(({ body }) => body !== undefined)).toHaveLength(533);
  const asset = operationsOf('github.json').find(({ id }) => id === 'repos/upload-release-asset')!;
  expect([asset.ownServers, asset.servers[0]!.url, asset.body?.content[0]?.type]).toEqual([
    true,
    'https://uploads.github.com',
    'application/octet-stream',
  ]);
  const twilio = operationsOf('twilio-v2010.json');
  expect(twilio.some(({ parameters }) => parameters.some(({ name }) => name === 'StartTime<'))).toBe(true);
  const kubernetes = JSON.parse(readFileSync(join(folder, 'kubernetes.json'), 'utf8')) as {
    definitions: Record<string, { properties?: object }>;
  };
  const [name] = Object.entries(kubernetes.definitions).find(([, { properties = {} }]) =>
    Object.hasOwn(properties, '$ref'),
  )!;
  const holder = operationsOf('kubernetes.json').find(({ definitions }) => Object.hasOwn(definitions, name))!;
  expect(JSON.stringify(holder.definitions[name])).toContain('"$ref":{');
});

describe('an agent finds what it looks for among the first five', () => {
  const catalogOf = (name: string) => {
    const { title, operations } = documents.get(name)!.catalog;
    return { id: name.replace(/[-.].*$/u, ''), title, operations };
  };

  const large = ['github.json', 'kubernetes.json', 'slack.json'];
  const many = [
    'github.json',
    'discord.json',
    'spotify.yaml',
    'twilio-v2010.json',
    's3.yaml',
    'petstore.yaml',
    'gitea-3.0.json',
  ];
  it.each<[string, readonly string[], readonly Phrasing[], missed: number]>([
    ['large', large, phrasings, 0.1],
    ['many', many, phrasingsOfOthers, 0.1],
    ['large, later', large, laterPhrasings, 0.1],
    // Four of fourteen: they speak of what the documents do not, such as money for a balance.
    ['many, later', many, laterPhrasingsOfOthers, 0.3],
  ])('in %s catalogs', (_, names, typed, most) => {
    const search = searchOperations(names.map(catalogOf));
    const missed = typed.filter(([query, catalog, ...ids]) => {
      const first = search.find(query).slice(0, 5);
      return !first.some((found) => found.catalog === catalog && ids.includes(found.operation.id));
    });
    for (const [query, catalog, ...ids] of typed)
      expect(
        search.find('', { catalog }).some(({ operation }) => ids.includes(operation.id)),
        query,
      ).toBe(true);
    expect(search.find('').length).toBeGreaterThan(2_400);
    expect(missed.length / typed.length, missed.map(([query]) => query).join(', ')).toBeLessThanOrEqual(most);
  });
});

it.each(['start a workflow run', 'trigger a github actions workflow', 'run a workflow'])(
  '%s finds its dispatch in the largest',
  (query) => {
    const { title, operations } = documents.get('github.json')!.catalog;
    const first = searchOperations([{ id: 'github', title, operations }])
      .find(query)
      .slice(0, 5);
    expect(first.map(({ operation }) => operation.id)).toContain('actions/create-workflow-dispatch');
  },
);

it('the largest is read in a thread of its own with 300 MB', async () => {
  // A thread is started from a file of the built program.
  const built = fileURLToPath(new URL('../../../dist/library/read-catalog.js', import.meta.url));
  const { readCatalog } = (await import(built)) as { readonly readCatalog: typeof ReadCatalog };
  const origin = { file: join(folder, 'github.json') };
  const found = await readCatalog({ origin, operations: ['GET /rate_limit'], strict: true }, { mib: 300, ms: 35_000 });
  expect(found).toMatchObject({ ok: true, value: { operations: [{ id: 'rate-limit/get' }] } });
});
