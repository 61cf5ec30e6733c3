import { defined } from '../base/defined.js';
import { nestingDepth, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import {
  type DocumentReporter,
  documentReporter,
  inside,
  isObject,
  type PlaceInFile,
  type Spot,
  textAt,
} from './document-reporter.js';
import { type ListedOperation, listOperations } from './list-operations.js';
import type { DocumentViolation, OpenapiCatalog, Operation, Server } from './openapi-catalog.js';
import type { OperationIndex } from './operation-index.js';
import { readOperation } from './read-operation.js';
import { providerOf } from './provider-of.js';
import { readAlternatives, readSchemes } from './read-security.js';
import { readHost, readServers } from './read-servers.js';
import { openReferences, type OtherFile } from './references.js';
import { openSchemaBag, referenceCheck, type SchemaBag } from './schema-bag.js';
import { serverUrl } from './server-url.js';

export interface DocumentSource {
  readonly value: JsonValue;
  /** Below the folder that references may not leave. */
  readonly file: string;
  readonly otherFile: OtherFile;
  readonly placeIn: PlaceInFile;
  /** Where it was read from, to which relative addresses add. */
  readonly documentUrl?: string | undefined;
}

/** An API document of which one operation after the other can be asked for. */
export interface OpenDocument {
  readonly catalog: OpenapiCatalog;
  /** By its id or as `METHOD /path`; undefined where there is no such operation. */
  readonly operation: (id: string) => Operation | undefined;
  /** All operations, taken apart. */
  readonly index: () => OperationIndex;
}

/** Reads what a document offers. A schema is looked at only for its references, and expanded never. */
export function openDocument(source: DocumentSource): Result<OpenDocument, readonly DocumentViolation[]> {
  const { value, file, otherFile, placeIn } = source;
  const root: Spot = { value, file, path: [] };
  const report = documentReporter(file, placeIn);
  const fail = (): Result<never, readonly DocumentViolation[]> => err(report.violations());
  if (nestingDepth(value, limits.apiDepth) > limits.apiDepth) {
    report.error(root, 'depth', `the document is nested more than ${limits.apiDepth} deep`);
    return fail();
  }
  const format = formatOf(root, report);
  const paths = format && pathsOf(root, format, report);
  if (format === undefined || paths === undefined) return fail();
  const isOld = format.kind === 'openapi_2';
  const bounded: OtherFile = (path) => {
    const other = otherFile(path);
    const isDeep = other.ok && nestingDepth(other.value, limits.apiDepth) > limits.apiDepth;
    return isDeep ? err(`it is nested more than ${limits.apiDepth} deep`) : other;
  };
  const references = openReferences(root, bounded);
  const { operations, byName } = listOperations(references, paths, report);
  const servers = isOld ? readHost(root, root) : (readServers(root) ?? [{ url: '/', variables: {} }]);
  const security = readAlternatives(inside(root, 'security')) ?? [];
  const read = (listed: ListedOperation, into: DocumentReporter, schemas: SchemaBag): Operation =>
    readOperation({ references, report: into, schemas, isOld }, { root, listed, servers, security });
  const check = referenceCheck(references, report);
  const schemes = readSchemes(
    isOld ? inside(root, 'securityDefinitions') : inside(root, 'components', 'securitySchemes'),
    references,
    report,
  );
  for (const listed of operations) read(listed, report, check);
  const baseUrl = baseUrlOf(servers, source.documentUrl);
  const about = (name: string): string => textAt(inside(root, 'info', name)) ?? '';
  const catalog = defined<OpenapiCatalog>({
    ...format,
    title: about('title'),
    version: about('version'),
    description: about('description'),
    servers: [...servers],
    baseUrl,
    schemes,
    security,
    operations: operations.map(({ entry }) => entry),
    warnings: report.violations(),
  });
  return ok({
    catalog,
    operation: (id) => {
      const listed = byName.get(id);
      if (listed === undefined) return undefined;
      const into = documentReporter(file, placeIn);
      return read(listed, into, openSchemaBag(references, into));
    },
    index: () => {
      // What it would say of references is among the warnings of the catalog.
      const shared = openSchemaBag(references, documentReporter(file, placeIn), wholeDocument);
      const open: SchemaBag = {
        take: (schema) => shared.take(schema),
        close: () => ({ definitions: {}, leftOut: [] }),
      };
      const all = operations.map((listed) => read(listed, documentReporter(file, placeIn), open));
      const { definitions } = shared.close();
      return {
        catalog,
        operations: all.map((one) => JSON.stringify(one)),
        definitions: Object.entries(definitions).map(([name, one]) => [name, JSON.stringify(one)]),
        providers: Object.fromEntries(
          all.flatMap((one) => {
            const provider = providerOf({ ...one, definitions });
            return provider === undefined ? [] : [[one.id, provider]];
          }),
        ),
      };
    },
  });
}

/** A document of the size that is read has no more. */
const wholeDocument = { chars: 2 * limits.apiDocument, count: Infinity };

type Format = Pick<OpenapiCatalog, 'kind' | 'format'>;

/** What a person would mean who wrote the version as a number. */
const written = (value: unknown): string | undefined =>
  typeof value === 'number'
    ? Number.isInteger(value)
      ? `${value}.0`
      : String(value)
    : typeof value === 'string'
      ? value
      : undefined;

const expected = 'openapi: 3.0.x or 3.1.x, or swagger: "2.0"';

function formatOf(root: Spot, report: DocumentReporter): Format | undefined {
  if (!isObject(root.value)) {
    report.error(root, 'document', 'this is not an OpenAPI document: it is not an object', { expected });
    return undefined;
  }
  const [modern, old] = [inside(root, 'openapi'), inside(root, 'swagger')];
  const version = written((modern ?? old)?.value);
  if (version === undefined) {
    const looksLike = looksOf(root);
    report.error(
      modern ?? old ?? root,
      'version',
      `this is not an OpenAPI document${looksLike === '' ? ': it has no version' : looksLike}`,
      {
        expected,
      },
    );
    return undefined;
  }
  if (modern !== undefined && /^3\.0(?:\.|$)/u.test(version)) return { kind: 'openapi_3', format: version };
  if (modern !== undefined && /^3\.\d+(?:\.|$)/u.test(version)) {
    if (!/^3\.1(?:\.|$)/u.test(version))
      report.warn(modern, 'version', `OpenAPI ${version} is read as 3.1: features of later versions are ignored`);
    return { kind: 'openapi_3_1', format: version };
  }
  if (modern === undefined && /^2\.0(?:\.|$)/u.test(version)) return { kind: 'openapi_2', format: version };
  report.error((modern ?? old)!, 'version', `OpenAPI ${version.slice(0, limits.echo)} cannot be read: convert it`, {
    expected,
    actual: version.slice(0, limits.echo),
  });
  return undefined;
}

function looksOf(root: Spot): string {
  if (inside(root, 'asyncapi') !== undefined) return ' but an AsyncAPI document';
  if (inside(root, 'data', '__schema') !== undefined) return ' but a GraphQL schema';
  if (inside(root, 'item') !== undefined && inside(root, 'info') !== undefined) return ' but a Postman collection';
  return inside(root, '$schema') === undefined ? '' : ' but a JSON Schema';
}

/** Only what 3.1 allows has no paths. */
function pathsOf(root: Spot, { kind }: Format, report: DocumentReporter): Spot | undefined {
  const paths = inside(root, 'paths');
  if (paths !== undefined && isObject(paths.value)) return paths;
  if (paths !== undefined) {
    report.error(paths, 'paths', '`paths` is an object with a key for each path');
    return undefined;
  }
  if (kind !== 'openapi_3_1') {
    report.error(root, 'paths', 'the document has no `paths`, and so no operation');
    return undefined;
  }
  return { value: {}, file: root.file, path: ['paths'] };
}

function baseUrlOf(servers: readonly Server[], documentUrl: string | undefined): string | undefined {
  const urls = servers.flatMap((server) => {
    const url = serverUrl(server, { documentUrl });
    return url.ok ? [url.value] : [];
  });
  return urls.find((url) => url.startsWith('https:')) ?? urls[0];
}
