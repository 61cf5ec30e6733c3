import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { operationFrom, type OperationIndex } from '../catalogs/operation-index.js';
import { placeName } from '../catalogs/list-operations.js';
import type { OpenapiCatalog, Operation } from '../catalogs/openapi-catalog.js';
import { faultReason } from '../files/fault-reason.js';
import { removeUnfinished } from '../files/remove-unfinished.js';
import { openSealed, type Part, writeSealed } from '../files/sealed-file.js';

/** The operations of one document, each to be had without the others. */
export interface IndexedOperations {
  readonly catalog: OpenapiCatalog;
  readonly providers: OperationIndex['providers'];
  /** By its id or as `METHOD /path`. */
  readonly operation: (name: string) => Operation | undefined;
}

/** Where indexes are kept, if anywhere, and with what they are sealed. */
export interface IndexPlace {
  /** Undefined where nothing can be kept. */
  readonly folder: () => string | undefined;
  readonly key: () => Uint8Array;
}

interface Sealed {
  readonly catalog: OpenapiCatalog;
  readonly providers: OperationIndex['providers'];
  readonly operations: readonly Part[];
  readonly definitions: { readonly [name: string]: Part };
}

const purpose = 'catalog';
const prefix = 'catalog-';
/** Goes up when what is kept of a document is another. */
const form = 2;
const nameFor = (digest: string): string => `${prefix}${form}-${digest.slice(0, 32)}`;

/** Keeps the index of a document for later processes. Without it they take the document apart again. */
export function keepIndex({ folder, key }: IndexPlace, digest: string, index: OperationIndex): void {
  const place = folder();
  if (place === undefined) return;
  const isKept = writeSealed(join(place, nameFor(digest)), purpose, key(), (add) => {
    const part = (json: string): Part => add(Buffer.from(json));
    const sealed: Sealed = {
      catalog: index.catalog,
      providers: index.providers,
      operations: index.operations.map(part),
      definitions: Object.fromEntries(index.definitions.map(([name, json]) => [name, part(json)])),
    };
    return Buffer.from(JSON.stringify(sealed));
  });
  if (isKept) removeOldest(place);
}

/** As an earlier process kept it. What of it cannot be read any more is had from `remake`, which takes the document apart again. */
export function readIndex(
  { folder, key }: IndexPlace,
  digest: string,
  remake: () => IndexedOperations,
): IndexedOperations | undefined {
  const place = folder();
  const file =
    place === undefined ? undefined : withoutFaults(() => openSealed(join(place, nameFor(digest)), purpose, key()));
  if (file === undefined) return undefined;
  const { operations, definitions, ...about } = JSON.parse(file.bytes.toString('utf8')) as Sealed;
  const text = (part: Part): string => file.part(part).toString('utf8');
  const kept = operationsBy(
    about,
    (at) => text(operations[at]!),
    (name) => {
      const part = own(definitions, name);
      return part && text(part);
    },
  );
  let again: IndexedOperations | undefined;
  return {
    ...kept,
    operation: (name) => {
      if (again !== undefined) return again.operation(name);
      try {
        return kept.operation(name);
      } catch (cause) {
        if (faultReason(cause) === undefined) throw cause;
        again = remake();
        return again.operation(name);
      }
    },
  };
}

/** What the system does not give can be made again. */
function withoutFaults<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (faultReason(cause) === undefined) throw cause;
    return undefined;
  }
}

export function indexInMemory({ operations, definitions, ...about }: OperationIndex): IndexedOperations {
  const byName = new Map(definitions);
  return operationsBy(
    about,
    (at) => operations[at]!,
    (name) => byName.get(name),
  );
}

function operationsBy(
  { catalog, providers }: Pick<OperationIndex, 'catalog' | 'providers'>,
  json: (at: number) => string,
  definition: (name: string) => string | undefined,
): IndexedOperations {
  const places = new Map<string, number>();
  for (const [at, { method, path }] of catalog.operations.entries()) places.set(placeName(method, path), at);
  for (const [at, { id }] of catalog.operations.entries()) places.set(id, at);
  return {
    catalog,
    providers,
    operation: (name) => {
      const at = places.get(name);
      return at === undefined ? undefined : operationFrom(json(at), definition);
    },
  };
}

function removeOldest(folder: string): void {
  try {
    removeUnfinished(folder);
    const files = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return name.startsWith(prefix) ? [{ path, at: lstatSync(path).mtimeMs }] : [];
    });
    for (const { path } of files.toSorted((a, b) => b.at - a.at).slice(limits.catalogsIndexed)) rmSync(path);
  } catch {
    // Another process does the same, or has taken the folder away.
  }
}
