import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { indentOf, type LinePlace, noteSpot, type PlainLines, withoutEnd } from './plain-lines.js';
import { keyPattern, plainPattern, plainScalar } from './plain-scalar.js';

/** A value between brackets or quotes, as far as it has been read. */
interface Flow {
  text: string;
  at: number;
  readonly lines: PlainLines;
  readonly indent: number;
}

/** A value that begins with a bracket or a quote; between brackets it goes on over lines that stand further in. */
export function readPlainFlow(lines: PlainLines, from: number, indent: number, depth: number): JsonValue | undefined {
  const flow: Flow = { text: lines.all[lines.at]!, at: from, lines, indent };
  const value = flowValue(flow, depth);
  lines.at += 1;
  return /^(?: *| +#.*)$/u.test(flow.text.slice(flow.at)) ? value : undefined;
}

const placeOf = ({ lines, at }: Flow): LinePlace => ({ line: lines.at, column: at });

/** The next sign, if need be of the next line. */
function nextSign(flow: Flow): string | undefined {
  const { lines } = flow;
  for (;;) {
    while (flow.text[flow.at] === ' ') flow.at += 1;
    if (flow.at < flow.text.length) return flow.text[flow.at];
    const line = lines.all[lines.at + 1] ?? '';
    const inner = indentOf(line);
    if (inner <= flow.indent) return undefined;
    lines.at += 1;
    flow.text = line;
    flow.at = inner;
  }
}

function flowValue(flow: Flow, depth: number): JsonValue | undefined {
  if (depth > limits.callerDepth) return undefined;
  const sign = flow.text[flow.at];
  if (sign === '[') return flowList(flow, depth + 1);
  if (sign === '{') return flowObject(flow, depth + 1);
  if (sign === '"' || sign === "'") return quoted(flow);
  plainPattern.lastIndex = flow.at;
  return plainPattern.test(flow.text) ? plainScalar(withoutEnd(take(flow, flowText) ?? '')) : undefined;
}

function flowList(flow: Flow, depth: number): readonly JsonValue[] | undefined {
  const found: JsonValue[] = [];
  flow.at += 1;
  while (nextSign(flow) !== ']') {
    const start = placeOf(flow);
    const value = flowValue(flow, depth);
    noteSpot(flow.lines, found, String(found.length), { key: start, start, end: placeOf(flow) });
    if (value === undefined || !isPassed(flow, ']')) return undefined;
    found.push(value);
  }
  flow.at += 1;
  return found;
}

function flowObject(flow: Flow, depth: number): JsonObject | undefined {
  const found: { [key: string]: JsonValue } = {};
  flow.at += 1;
  while (nextSign(flow) !== '}') {
    const place = placeOf(flow);
    const key = flowKey(flow);
    if (key === undefined || Object.hasOwn(found, key) || key === '__proto__' || flow.text[flow.at] !== ' ')
      return undefined;
    nextSign(flow);
    const start = placeOf(flow);
    const value = flowValue(flow, depth);
    noteSpot(flow.lines, found, key, { key: place, start, end: placeOf(flow) });
    if (value === undefined || !isPassed(flow, '}')) return undefined;
    found[key] = value;
  }
  flow.at += 1;
  return found;
}

/** Whether a value is followed by a comma, which is passed, or by the end. */
function isPassed(flow: Flow, end: string): boolean {
  const sign = nextSign(flow);
  if (sign === ',') flow.at += 1;
  return sign === ',' || sign === end;
}

/** A key with its colon. */
function flowKey(flow: Flow): string | undefined {
  if (flow.text[flow.at] !== '"' && flow.text[flow.at] !== "'") return take(flow, keyPattern)?.slice(0, -1);
  const key = quoted(flow);
  flow.at += 1;
  return flow.text[flow.at - 1] === ':' ? key : undefined;
}

/** Without a colon or a number sign that might mean something. */
const flowText = /(?:[^,[\]{}:#]|:(?=[^\s,[\]{}:#]))+/uy;
const doubleQuoted = /"(?:[^"\\]|\\["\\/nt])*"/uy;
const singleQuoted = /'(?:[^']|'')*'/uy;

function quoted(flow: Flow): string | undefined {
  const double = flow.text[flow.at] === '"';
  const text = take(flow, double ? doubleQuoted : singleQuoted);
  if (text === undefined) return undefined;
  if (!double) return text.slice(1, -1).replaceAll("''", "'");
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

function take(flow: Flow, pattern: RegExp): string | undefined {
  pattern.lastIndex = flow.at;
  const [text] = pattern.exec(flow.text) ?? [];
  flow.at += text?.length ?? 0;
  return text;
}
