import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json-value.js';
import { buildRequest } from '../../../src/catalogs/build-request.js';
import { exampleStep } from '../../../src/catalogs/example-step.js';
import type { OpenDocument } from '../../../src/catalogs/open-document.js';
import type { Operation } from '../../../src/catalogs/openapi-catalog.js';
import { operationShapeOf } from '../../../src/catalogs/operation-shape-of.js';
import { compileSource } from '../../../src/definitions/compile-source.js';
import {
  indexInMemory,
  type IndexedOperations,
  type IndexPlace,
  keepIndex,
  readIndex,
} from '../../../src/library/catalog-index-file.js';
import { readDocument } from '../../../src/library/read-document.js';
import { corpora, filesOf } from '../../worlds/corpora.js';
import { withPlainNames } from '../../worlds/openapi-documents.js';
import { operationOfShape } from '../../worlds/operation-of-shape.js';

const folder = join(corpora, 'openapi');
const place = mkdtempSync(join(tmpdir(), 'index-'));
afterAll(() => rmSync(place, { recursive: true }));
const ours: IndexPlace = { folder: () => place, key: () => new Uint8Array(32) };

const digestFor = (name: string): string => createHash('sha256').update(name).digest('hex');
const notAgain = (): never => {
  throw new Error('it is all there');
};

const read = (name: string): OpenDocument | undefined => {
  const root = name.includes('petstore-separate') ? { folder: join(folder, 'examples/petstore-separate') } : {};
  const found = readDocument({ file: join(folder, name), ...root });
  return found.ok ? found.value : undefined;
};
const parts = /petstore-separate\/(?:common|spec\/(?!swagger))|SOURCE\.md$/u;
const names = filesOf('openapi').flatMap((file) => (parts.test(file) ? [] : [file.slice(folder.length + 1)]));

describe.each(names)('%s', (name) => {
  const document = read(name)!;
  const index = document.index();
  const inMemory = indexInMemory(index);
  const all = document.catalog.operations.map(({ id }) => document.operation(id)!);

  it('has every operation in its index as the document has it', () => {
    keepIndex(ours, digestFor(name), index);
    const kept = readIndex(ours, digestFor(name), notAgain);
    expect(kept?.catalog).toEqual(JSON.parse(JSON.stringify(document.catalog)));
    expect(kept?.providers).toEqual(index.providers);
    for (const operation of all) {
      const expected = withPlainNames(operation);
      for (const called of [operation.id, `${operation.method} ${operation.path}`])
        for (const from of [inMemory, kept!]) {
          const found = from.operation(called);
          expect(found && withPlainNames(found), called).toEqual(expected);
        }
    }
    expect(kept?.operation('no such')).toBeUndefined();
  });

  const lookup = (_: string, command: string) => {
    const found = inMemory.operation(command);
    return found && operationShapeOf(found, { catalogHash: 'h' });
  };
  const wrongIn = (inputs: JsonObject, step: JsonObject): readonly string[] => {
    const about = { workflow: 'a.b', title: 'T', description: 'Use this to try.', version: '1.0.0' };
    const source = JSON.stringify({ ...about, inputs, steps: [step] });
    const compiled = compileSource(source, 'a.yaml', undefined, lookup);
    return (compiled.ok ? compiled.warnings : compiled.violations).map(
      ({ message }) => `${message} ${JSON.stringify(step)}`,
    );
  };

  it('gives for every operation an example that compiles with nothing wrong', () => {
    const wrong = all.flatMap((operation) => {
      const { inputs, step } = exampleStep('api', operation);
      return wrongIn(inputs, step);
    });
    expect(wrong).toEqual([]);
  });

  it('gives for every operation an example that is right with values of its inputs, and makes a request', () => {
    const wrong = all.flatMap((operation) => {
      const { inputs, step } = exampleStep('api', operation);
      const filled = JSON.parse(JSON.stringify(step), (_, one: unknown) => valueOf(inputs, one)) as JsonObject;
      const request = buildRequest(operation, { baseUrl: 'https://api.example/base', ...filled });
      return [
        ...wrongIn({}, filled).filter((message) => !ofBounds.test(message)),
        ...(request.ok ? [] : request.error),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('keeps in a workflow what makes the same request', () => {
    for (const operation of all) {
      const { inputs, step } = exampleStep('api', operation);
      const filled = JSON.parse(JSON.stringify(step), (_, one: unknown) => valueOf(inputs, one)) as JsonObject;
      const request = (of: Operation) => {
        const made = buildRequest(of, { baseUrl: 'https://api.example/base', ...filled });
        // What is accepted follows from answers, which are not kept.
        return made.ok ? { ...made.value, headers: made.value.headers.filter(([name]) => name !== 'accept') } : made;
      };
      const shape = operationShapeOf(operation, { catalogHash: 'h' });
      expect(request(operationOfShape(shape)), operation.id).toEqual(request(operation));
    }
  });

  it('offers choices only of lists and fields that are in an answer', () => {
    for (const [id, { items, fields, required }] of Object.entries(index.providers)) {
      const operation = inMemory.operation(id)!;
      const whole = operation.answers.flatMap(({ content }) => content.map(({ schema }) => schema ?? null));
      const steps = (path: string): readonly string[] => path.split('.').slice(1);
      const lists = inside(whole, steps(items), operation);
      const things = inside(lists, ['*'], operation);
      expect(things.length, `${id} ${items}`).toBeGreaterThan(0);
      for (const field of fields) {
        const values = inside(things, steps(`item.${field}`), operation);
        expect(JSON.stringify(values), `${id} ${field}`).toMatch(/"(?:string|integer|number)"/u);
      }
      expect(required).toHaveLength(operation.parameters.filter((one) => one.required).length);
    }
  });
});

/** What an input cannot say: how long its text is, or which. */
const ofBounds = /^expected (?:at least|at most|text that matches)/u;

const samples: Readonly<Record<string, JsonValue>> = {
  string: 'x',
  any: 'x',
  integer: 1,
  number: 1,
  boolean: true,
  object: {},
};

function valueOf(inputs: JsonObject, value: unknown): unknown {
  const [, name] = typeof value === 'string' ? (/^\$\{\{ inputs\.(\w+) \}\}$/u.exec(value) ?? []) : [];
  if (name === undefined) return value;
  return sample(inputs[name]!);
}

function sample(spec: JsonValue): JsonValue {
  const { type = 'any', enum: choices = null, items = { type: 'string' } } = isJsonObject(spec) ? spec : {};
  const [first] = Array.isArray(choices) ? (choices as readonly JsonValue[]) : [];
  return (
    first ?? (type === 'array' ? [sample(items)] : ((typeof type === 'string' ? samples[type] : undefined) ?? 'x'))
  );
}

/** What a schema may hold at a place, whichever of its forms holds; naive on purpose. */
function inside(
  schemas: readonly JsonValue[],
  path: readonly string[],
  { definitions }: Operation,
): readonly JsonValue[] {
  const forms = (schema: JsonValue, depth: number): readonly JsonObject[] => {
    if (!isJsonObject(schema) || depth > 8) return [];
    const { $ref: ref = '' } = schema;
    const there = typeof ref === 'string' ? definitions[ref.replace('#/$defs/', '')] : undefined;
    const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => (schema[key] ?? []) as readonly JsonValue[]);
    return [
      schema,
      ...(there === undefined ? [] : forms(there, depth + 1)),
      ...parts.flatMap((part) => forms(part, depth + 1)),
    ];
  };
  const all = schemas.flatMap((schema) => forms(schema, 0));
  const [step, ...rest] = path;
  if (step === undefined) return all;
  const next = all.flatMap((schema): JsonValue[] => {
    const found = step === '*' ? schema['items'] : ((schema['properties'] ?? {}) as JsonObject)[step];
    return found === undefined ? [] : [found];
  });
  return inside(next, rest, { definitions } as Operation);
}

describe('who offers choices', () => {
  const [pets, hub, k8s] = ['petstore.yaml', 'github.json', 'kubernetes.json'].map(
    (name) => read(name)!.index().providers,
  );
  const told = (of: typeof pets, id: string): unknown => {
    const found = of?.[id];
    return found && [found.items, ...found.fields.slice(0, 2), ...found.required.map((name) => `needs ${name}`)];
  };

  it('is as a person who reads the documents would say', () => {
    expect(Object.keys(pets!)).toEqual(['findPetsByStatus', 'findPetsByTags']);
    expect(told(pets, 'findPetsByStatus')).toEqual(['body', 'name', 'id']);
    expect({
      'repos/list-for-org': told(hub, 'repos/list-for-org'),
      'orgs/list-for-authenticated-user': told(hub, 'orgs/list-for-authenticated-user'),
      'issues/list-for-repo': told(hub, 'issues/list-for-repo'),
      'users/list': told(hub, 'users/list'),
      'teams/list': told(hub, 'teams/list'),
      'search/repos': told(hub, 'search/repos'),
      'repos/get-all-topics': told(hub, 'repos/get-all-topics'),
      'gitignore/get-all-templates': told(hub, 'gitignore/get-all-templates'),
      'actions/list-org-secrets': told(hub, 'actions/list-org-secrets'),
      'repos/get': told(hub, 'repos/get'),
      'issues/create': told(hub, 'issues/create'),
    }).toEqual({
      'repos/list-for-org': ['body', 'name', 'full_name', 'needs org'],
      'orgs/list-for-authenticated-user': ['body', 'login', 'id'],
      'issues/list-for-repo': ['body', 'title', 'number', 'needs owner', 'needs repo'],
      'users/list': ['body', 'login', 'id'],
      'teams/list': ['body', 'name', 'slug', 'needs org'],
      'search/repos': ['body.items', 'name', 'full_name', 'needs q'],
      'repos/get-all-topics': ['body.names', 'needs owner', 'needs repo'],
      'gitignore/get-all-templates': ['body'],
      'actions/list-org-secrets': ['body.secrets', 'name', 'created_at', 'needs org'],
      'repos/get': undefined,
      'issues/create': undefined,
    });
    expect({
      pods: told(k8s, 'listCoreV1NamespacedPod'),
      namespaces: told(k8s, 'listCoreV1Namespace'),
      one: told(k8s, 'readCoreV1NamespacedPod'),
      deletes: told(k8s, 'deleteCoreV1CollectionNamespacedPod'),
    }).toEqual({
      pods: ['body.items', 'metadata.name', 'apiVersion', 'needs namespace'],
      namespaces: ['body.items', 'metadata.name', 'apiVersion'],
      one: undefined,
      deletes: undefined,
    });
  });
});

describe('an index file', () => {
  const index = read('petstore.yaml')!.index();
  const whole = indexInMemory(index);
  const digest = digestFor('spoilt');
  const file = () =>
    join(
      place,
      readdirSync(place).find((name) => name.includes(digest.slice(0, 32)))!,
    );
  const all = (from: IndexedOperations) => whole.catalog.operations.map(({ id }) => JSON.stringify(from.operation(id)));

  it('that is spoilt anywhere is as if it were not there, or had in part: what it holds is never false', () => {
    keepIndex(ours, digest, index);
    const bytes = readFileSync(file());
    const rows = Array.from({ length: 400 }, (_, at) => Math.floor((at * bytes.length) / 400));
    let again = 0;
    for (const at of rows) {
      const spoilt = Buffer.from(bytes);
      spoilt[at]! ^= 1;
      writeFileSync(file(), spoilt);
      const found = readIndex(ours, digest, () => {
        again += 1;
        return whole;
      });
      if (found !== undefined) expect(all(found)).toEqual(all(whole));
    }
    expect(again).toBeGreaterThan(0);
    for (const length of [0, 1, 40, bytes.length - 1]) {
      writeFileSync(file(), bytes.subarray(0, length));
      expect(readIndex(ours, digest, notAgain)).toBeUndefined();
    }
  });

  it('of another installation, or that is no file, is not believed', () => {
    keepIndex(ours, digest, index);
    expect(readIndex({ ...ours, key: () => new Uint8Array(32).fill(1) }, digest, notAgain)).toBeUndefined();
    const name = file();
    renameSync(name, `${name}.away`);
    symlinkSync(`${name}.away`, name);
    expect(readIndex(ours, digest, notAgain)).toBeUndefined();
    rmSync(name);
    mkdirSync(name);
    expect(readIndex(ours, digest, notAgain)).toBeUndefined();
    // Nor does it hold up who would keep another.
    keepIndex(ours, digest, index);
    expect(readIndex({ ...ours, folder: () => undefined }, digest, notAgain)).toBeUndefined();
  });
});
