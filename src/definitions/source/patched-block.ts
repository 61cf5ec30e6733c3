import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import type { JsonValue } from '../../base/json-value.js';
import { keysOf } from './patched-value.js';
import type { PatchOperation } from './violation.js';
import { yamlDocument } from './yaml-document.js';
import { yamlText } from './yaml-text.js';

type Holder = YAMLMap<Node, Node | null> | YAMLSeq<Node>;

/** From its first letter to the end of its last line, the line feed left out. */
interface Lines {
  readonly from: number;
  readonly to: number;
}

/** An operation done to YAML in blocks by whole lines: members and elements come, go and change with all that is in them. */
export function patchedBlock(text: string, operation: PatchOperation): string | undefined {
  if (operation.op === 'move') return undefined;
  const { contents } = yamlDocument(text, { version: '1.2', schema: 'core', merge: false, uniqueKeys: false });
  const keys = keysOf(operation.path);
  const holder = holderAt(contents, keys.slice(0, -1));
  if (holder === undefined || holder.flow === true || holder.items.length === 0) return undefined;
  const key = keys.at(-1) ?? '';
  const index = indexIn(holder, key);
  const column = columnOf(text, holder);
  if (index === undefined || column === undefined) return undefined;
  switch (operation.op) {
    case 'add':
      return isSeq(holder)
        ? withElement(text, holder, index, elementLines(operation.value, column))
        : withElement(text, holder, holder.items.length, memberLines(key, operation.value, column));
    case 'replace': {
      const lines = linesOf(text, holder, index);
      const written = isSeq(holder) ? elementLines(operation.value, column) : memberLines(key, operation.value, column);
      // A word or a number is replaced where it stands, and so keeps the comment behind it.
      return lines && typeof operation.value === 'object' && operation.value !== null
        ? text.slice(0, lines.from) + written.trimStart() + text.slice(lines.to)
        : undefined;
    }
    case 'remove': {
      const lines = linesOf(text, holder, index);
      if (lines === undefined || holder.items.length === 1) return undefined;
      const from = lineOf(text, lines.from);
      // What stands on the line of something else goes without its line.
      if (text.slice(from, lines.from).trim() !== '') return undefined;
      return text.slice(0, from) + text.slice(Math.min(text.length, lines.to + 1));
    }
  }
}

function holderAt(root: unknown, keys: readonly string[]): Holder | undefined {
  let node: unknown = root;
  for (const key of keys) {
    if (isAlias(node) || !isHolder(node)) return undefined;
    const index = indexIn(node, key);
    if (index === undefined) return undefined;
    node = isMap(node) ? node.items[index]?.value : node.items[index];
  }
  return isHolder(node) ? node : undefined;
}

const isHolder = (node: unknown): node is Holder => isMap(node) || isSeq(node);

/** Where an element is or comes, or which member it is; of one that is not there, behind the last. */
function indexIn(holder: Holder, key: string): number | undefined {
  if (isSeq(holder)) {
    if (key === '-') return holder.items.length;
    return /^(?:0|[1-9]\d*)$/u.test(key) && Number(key) <= holder.items.length ? Number(key) : undefined;
  }
  const index = holder.items.findIndex((pair) => isScalar(pair.key) && String(pair.key.value) === key);
  return index < 0 ? holder.items.length : index;
}

/** Where the lines of an element or a member begin and end. */
function linesOf(text: string, holder: Holder, index: number): Lines | undefined {
  const from = startOf(text, holder, index);
  const item = holder.items[index];
  const last = isSeq(holder) ? (item as Node) : ((item as Pair<Node, Node | null>).value ?? (item as Pair<Node>).key);
  if (from === undefined || !last.range) return undefined;
  let end = last.range[1];
  while (end > from && /\s/u.test(text[end - 1] ?? '')) end -= 1;
  const lineEnd = text.indexOf('\n', end);
  return { from, to: lineEnd < 0 ? text.length : lineEnd };
}

function startOf(text: string, holder: Holder, index: number): number | undefined {
  const item = holder.items[index];
  if (item === undefined) return undefined;
  if (!isSeq(holder)) return (item as Pair<Node>).key.range?.[0];
  const value = (item as Node).range?.[0];
  if (value === undefined) return undefined;
  const dash = text.lastIndexOf('-', value - 1);
  return dash >= 0 && text.slice(dash + 1, value).trim() === '' ? dash : undefined;
}

function columnOf(text: string, holder: Holder): number | undefined {
  const start = startOf(text, holder, 0);
  return start === undefined ? undefined : start - lineOf(text, start);
}

/** Comments that stand before the next element stay with it. */
function withElement(text: string, holder: Holder, index: number, written: string): string | undefined {
  const feed = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = written.replaceAll('\n', feed);
  if (index === 0) {
    const first = startOf(text, holder, 0);
    const line = first === undefined ? -1 : lineOf(text, first);
    if (line < 0 || text.slice(line, first).trim() !== '') return undefined;
    const from = aboveComments(text, line);
    return `${text.slice(0, from)}${lines}${feed}${text.slice(from)}`;
  }
  const before = linesOf(text, holder, index - 1);
  if (before === undefined) return undefined;
  const end = text[before.to - 1] === '\r' ? before.to - 1 : before.to;
  return `${text.slice(0, end)}${feed}${lines}${text.slice(end)}`;
}

const lineOf = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Where the comments begin that stand right above a line. */
function aboveComments(text: string, line: number): number {
  const above = line === 0 ? 0 : lineOf(text, line - 1);
  return line > 0 && text.slice(above, line).trimStart().startsWith('#') ? aboveComments(text, above) : line;
}

const indented = (lines: string, column: number): string =>
  lines
    .split('\n')
    .map((line) => (line === '' ? line : `${' '.repeat(column)}${line}`))
    .join('\n');

const elementLines = (value: JsonValue, column: number): string => indented(yamlText([value]), column);

const memberLines = (key: string, value: JsonValue, column: number): string =>
  indented(yamlText({ [key]: value }), column);
