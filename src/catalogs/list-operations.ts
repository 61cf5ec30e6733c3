import { limits } from '../base/limits.js';
import {
  type DocumentReporter,
  flagAt,
  inside,
  isObject,
  membersAt,
  type Spot,
  textAt,
  textsAt,
} from './document-reporter.js';
import { follow } from './follow.js';
import type { OperationEntry } from './openapi-catalog.js';
import type { References } from './references.js';

/** The methods of OpenAPI, with what calling one may do. */
const methods: ReadonlyMap<string, OperationEntry['safety']> = new Map([
  ['get', 'safe'],
  ['put', 'idempotent'],
  ['post', 'mutating'],
  ['delete', 'destructive'],
  ['options', 'safe'],
  ['head', 'safe'],
  ['patch', 'mutating'],
  ['trace', 'safe'],
]);

export interface ListedOperation {
  readonly entry: OperationEntry;
  readonly at: Spot;
  /** What all operations of its path have in common: beside a reference, and where that leads. */
  readonly around: readonly Spot[];
}

interface Listed {
  readonly operations: readonly ListedOperation[];
  /** Under its id and as `METHOD /path`. */
  readonly byName: ReadonlyMap<string, ListedOperation>;
}

/** Every operation of a document, in its order. */
export function listOperations(references: References, paths: Spot, report: DocumentReporter): Listed {
  const found = [...operationsOf(references, paths, report)];
  const [told, rest] = [found.slice(0, limits.apiOperations), found.length - limits.apiOperations];
  if (rest > 0)
    report.warn(paths, 'operations', `${rest} of ${found.length} operations are left out: they are too many`);
  const places = new Set(told.map(({ method, path }) => placeName(method, path)));
  const ids = new Set<string>();
  const operations: ListedOperation[] = [];
  const byName = new Map<string, ListedOperation>();
  for (const { method, path, at, around } of told) {
    const place = placeName(method, path);
    const named = oneSpace(textAt(inside(at, 'operationId')) ?? '');
    const isTaken = ids.has(named) || (named !== place && places.has(named));
    if (isTaken) {
      const message = `\`${named}\` is the name of another operation too: this one is called \`${place}\``;
      report.warn(inside(at, 'operationId')!, 'operation_id', message, { actual: named });
    }
    const id = named === '' || isTaken ? place : named;
    ids.add(id);
    const listed = { entry: entryOf(id, method, path, at), at, around };
    operations.push(listed);
    byName.set(place, listed);
    byName.set(id, listed);
  }
  return { operations, byName };
}

/** How an operation is called that has no name: as a step writes it, in which spaces are one. */
export const placeName = (method: string, path: string): string => oneSpace(`${method} ${path}`);

const oneSpace = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

interface FoundOperation {
  readonly method: string;
  readonly path: string;
  readonly at: Spot;
  readonly around: readonly Spot[];
}

function* operationsOf(references: References, paths: Spot, report: DocumentReporter): Generator<FoundOperation> {
  const templates = new Map<string, string>();
  for (const [path, item] of membersAt(paths)) {
    if (path.startsWith('x-')) continue;
    if (!path.startsWith('/')) {
      report.warn(item, 'path', `a path must start with \`/\`: \`${path}\` is ignored`);
      continue;
    }
    if (!isObject(item.value)) {
      report.warn(item, 'path', 'a path holds an object with a key for each method');
      continue;
    }
    const template = path.replaceAll(/\{[^{}]+\}/gu, '{}');
    const alike = templates.get(template);
    if (alike !== undefined) report.warn(item, 'path', `\`${path}\` and \`${alike}\` are ambiguous`);
    templates.set(template, path);
    const there = follow(references, report, item) ?? item;
    const around = there === item ? [item] : [there, item];
    for (const method of methods.keys()) {
      const at = around.reduceRight<Spot | undefined>((known, spot) => known ?? inside(spot, method), undefined);
      if (at === undefined) continue;
      if (isObject(at.value)) yield { method: method.toUpperCase(), path, at, around };
      else report.warn(at, 'operation', 'an operation is an object');
    }
  }
}

function entryOf(id: string, method: string, path: string, at: Spot): OperationEntry {
  return {
    id,
    method,
    path,
    tags: textsAt(inside(at, 'tags')).slice(0, limits.apiTags),
    summary: (textAt(inside(at, 'summary')) ?? '').slice(0, limits.apiSummary),
    description: (textAt(inside(at, 'description')) ?? '').slice(0, limits.apiDescription),
    safety: methods.get(method.toLowerCase())!,
    deprecated: flagAt(inside(at, 'deprecated')) === true,
  };
}
