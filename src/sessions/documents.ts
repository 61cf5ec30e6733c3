import { canonicalJson } from '../base/canonical-json.js';
import type { EventSum } from '../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { EventPosition } from '../events/event.js';
import { type Entry, landmarkEntriesUpFrom } from './entry.js';
import type { FoldedSession, RunNode } from './folded-session.js';

/** How an artifact goes into a document; comes with the contract that is pinned. */
export interface DocumentFoldRule {
  readonly document: string;
  readonly fold: 'header' | 'log' | 'table' | 'list';
  /** The field that is folded; absent means the artifact itself, without its kind. */
  readonly field?: string;
  /** For tables: the fields that name a row, as dotted paths. */
  readonly key?: readonly string[];
  /** Those of them that may change while it stays the same row. */
  readonly moves?: readonly string[];
}

export interface FoldedContract {
  readonly kind: string;
  readonly documents?: readonly DocumentFoldRule[];
}

/** Where something was said: the path of its step, and the event that recorded it. */
export interface DocumentSource {
  readonly path: string;
  readonly sum: EventSum;
}

export type Document = {
  readonly name: string;
  /** Of each field, row or entry, in their order. */
  readonly from: readonly DocumentSource[];
  /** How much was said in a shape that the fold has no place for. */
  readonly leftOut: number;
} & (
  | { readonly fold: 'header'; readonly header: JsonObject }
  /** Sorted by their key, each key once. */
  | { readonly fold: 'table'; readonly rows: readonly JsonObject[]; readonly doubts: readonly Doubt[] }
  /** In the order they were first said; plain words as `{ "text": … }`. A list has each once. */
  | { readonly fold: 'log' | 'list'; readonly entries: readonly JsonObject[] }
);

/** Rows that came in one artifact and may be ones that stood there before, moved: nothing tells which is which. */
export interface Doubt {
  readonly sum: EventSum;
  readonly rows: readonly JsonObject[];
}

type Scalar = null | boolean | number | string;

interface Item {
  readonly value: JsonValue;
  readonly source: DocumentSource;
  readonly key: readonly Scalar[];
}

/** A document under way. Items by their name in it: a field, a row's key, an entry's text or number. */
interface Draft {
  readonly rule: DocumentFoldRule;
  readonly items: Map<string, Item>;
  readonly doubts: Doubt[];
  leftOut: number;
}

/**
 * The documents as they stand at a node, or stood there when an event was recorded: folded from the artifacts between the root and there, so that no branch sees another's.
 * Along that way the last write wins. Total: what has the wrong shape is left out and counted.
 */
export function foldDocuments(
  session: FoldedSession,
  tip: RunNode,
  contracts: readonly FoldedContract[],
  until?: EventPosition,
): readonly Document[] {
  const rules = rulesByKind(contracts);
  // Most workflows have no documents: nothing on the way has to be looked at for them.
  if (rules.size === 0) return [];
  const drafts = new Map<string, Draft>();
  for (const { output, path, sum } of entriesDownTo(session, tip, until)) {
    for (const artifact of output.artifacts ?? []) {
      const { kind } = artifact;
      const asked = typeof kind === 'string' ? rules.get(kind) : undefined;
      for (const rule of asked?.values() ?? []) {
        const said = rule.field === undefined ? withoutKind(artifact) : ownField(artifact, rule.field);
        if (said !== undefined) write(draftOf(drafts, rule), said, { path, sum });
      }
    }
  }
  const sorted = [...drafts].toSorted(([a, { rule: one }], [b, { rule: other }]) =>
    compareKeys([one.document, a], [other.document, b]),
  );
  return sorted.map(([, draft]) => documentOf(draft));
}

/** Oldest first. What came late is memory of a step that was decided without it. */
function entriesDownTo(session: FoldedSession, tip: RunNode, until: EventPosition | undefined): readonly Entry[] {
  return [...landmarkEntriesUpFrom(session, tip, until)].toReversed();
}

/** Several steps may ask for one contract: each of its rules counts once. */
function rulesByKind(contracts: readonly FoldedContract[]): ReadonlyMap<string, ReadonlyMap<string, DocumentFoldRule>> {
  const rules = new Map<string, Map<string, DocumentFoldRule>>();
  for (const { kind, documents = [] } of contracts) {
    const known = rules.get(kind) ?? new Map<string, DocumentFoldRule>();
    for (const rule of documents) known.set(JSON.stringify([identity(rule), rule.field]), rule);
    if (known.size > 0) rules.set(kind, known);
  }
  return rules;
}

/** Two folds under one name are two documents: neither may spoil the other. */
const identity = ({ document, fold, key = [] }: DocumentFoldRule): string =>
  JSON.stringify([document, fold, fold === 'table' ? key : []]);

function draftOf(drafts: Map<string, Draft>, rule: DocumentFoldRule): Draft {
  const name = identity(rule);
  const draft = drafts.get(name) ?? { rule, items: new Map(), doubts: [], leftOut: 0 };
  drafts.set(name, draft);
  return draft;
}

function write(draft: Draft, said: JsonValue, source: DocumentSource): void {
  if (draft.rule.fold === 'header') return writeHeader(draft, said, source);
  const parts: readonly JsonValue[] = Array.isArray(said) ? said : [said];
  if (draft.rule.fold === 'table') writeRows(draft, parts, source);
  else for (const one of parts) writeEntry(draft, one, source);
}

/** Null takes a field out, as it does in the context. */
function writeHeader(draft: Draft, said: JsonValue, source: DocumentSource): void {
  if (!isJsonObject(said)) {
    draft.leftOut += 1;
    return;
  }
  for (const [field, value] of Object.entries(said)) {
    if (value === null) draft.items.delete(field);
    else draft.items.set(field, { value, source, key: [] });
  }
}

function writeRows(draft: Draft, rows: readonly JsonValue[], source: DocumentSource): void {
  const { key: paths = [], moves = [] } = draft.rule;
  const named = new Map<string, Item>();
  for (const row of rows) {
    const key = isJsonObject(row) ? keyOf(row, paths) : undefined;
    if (key === undefined) draft.leftOut += 1;
    else named.set(canonicalJson(key), { value: row, source, key });
  }
  if (moves.length > 0) moveRows(draft, named, source.sum);
  for (const [name, item] of named) draft.items.set(name, item);
}

/** A row that stood there and did not come again is the one that came in its likeness, where each is the only one. */
function moveRows({ rule, items, doubts }: Draft, named: ReadonlyMap<string, Item>, sum: EventSum): void {
  const { key: paths = [], moves = [] } = rule;
  const likeness = ({ key }: Item): string => canonicalJson(key.filter((_, at) => !moves.includes(paths[at] ?? '')));
  const alike = new Map<string, { readonly stood: string[]; readonly came: string[] }>();
  for (const [name, item] of named) {
    if (items.has(name)) continue;
    const like = likeness(item);
    const group = alike.get(like) ?? { stood: [], came: [] };
    alike.set(like, group);
    group.came.push(name);
  }
  if (alike.size === 0) return;
  for (const [name, item] of items) if (!named.has(name)) alike.get(likeness(item))?.stood.push(name);
  for (const { stood, came } of alike.values()) {
    if (stood.length === 1 && came.length === 1) items.delete(stood[0]!);
    else if (stood.length > 0)
      doubts.push({
        sum,
        rows: objectsOf([...stood, ...came].flatMap((name) => items.get(name) ?? named.get(name) ?? [])),
      });
  }
}

function writeEntry(draft: Draft, said: JsonValue, source: DocumentSource): void {
  const entry = typeof said === 'string' && said.trim() !== '' ? { text: said } : said;
  if (!isJsonObject(entry)) {
    draft.leftOut += 1;
    return;
  }
  const name = draft.rule.fold === 'list' ? canonicalJson(entry) : String(draft.items.size);
  if (!draft.items.has(name)) draft.items.set(name, { value: entry, source, key: [] });
}

/** Undefined where nothing of the key is there, or part of it is no name. What is missing besides counts as null. */
function keyOf(row: JsonObject, paths: readonly string[]): readonly Scalar[] | undefined {
  const key: Scalar[] = [];
  for (const path of paths) {
    let value: JsonValue | undefined = row;
    for (const name of path.split('.')) value = isJsonObject(value) ? ownField(value, name) : undefined;
    if (typeof value === 'object' && value !== null) return undefined;
    key.push(value ?? null);
  }
  return key.some((part) => part !== null) ? key : undefined;
}

function documentOf({ rule: { document: name, fold }, items, doubts, leftOut }: Draft): Document {
  const all = [...items.values()];
  switch (fold) {
    case 'header': {
      const header = Object.fromEntries([...items].map(([field, { value }]) => [field, value]));
      // Fields that are numbers come first in an object, whenever they were said.
      const from = Object.keys(header).flatMap((field) => items.get(field)?.source ?? []);
      return { name, fold, header, from, leftOut };
    }
    case 'table': {
      const sorted = all.toSorted((a, b) => compareKeys(a.key, b.key));
      return { name, fold, rows: objectsOf(sorted), doubts, from: sorted.map(({ source }) => source), leftOut };
    }
    case 'log':
    case 'list':
      return { name, fold, entries: objectsOf(all), from: all.map(({ source }) => source), leftOut };
  }
}

const objectsOf = (items: readonly Item[]): readonly JsonObject[] =>
  items.map(({ value }) => value).filter(isJsonObject);

function compareKeys(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (const [index, part] of a.entries()) {
    const order = compareScalars(part, b[index] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

const kinds = ['null', 'boolean', 'number', 'string'];
const kindOf = (value: Scalar): number => kinds.indexOf(value === null ? 'null' : typeof value);

/** By kind, then numbers by size and text by its code units: the same order on every machine. */
function compareScalars(a: Scalar, b: Scalar): number {
  if (kindOf(a) !== kindOf(b)) return kindOf(a) - kindOf(b);
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
}

function ownField(object: JsonObject, name: string): JsonValue | undefined {
  return own(object, name);
}

function withoutKind(artifact: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(artifact).filter(([name]) => name !== 'kind'));
}
