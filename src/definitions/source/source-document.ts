import { isScalar, LineCounter, visit, type Document, type Node } from 'yaml';
import { isJsonObject, isJsonValue, nestingDepth, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { isWorkrailJson } from './is-workrail-json.js';
import { jsonPlaces } from './json-places.js';
import { jsonProblems } from './json-problems.js';
import { isJsonText, readJsonText } from './json-text.js';
import { jsonWithComments } from './json-with-comments.js';
import { bytesProblem, signsProblem } from './source-size.js';
import type { FindPlace } from './source-path.js';
import { sourcePlaces } from './source-places.js';
import { syntaxProblems } from './syntax-problems.js';
import type { Violation } from './violation.js';
import { yamlDocument } from './yaml-document.js';

/** A parsed file that still knows where each of its values stands. */
export interface SourceDocument {
  readonly value: JsonValue;
  readonly place: FindPlace;
  /** It is written as JSON, not in a YAML of its own; the WorkRail JSON format is nothing else. */
  readonly isJson: boolean;
  /** What stands in the file and not in the value: keys that are wrong whatever the rest says. */
  readonly doubts?: readonly Violation[];
}

/** YAML 1.2 to plain JSON, bounded before it can hurt. What is called `.json` is JSON, with comments and commas too many. */
export function parseSource(text: string, file: string): Result<SourceDocument, readonly Violation[]> {
  const bytes = bytesProblem(text, file);
  if (bytes) return err([bytes]);
  const json = readJsonText(text);
  if (json !== undefined)
    return withinDepth(json, text, file, { value: json, isJson: true, place: lazily(() => jsonPlaces(text)) });
  const bare = jsonWithComments(text);
  if (bare !== undefined) return parseSource(bare, file);
  // YAML reads much that is no JSON, in ways that nobody who writes JSON could guess.
  if (/\.json$/iu.test(file) && !isJsonText(text)) return err(jsonProblems(text, file));
  const signs = signsProblem(text, file);
  if (signs) return err([signs]);
  const lines = new LineCounter();
  let document: Document.Parsed;
  let value: unknown;
  try {
    document = yamlDocument(text, { ...yaml, lineCounter: lines });
    const problems = [...document.errors, ...document.warnings];
    if (problems.length > 0) return err(syntaxProblems(text, lines, problems));
    value = document.toJS({ maxAliasCount: limits.yamlAliases }) as unknown;
  } catch (cause) {
    // The parser recurses: nesting past the stack, and aliases past the bound, both end here.
    if (cause instanceof ReferenceError)
      return err([
        problem(
          'yaml_aliases',
          `the aliases of ${file} multiply to more than ${limits.yamlAliases} values: write them out, or move what repeats into a routine`,
          firstAlias(text, lines),
        ),
      ]);
    const reason =
      cause instanceof RangeError
        ? 'it is nested too deeply: move inner parts into routines'
        : cause instanceof Error
          ? cause.message
          : String(cause);
    return err([problem('yaml', `${file} cannot be read: ${reason}`)]);
  }
  // Depth first: a value that holds itself has no end.
  const bounded = withinDepth(value, text, file, {
    value: value as JsonValue,
    isJson: /^\s*\{/u.test(text),
    place: lazily(() => placesIn(text)),
  });
  const forbidden = bounded.ok ? forbiddenPlaces(document, lines, value) : [];
  if (forbidden.length === 0 || !bounded.ok) return bounded;
  if (forbidden.some(({ rule }) => rule === 'type')) return err(forbidden);
  const lenient = forbidden.every(({ rule }) => rule === 'duplicate_key') ? workrailJson(text) : undefined;
  if (lenient)
    return withinDepth(lenient, text, file, { ...bounded.value, value: lenient, doubts: forbidden.map(keptLast) });
  // Without them, so that they do not hide what else is wrong.
  visit(document, { Pair: (_, { key }) => (isScalar(key) && key.value === '__proto__' ? visit.REMOVE : undefined) });
  const rest = document.toJS({ maxAliasCount: limits.yamlAliases }) as unknown;
  return isJsonValue(rest) ? ok({ ...bounded.value, value: rest, doubts: forbidden }) : err(forbidden);
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

const keptLast = (double: Violation): Violation => ({
  ...double,
  severity: 'warning',
  message: 'this key is here twice; the last one counts',
});

// What the parser does for every key and every error together takes time with the square of their number: we do both ourselves.
const yaml = {
  version: '1.2',
  schema: 'core',
  merge: false,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
} as const;

function withinDepth(
  value: unknown,
  text: string,
  file: string,
  document: SourceDocument,
): Result<SourceDocument, readonly Violation[]> {
  if (nestingDepth(value, limits.callerDepth) > limits.callerDepth)
    return err([
      problem(
        'depth',
        `${file} is nested more than ${limits.callerDepth} levels deep: move inner parts into routines, and do not use an alias inside its own anchor`,
      ),
    ]);
  const half = halves.test(text) ? halfLetter(value) : undefined;
  return half === undefined
    ? ok(document)
    : err([problem('text', `a text has one half of a character, \\u${half}: write both halves, or take it out`)]);
}

/** Where a text may have half of a character: it is written as an escape, or stands there. */
const halves = /\\u|\\U|[\uD800-\uDFFF]/u;

/** A surrogate that stands alone has no UTF-8, and so no place in a canonical form (RFC 8785). */
function halfLetter(value: unknown): string | undefined {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = typeof next === 'string' ? /\p{Surrogate}/u.exec(next) : undefined;
    if (found) return found[0].charCodeAt(0).toString(16);
    if (typeof next === 'object' && next !== null)
      for (const [key, inner] of Object.entries(next)) open.push(key, inner);
  }
  return undefined;
}

function placesIn(text: string): FindPlace {
  const lines = new LineCounter();
  const document = yamlDocument(text, { ...yaml, lineCounter: lines });
  return sourcePlaces(text, lines, document);
}

/** The document is many times larger than its text, and is only needed again where something is wrong. */
function lazily(make: () => FindPlace): FindPlace {
  let made: FindPlace | undefined;
  return (path, of) => (made ??= make())(path, of);
}

function problem(
  rule: string,
  message: string,
  place: { readonly line?: number; readonly column?: number } = { line: 1, column: 1 },
): Violation {
  return { severity: 'error', rule, pointer: '', ...place, message };
}

function firstAlias(text: string, lines: LineCounter): { readonly line: number; readonly column: number } {
  const at = lines.linePos(Math.max(0, text.search(/(?<=[\s,[{:-])\*[^\s,\]}]/u)));
  return { line: at.line, column: at.col };
}

/** What YAML can say and JSON, or safe handling of JSON, cannot. */
function forbiddenPlaces(document: Document.Parsed, lines: LineCounter, value: unknown): Violation[] {
  const found: Violation[] = [];
  const say = (rule: string, message: string, node: Node | undefined): void => {
    const at = node?.range ? lines.linePos(node.range[0]) : undefined;
    if (found.length < limits.violations)
      found.push(problem(rule, message, at ? { line: at.line, column: at.col } : {}));
  };
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (keys.has(name)) say('duplicate_key', `\`${name.slice(0, 60)}\` is here twice: remove one of them`, key);
        keys.add(name);
      }
    },
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === '__proto__')
        say('unknown_key', '`__proto__` cannot be a key', pair.key);
    },
    Scalar: (_, node) => {
      if (typeof node.value === 'number' && !Number.isFinite(node.value))
        say('type', `${node.source ?? 'this'} is not a JSON number`, node);
    },
  });
  if (found.length === 0 && !isJsonValue(value)) say('type', 'the file holds a value that is not JSON', undefined);
  return found;
}
