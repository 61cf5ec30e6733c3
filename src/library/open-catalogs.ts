import path from 'node:path';
import { sha256Hex } from '../base/digest.js';
import { closestNames } from '../base/closest-name.js';
import { err, ok, type Result } from '../base/result.js';
import { operationAnswersOf } from '../catalogs/operation-answers-of.js';
import { operationShapeOf } from '../catalogs/operation-shape-of.js';
import { type OperationSearch, searchOperations } from '../catalogs/search-operations.js';
import { lookAt } from '../files/folders.js';
import { readPlainFile } from '../files/read-plain-file.js';
import type { CommandLookup } from '../definitions/compiled/command-lookup.js';
import type { OperationAnswers } from '../definitions/compiled/operation-answers.js';
import { type CatalogEntry, type CatalogSource, documentFile, openCatalogFiles } from './catalog-files.js';
import { indexInMemory, type IndexedOperations, type IndexPlace, keepIndex, readIndex } from './catalog-index-file.js';
import { type ReadDocument, readDocument } from './read-document.js';

/** A catalog that can be used, with its operations. */
export interface OpenedCatalog extends IndexedOperations {
  readonly entry: CatalogEntry;
}

/** All catalogs of a project and its user, as they are now. */
export interface Catalogs {
  /** Each id once, in the order of the ids. */
  list(): readonly ListedCatalog[];
  /** Undefined where there is none of that id. */
  find(id: string): ListedCatalog | undefined;
  /** Opened whether it is enabled or not; or why it cannot be. */
  open(entry: CatalogEntry): Result<OpenedCatalog, string>;
  /** The operations of all that are enabled. */
  search(): OperationSearch;
  /** Where commands of workflows are looked up. */
  readonly lookup: CommandLookup;
  /** Changes whenever anything of them does. */
  state(): string;
}

export interface ListedCatalog extends CatalogEntry {
  /** Those of the same id in sources of lower precedence. */
  readonly hides: readonly CatalogEntry[];
}

export function openCatalogs(sources: readonly CatalogSource[], place: IndexPlace): Catalogs {
  const files = openCatalogFiles(sources);
  const opened = new Map<string, Result<IndexedOperations, string>>();
  let searched: { readonly state: string; readonly search: OperationSearch } | undefined;

  function list(): readonly ListedCatalog[] {
    const found = files.look().flat();
    const digests = new Set(found.map(({ digest }) => digest));
    for (const digest of opened.keys()) if (!digests.has(digest)) opened.delete(digest);
    return eachOnce(found).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  const find = (id: string): ListedCatalog | undefined => eachOnce(files.lookFor(id))[0];

  function open(entry: CatalogEntry): Result<OpenedCatalog, string> {
    if (entry.digest === '') return err(entry.problem ?? 'its document cannot be read');
    const known = opened.get(entry.digest) ?? operationsOf(entry, place);
    if (known === undefined) return err('its document was changed at this moment');
    opened.set(entry.digest, known);
    return known.ok ? ok({ entry, ...known.value }) : known;
  }

  const stateOf = (all: readonly ListedCatalog[]): string =>
    all.map(({ id, revision, settings: { enabled } }) => `${id} ${revision} ${enabled}`).join('; ');

  function lookup(catalog: string, command: string): ReturnType<CommandLookup> {
    const entry = find(catalog);
    if (entry === undefined)
      return {
        problem: 'unknown_catalog',
        closest: closestNames(
          catalog,
          list().map(({ id }) => id),
        ),
      };
    if (entry.problem !== undefined)
      return {
        problem: 'unusable',
        closest: [],
        message: `the catalog \`${catalog}\` cannot be used: ${entry.problem}`,
      };
    if (!entry.settings.enabled) return { problem: 'unusable', closest: [], message: disabledCatalog(catalog) };
    const found = open(entry);
    if (!found.ok)
      return {
        problem: 'unusable',
        closest: [],
        message: `the catalog \`${catalog}\` cannot be used: ${found.error}`,
      };
    const operation = found.value.operation(command);
    if (operation === undefined)
      return {
        problem: 'unknown_command',
        closest: closestNames(
          command,
          found.value.catalog.operations.map(({ id }) => id),
        ),
      };
    const { idempotencyHeader } = entry.settings;
    return operationShapeOf(operation, {
      catalogHash: entry.digest,
      ...(idempotencyHeader !== undefined && { idempotencyHeader }),
    });
  }

  function answers(catalog: string, command: string): OperationAnswers | undefined {
    const entry = find(catalog);
    const found = entry === undefined ? undefined : open(entry);
    const operation = found?.ok === true ? found.value.operation(command) : undefined;
    return operation && operationAnswersOf(operation);
  }

  return {
    list,
    find,
    open,
    search: () => {
      const all = list();
      const state = stateOf(all);
      if (searched?.state === state) return searched.search;
      const catalogs = all.flatMap((entry) => {
        if (!entry.settings.enabled) return [];
        const found = open(entry);
        return found.ok
          ? [{ id: entry.id, title: titleOf(found.value), operations: found.value.catalog.operations }]
          : [];
      });
      searched = { state, search: searchOperations(catalogs) };
      return searched.search;
    },
    lookup: Object.assign(lookup, { answers }),
    state: () => stateOf(list()),
  };
}

/** The last of each id, which hides those before it. */
function eachOnce(found: readonly CatalogEntry[]): ListedCatalog[] {
  const byId = new Map<string, ListedCatalog>();
  for (const entry of found) {
    const below = byId.get(entry.id);
    byId.set(entry.id, { ...entry, hides: below === undefined ? [] : [below, ...below.hides] });
  }
  return [...byId.values()];
}

/** Why nothing of it can be used, with what an agent calls and what a person types. */
export const disabledCatalog = (id: string): string =>
  `the catalog \`${id}\` is disabled; enable it with set_catalog_enabled, or \`workrail catalogs enable ${id}\``;

/** Where its commands are sent, but for those that the document sends elsewhere. */
export const addressOf = ({ entry, catalog }: Pick<OpenedCatalog, 'entry' | 'catalog'>): string | undefined =>
  entry.settings.baseUrl ?? catalog.baseUrl;

export const titleOf = ({ entry, catalog }: OpenedCatalog): string => entry.settings.title ?? catalog.title;

/** As an earlier process took the document apart, else anew. Undefined where the document is another by now. */
function operationsOf(entry: CatalogEntry, place: IndexPlace): Result<IndexedOperations, string> | undefined {
  const { digest } = entry;
  const kept = readIndex(place, digest, () => {
    const again = documentOf(entry);
    if (again?.ok !== true) throw new Error(`the document of ${entry.id} was there, and cannot be read any more`);
    return indexInMemory(again.value.index());
  });
  if (kept !== undefined) return ok(kept);
  const read = documentOf(entry);
  if (read?.ok !== true) return read;
  const index = read.value.index();
  keepIndex(place, digest, index);
  return ok(indexInMemory(index));
}

/** The document that was looked at, and no other that has taken its place. */
function documentOf({ folder, digest, settings }: CatalogEntry): Result<ReadDocument, string> | undefined {
  const kept = path.join(folder, documentFile);
  const documentUrl = /^https?:/iu.test(settings.from ?? '') ? settings.from : undefined;
  const read = readDocument({ kept, documentUrl });
  if (read.ok) return sha256Hex(read.value.keep()) === digest ? ok(read.value) : undefined;
  const isSame = lookAt(kept) !== undefined && sha256Hex(readPlainFile(kept)) === digest;
  return isSame ? err(read.error[0]?.message ?? 'its document cannot be read') : undefined;
}
