import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { JsonValue } from '../../base/json-value.js';
import { keysOf } from './patched-value.js';
import type { PatchOperation } from './violation.js';
import { yamlDocument } from './yaml-document.js';

type Range = readonly [from: number, to: number];

interface Found {
  readonly holder: Node;
  readonly key?: Node;
  readonly value?: Node;
  readonly index: number;
}

/** One operation done to YAML as text, where it stands; undefined where it would have to be laid out anew. */
export function patchedYaml(text: string, operation: PatchOperation): string | undefined {
  const { contents } = yamlDocument(text, { version: '1.2', schema: 'core', merge: false, uniqueKeys: false });
  switch (operation.op) {
    case 'replace': {
      const value = find(contents, keysOf(operation.path))?.value;
      return value?.range ? withValue(text, value, operation.value) : undefined;
    }
    case 'move': {
      const [from, to] = [keysOf(operation.from), keysOf(operation.path)];
      const key = find(contents, from)?.key;
      const beside = from.length === to.length && from.slice(0, -1).every((one, index) => one === to[index]);
      return beside && key?.range ? put(text, [key.range[0], key.range[1]], written(to.at(-1) ?? '')) : undefined;
    }
    case 'add': {
      const keys = keysOf(operation.path);
      const holder = keys.length === 1 ? contents : find(contents, keys.slice(0, -1))?.value;
      return isMap(holder)
        ? withMember(text, holder, `${written(keys.at(-1) ?? '')}: ${inFlow(operation.value)}`)
        : undefined;
    }
    case 'remove': {
      const found = find(contents, keysOf(operation.path));
      return found && without(text, found);
    }
  }
}

/** What an alias stands for stands elsewhere, perhaps for more than is meant. */
function find(root: unknown, keys: readonly string[]): Found | undefined {
  let found: Found | undefined;
  let node: unknown = root;
  for (const key of keys) {
    if (isAlias(node)) return undefined;
    if (isMap(node)) {
      const index = node.items.findIndex((pair) => isScalar(pair.key) && String(pair.key.value) === key);
      const pair = node.items[index] as Pair<Node, Node | null> | undefined;
      if (pair === undefined) return undefined;
      found = { holder: node, key: pair.key, ...(pair.value && { value: pair.value }), index };
    } else if (isSeq(node)) {
      const item = node.items[Number(key)] as Node | undefined;
      if (item === undefined) return undefined;
      found = { holder: node, value: item, index: Number(key) };
    } else return undefined;
    node = found.value;
  }
  return found === undefined || isAlias(found.value) ? undefined : found;
}

function withValue(text: string, node: Node, value: JsonValue): string {
  const [from, to] = rangeOf(node);
  if (isScalar(node) && typeof node.value === 'string' && typeof value === 'string') {
    const source = text.slice(from, to);
    const mended = source.includes('\n') ? mendedWithin(source, node.value, value) : undefined;
    if (mended !== undefined) return put(text, [from, to], mended);
    // A block ends with its line.
    const end = source.endsWith('\n') ? to - 1 : to;
    return put(text, [from, end], quotedLike(node, value));
  }
  const gap = from > 0 && /\S/u.test(text[from - 1] ?? '') && from === to ? ' ' : '';
  return put(text, [from, to], `${gap}${typeof value === 'string' ? written(value) : inFlow(value)}`);
}

const longestPiece = 400;

/** Of a text that is laid out over lines only what differs is written anew, where it can be told from all else. */
function mendedWithin(source: string, was: string, is: string): string | undefined {
  let start = 0;
  while (start < was.length && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < Math.min(was.length, is.length) - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  for (; ; start -= 1, end -= 1) {
    start = Math.max(0, start);
    end = Math.max(0, end);
    const piece = was.slice(start, was.length - end);
    if (piece.length > longestPiece) return undefined;
    const at = piece === '' ? -1 : source.indexOf(piece);
    if (at >= 0 && source.indexOf(piece, at + 1) < 0)
      return put(source, [at, at + piece.length], is.slice(start, is.length - end));
    if ((piece !== '' && at < 0) || (start === 0 && end === 0)) return undefined;
  }
}

function quotedLike({ type }: Scalar, value: string): string {
  if (type === 'QUOTE_SINGLE' && !value.includes('\n')) return `'${value.replaceAll("'", "''")}'`;
  return type === 'PLAIN' ? written(value) : JSON.stringify(value);
}

/** A word as it is wherever it may stand, anything else in quotes. */
function written(value: string): string {
  const isWord = /^[A-Za-z_][\w.-]*$/u.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/iu.test(value);
  return isWord ? value : JSON.stringify(value);
}

const inFlow = (value: JsonValue): string => (typeof value === 'string' ? written(value) : JSON.stringify(value));

function withMember(text: string, map: YAMLMap, member: string): string | undefined {
  const last = map.items.at(-1) as Pair<Node, Node | null> | undefined;
  const first = map.items[0]?.key as Node | undefined;
  if (last === undefined || !first?.range) return undefined;
  const [, end] = rangeOf(last.value ?? last.key);
  if (map.flow === true) return put(text, [end, end], `, ${member}`);
  const column = first.range[0] - (text.lastIndexOf('\n', first.range[0] - 1) + 1);
  const line = `${' '.repeat(column)}${member}`;
  if (text[end - 1] === '\n') return put(text, [end, end], `${line}\n`);
  // A comment behind the last value stays behind it.
  const lineEnd = text.indexOf('\n', end);
  return lineEnd < 0 ? `${text}\n${line}\n` : put(text, [lineEnd, lineEnd], `\n${line}`);
}

function without(text: string, { holder, index }: Found): string | undefined {
  if ((!isMap(holder) && !isSeq(holder)) || holder.flow !== true) return undefined;
  const ranges = holder.items.map((item): Range => {
    const { key, value } = isMap(holder) ? (item as Pair<Node, Node | null>) : { key: item as Node, value: null };
    return [rangeOf(key)[0], Math.max(rangeOf(key)[1], value === null ? 0 : rangeOf(value)[1])];
  });
  const [own, before, after] = [ranges[index], ranges[index - 1], ranges[index + 1]];
  if (own === undefined) return undefined;
  if (before !== undefined) return put(text, [before[1], own[1]], '');
  return put(text, [own[0], after?.[0] ?? own[1]], '');
}

const rangeOf = (node: Node): Range => [node.range?.[0] ?? 0, node.range?.[1] ?? 0];

const put = (text: string, [from, to]: Range, by: string): string => text.slice(0, from) + by + text.slice(to);
