import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit, isAlias, type Document, type Node, type YAMLError } from 'yaml';
import { byteLength } from '../base/byte-budget.js';
import { isJsonObject, isJsonValue, nestingDepth, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { isWorkrailJson } from './is-workrail-json.js';
import { readJsonText } from './json-text.js';
import type { Violation } from './violation.js';

export type SourcePath = readonly (string | number)[];

export interface SourcePlace {
  readonly pointer: string;
  readonly line?: number;
  readonly column?: number;
}

/** A parsed file that still knows where each of its values stands. */
export interface SourceDocument {
  readonly value: JsonValue;
  /** Of the value at a path, or of the nearest value around it; of the key itself, or of a piece of text inside it. */
  readonly place: (path: SourcePath, of?: 'key' | { readonly text: string }) => SourcePlace;
  /** What stands in the file and not in the value. */
  readonly doubts?: readonly Violation[];
}

/** YAML 1.2 (of which JSON is a part) to plain JSON, bounded before it can hurt. */
export function parseSource(text: string, file: string): Result<SourceDocument, readonly Violation[]> {
  if (byteLength(text) > limits.workflowFile)
    return err([problem('file_size', `${file} has ${byteLength(text)} bytes; at most ${limits.workflowFile} are allowed: move parts of it into routines that it calls`)]);
  const json = readJsonText(text);
  if (json !== undefined) return withinDepth(json, file, { value: json, place: lazily(() => placesIn(text)) });
  const lines = new LineCounter();
  let document: Document.Parsed;
  let value: unknown;
  try {
    document = parseDocument(text, { ...yaml, lineCounter: lines });
    const problems = [...document.errors, ...document.warnings];
    const lenient = problems.length > 0 && problems.every(({ code }) => code === 'DUPLICATE_KEY') ? workrailJson(text) : undefined;
    if (lenient) return withinDepth(lenient, file, { value: lenient, place: lazily(() => placesIn(text)), doubts: problems.slice(0, limits.violations).map(keptLast) });
    if (problems.length > 0) return err(holesInFlow(text, lines, problems) ?? problems.map(syntaxProblem).slice(0, limits.violations));
    value = document.toJS({ maxAliasCount: limits.yamlAliases }) as unknown;
  } catch (cause) {
    // The parser recurses: nesting past the stack, and aliases past the bound, both end here.
    if (cause instanceof ReferenceError) return err([problem('yaml_aliases', `the aliases of ${file} multiply to more than ${limits.yamlAliases} values: write them out, or move what repeats into a routine`, firstAlias(text, lines))]);
    const reason = cause instanceof RangeError ? 'it is nested too deeply: move inner parts into routines' : cause instanceof Error ? cause.message : String(cause);
    return err([problem('yaml', `${file} cannot be read: ${reason}`)]);
  }
  // Depth first: a value that holds itself has no end.
  const bounded = withinDepth(value, file, { value: value as JsonValue, place: lazily(() => placesIn(text)) });
  const forbidden = bounded.ok ? forbiddenPlaces(document, lines, value) : [];
  return forbidden.length > 0 ? err(forbidden) : bounded;
}

/** Files of the WorkRail JSON format have been read by `JSON.parse`, for which the last of two equal keys counts. */
function workrailJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonValue(value) && isJsonObject(value) && isWorkrailJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const keptLast = (error: YAMLError): Violation => ({ ...syntaxProblem(error), severity: 'warning', message: 'this key stands here twice; the last one counts' });

const yaml = { version: '1.2', schema: 'core', merge: false, stringKeys: true, uniqueKeys: true, prettyErrors: true } as const;

function withinDepth(value: unknown, file: string, document: SourceDocument): Result<SourceDocument, readonly Violation[]> {
  return nestingDepth(value, limits.callerDepth) > limits.callerDepth ? err([problem('depth', `${file} is nested more than ${limits.callerDepth} deep: move inner parts into routines, and let no alias stand inside of its own anchor`)]) : ok(document);
}

function placesIn(text: string): SourceDocument['place'] {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...yaml, lineCounter: lines });
  return (path, of) => placeIn(document, lines, text, path, of);
}

/** The document is many times larger than its text, and is only needed again where something is wrong. */
function lazily(make: () => SourceDocument['place']): SourceDocument['place'] {
  let made: SourceDocument['place'] | undefined;
  return (path, of) => (made ??= make())(path, of);
}

/** In flow style YAML ends a plain text at `{`: nothing it could say there tells an author what to do. */
function holesInFlow(text: string, lines: LineCounter, problems: readonly YAMLError[]): readonly Violation[] | undefined {
  const first = Math.min(...problems.map(({ pos }) => pos[0]));
  const { line } = lines.linePos(first);
  const start = lines.lineStarts[line - 1] ?? 0;
  const found = [...text.slice(start).split('\n', 1)[0]!.matchAll(/(?<=[:,[{]\s*)\$\{\{.*?\}\}/gu)];
  if (found.length === 0 || start + found[0]!.index > first) return undefined;
  return found.map((match) => {
    const [hole] = match;
    const column = match.index + 1;
    return { ...problem('yaml', `in flow style (between \`{ }\` or \`[ ]\`) a hole must be quoted: write \`"${hole}"\`, or put the value on a line of its own`, { line, column }), expected: `"${hole}"`, actual: hole };
  });
}

function problem(rule: string, message: string, place: { readonly line?: number; readonly column?: number } = { line: 1, column: 1 }): Violation {
  return { severity: 'error', rule, pointer: '', ...place, message };
}

function firstAlias(text: string, lines: LineCounter): { readonly line: number; readonly column: number } {
  const at = lines.linePos(Math.max(0, text.search(/(?<=[\s,[{:-])\*[^\s,\]}]/u)));
  return { line: at.line, column: at.col };
}

function syntaxProblem(error: YAMLError): Violation {
  const [first] = error.linePos ?? [];
  const said = error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/u, '');
  const rule = error.code === 'DUPLICATE_KEY' ? 'duplicate_key' : 'yaml';
  return problem(rule, said, first ? { line: first.line, column: first.col } : undefined);
}

/** What YAML can say and JSON, or safe handling of JSON, cannot. */
function forbiddenPlaces(document: Document.Parsed, lines: LineCounter, value: unknown): Violation[] {
  const found: Violation[] = [];
  const say = (rule: string, message: string, node: Node | undefined): void => {
    const at = node?.range ? lines.linePos(node.range[0]) : undefined;
    if (found.length < limits.violations) found.push(problem(rule, message, at ? { line: at.line, column: at.col } : {}));
  };
  visit(document, {
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === '__proto__') say('unknown_key', '`__proto__` cannot be a key', pair.key);
    },
    Scalar: (_, node) => {
      if (typeof node.value === 'number' && !Number.isFinite(node.value)) say('type', `${node.source ?? 'this'} is not a JSON number`, node);
    },
  });
  if (found.length === 0 && !isJsonValue(value)) say('type', 'the file holds a value that is not JSON', undefined);
  return found;
}

export function pointerTo(path: SourcePath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function placeIn(document: Document.Parsed, lines: LineCounter, text: string, path: SourcePath, of: 'key' | { readonly text: string } | undefined): SourcePlace {
  const pointer = pointerTo(path);
  let node: unknown = document.contents;
  let key: unknown;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const next: unknown = isMap(node) ? node.items.find((pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(step)) : isSeq(node) ? node.items[Number(step)] : undefined;
    // A value that is missing is shown at the one that should hold it.
    if (next === undefined) break;
    key = isPair(next) ? next.key : next;
    node = isPair(next) ? (next.value ?? next.key) : next;
  }
  const range = ((of === 'key' ? key : node) as Node | undefined)?.range;
  if (!range) return { pointer, line: 1, column: 1 };
  const inside = typeof of === 'object' ? text.slice(range[0], range[2]).indexOf(of.text) : 0;
  const at = lines.linePos(range[0] + Math.max(0, inside));
  return { pointer, line: at.line, column: at.col };
}
