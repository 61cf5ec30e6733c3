import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { readPlainFlow } from './plain-flow.js';
import { indentOf, type LinePlace, noteSpot, type PlainLines, type PlainSpots, withoutEnd } from './plain-lines.js';
import { keyPattern, plainPattern, plainScalar } from './plain-scalar.js';

/**
 * Text in the plain part of YAML that workflow files are written in: keys and lists by their indentation, texts on one line
 * or as blocks, short objects and lists between brackets. A tenth of the time that all of YAML takes. Undefined for whatever
 * is more than that, or wrong: the YAML parser has the last word on it.
 */
export function readPlainYaml(text: string, spots?: PlainSpots): JsonObject | undefined {
  const all = text.replaceAll('\r\n', '\n');
  if (strange.test(all)) return undefined;
  const lines = { all: all.split('\n'), at: 0, spots };
  if (nextIndent(lines) !== 0) return undefined;
  const value = mapping(lines, 0, 1);
  // A line that stands where nothing goes on ends all that is open, and is left.
  return nextIndent(lines) < 0 ? value : undefined;
}

/** Tabs, odd line ends, control signs. */
const strange = /[^\P{Cc}\n]|\uFEFF/u;

/** How far in the next line stands that is more than a comment. Below 0 at the end. */
function nextIndent(lines: PlainLines): number {
  for (; lines.at < lines.all.length; lines.at += 1) {
    const line = lines.all[lines.at]!;
    const indent = indentOf(line);
    if (indent >= 0 && line[indent] !== '#') return indent;
  }
  return -1;
}

const isItem = (line: string, at: number): boolean => line[at] === '-' && (line[at + 1] ?? ' ') === ' ';

function keyAt(line: string, at: number): string | undefined {
  keyPattern.lastIndex = at;
  const key = keyPattern.exec(line)?.[1];
  return key === undefined || (line[at + key.length + 1] ?? ' ') !== ' ' ? undefined : key;
}

function mapping(lines: PlainLines, indent: number, depth: number): JsonObject | undefined {
  const found: { [key: string]: JsonValue } = {};
  while (nextIndent(lines) === indent) {
    const key = keyAt(lines.all[lines.at]!, indent);
    if (key === undefined || Object.hasOwn(found, key) || key === '__proto__') return undefined;
    const column = indent + key.length + 1;
    const place = { line: lines.at, column: indent };
    const start = startFrom(lines, column);
    const value = valueFrom(lines, column, indent, depth, true);
    if (value === undefined) return undefined;
    found[key] = value;
    noteSpot(lines, found, key, { key: place, start, end: { line: lines.at, column: 0 } });
  }
  return found;
}

function sequence(lines: PlainLines, indent: number, depth: number): readonly JsonValue[] | undefined {
  const found: JsonValue[] = [];
  while (nextIndent(lines) === indent && isItem(lines.all[lines.at]!, indent)) {
    const line = lines.all[lines.at]!;
    const column = indent + 1 + Math.max(0, indentOf(line.slice(indent + 1)));
    const holds = isItem(line, column) || keyAt(line, column) !== undefined;
    // What stands behind a dash stands as it would on a line of its own.
    if (holds) lines.all[lines.at] = ' '.repeat(column) + line.slice(column);
    const start = startFrom(lines, indent + 1);
    const value = holds ? block(lines, column, depth) : valueFrom(lines, indent + 1, indent, depth, false);
    if (value === undefined) return undefined;
    noteSpot(lines, found, String(found.length), { key: start, start, end: { line: lines.at, column: 0 } });
    found.push(value);
  }
  return found;
}

/** Where what stands behind a key or a dash begins: on its line or on one below. */
function startFrom({ all, at, spots }: PlainLines, column: number): LinePlace {
  const line = all[at]!;
  const offset = indentOf(line.slice(column));
  if (spots === undefined || (offset >= 0 && line[column + offset] !== '#'))
    return { line: at, column: column + offset };
  const next = { all, at: at + 1 };
  return { column: nextIndent(next), line: next.at };
}

/** An object or a list whose first line is the next. */
function block(lines: PlainLines, indent: number, depth: number): JsonValue | undefined {
  if (depth > limits.callerDepth) return undefined;
  return (isItem(lines.all[lines.at]!, indent) ? sequence : mapping)(lines, indent, depth + 1);
}

/** What stands behind a key or a dash, and what belongs to it of the lines below. */
function valueFrom(
  lines: PlainLines,
  column: number,
  indent: number,
  depth: number,
  ofKey: boolean,
): JsonValue | undefined {
  const line = lines.all[lines.at]!;
  const offset = indentOf(line.slice(column));
  const from = column + offset;
  const sign = offset < 0 ? '#' : line[from];
  if (sign === '|' || sign === '>') return blockText(lines, line.slice(from), indent);
  if (sign === '"' || sign === "'" || sign === '[' || sign === '{') return readPlainFlow(lines, from, indent, depth);
  if (sign !== '#') return plainText(lines, from, indent);
  lines.at += 1;
  const inner = nextIndent(lines);
  if (inner > indent) return block(lines, inner, depth);
  // A list may stand as far left as its key.
  return ofKey && inner === indent && isItem(lines.all[lines.at]!, indent) ? block(lines, indent, depth) : null;
}

/** A text without quotes, which goes on where the next line stands further in. */
function plainText(lines: PlainLines, from: number, indent: number): JsonValue | undefined {
  const parts: string[] = [];
  for (let [line, start] = [lines.all[lines.at]!, from]; ; line = lines.all[lines.at]!, start = indentOf(line)) {
    const comment = line.indexOf(' #', start);
    const text = withoutEnd(line.slice(start, comment < 0 ? line.length : comment));
    plainPattern.lastIndex = 0;
    if (!plainPattern.test(text) || text.endsWith(':') || text.includes(': ')) return undefined;
    parts.push(text);
    lines.at += 1;
    if (comment >= 0 || lines.at === lines.all.length || indentOf(lines.all[lines.at]!) <= indent) break;
  }
  return parts.length === 1 ? plainScalar(parts[0]!) : parts.join(' ');
}

const blockHeader = /^([|>])(-?)(?: +#.*| *)$/u;

function blockText(lines: PlainLines, header: string, indent: number): string | undefined {
  const [, style, chomp] = blockHeader.exec(header) ?? [];
  lines.at += 1;
  const start = lines.at;
  let [inner, end, blank] = [-1, start, 0];
  for (; lines.at < lines.all.length; lines.at += 1) {
    const line = lines.all[lines.at]!;
    const own = indentOf(line);
    if (own < 0) blank = Math.max(blank, line.length);
    else {
      if (own <= indent) break;
      if (inner < 0) inner = own;
      if (own < inner) return undefined;
      end = lines.at + 1;
    }
  }
  const texts = lines.all.slice(start, end).map((line) => line.slice(inner));
  // Space alone may be text or none; what stands further in is not folded.
  if (
    style === undefined ||
    inner < 0 ||
    blank > inner ||
    (style === '>' && texts.some((text) => text.startsWith(' ')))
  )
    return undefined;
  const text = texts.join('\n');
  return (
    (style === '|' ? text : text.replaceAll(/(?<=[^\n])\n+(?=[^\n])/gu, (ends) => ends.slice(1) || ' ')) +
    (chomp === '-' ? '' : '\n')
  );
}
