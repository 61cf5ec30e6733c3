import { isAlias, isScalar, LineCounter, type Document, visit } from 'yaml';
import { isJsonValue, nestingDepth, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { isKeyAt, jsonStrings } from '../definitions/source/json-strings.js';
import { jsonPlaces } from '../definitions/source/json-places.js';
import { jsonProblems } from '../definitions/source/json-problems.js';
import { isJsonText, readJsonText } from '../definitions/source/json-text.js';
import { sourcePlaces } from '../definitions/source/source-places.js';
import { yamlDocument } from '../definitions/source/yaml-document.js';
import type { FindPlace } from '../definitions/source/source-path.js';
import type { Violation } from '../definitions/source/violation.js';
import type { DocumentViolation } from './openapi-catalog.js';

export interface ParsedDocument {
  readonly value: JsonValue;
  /** Undefined where the text is too long to look for places in it. */
  readonly place: FindPlace | undefined;
  /** What the text has and the value has not: keys that stand there twice. */
  readonly doubts: readonly DocumentViolation[];
}

type Parsed = Result<ParsedDocument, readonly DocumentViolation[]>;

/** The text of an API document, JSON or YAML, as plain data. */
export function parseDocument(given: string, file: string): Parsed {
  const text = given.replace(/^\uFEFF/u, '');
  const short = text.length <= limits.apiPlaces;
  const json = readJsonText(text);
  // Whoever says where something stands goes as deep as the text.
  if (json !== undefined && nestingDepth(json, limits.apiDepth) > limits.apiDepth) return err([tooDeep]);
  if (json !== undefined)
    return ok({ value: json, place: short ? lazily(() => jsonPlaces(text)) : undefined, doubts: [] });
  if (isJsonText(text)) return parseDoubtfulJson(text, short);
  // YAML reads much that is no JSON, in ways that nobody who writes JSON could guess.
  const isJson = /\.json$/iu.test(file) || (!/\.ya?ml$/iu.test(file) && /^\s*\{/u.test(text));
  if (isJson) {
    const problems = jsonProblems(text, file);
    return err(problems.some(({ rule }) => rule === 'depth') ? [tooDeep] : problems.map(violationOf));
  }
  return parseYamlText(text, short);
}

const tooDeep: DocumentViolation = {
  severity: 'error',
  rule: 'depth',
  pointer: '',
  message: `the document is nested more than ${limits.apiDepth} deep`,
};

const violationOf = ({ patch: _patch, ...problem }: Violation): DocumentViolation => problem;

/** It has a key twice, of which the last one counts, or a number past what JSON can hold. */
function parseDoubtfulJson(text: string, short: boolean): Parsed {
  const value: unknown = JSON.parse(text);
  if (!isJsonValue(value)) return err([problem('number', 'the document holds a number that is too large')]);
  if (nestingDepth(value, limits.apiDepth) > limits.apiDepth) return err([tooDeep]);
  return ok({
    value,
    place: short ? lazily(() => jsonPlaces(text)) : undefined,
    doubts: short ? doubleKeys(text) : [],
  });
}

/** The keys of a JSON text that stand in their object twice. */
function doubleKeys(text: string): DocumentViolation[] {
  const found: DocumentViolation[] = [];
  const open: Set<string>[] = [];
  let line = 1;
  let lineStart = 0;
  let at = 0;
  const passTo = (next: number): void => {
    for (; at < next; at += 1) {
      const sign = text[at];
      if (sign === '{' || sign === '[') open.push(new Set());
      else if (sign === '}' || sign === ']') open.pop();
      else if (sign === '\n') [line, lineStart] = [line + 1, at + 1];
    }
  };
  for (const { start, end } of jsonStrings(text)) {
    passTo(start);
    at = end;
    if (!isKeyAt(text, end)) continue;
    const name = JSON.parse(text.slice(start, end)) as string;
    const keys = open.at(-1);
    if (keys?.has(name) === true && found.length < limits.violations)
      found.push(twice(name, line, start - lineStart + 1));
    keys?.add(name);
  }
  return found;
}

function twice(name: string, line: number, column: number): DocumentViolation {
  const message = `\`${name.slice(0, limits.echo)}\` is here twice: the last one counts`;
  return { severity: 'warning', rule: 'duplicate_key', pointer: '', line, column, message };
}

const yaml = {
  version: '1.2',
  schema: 'core',
  merge: true,
  stringKeys: true,
  // Both take time with the square of the number of keys, or of errors.
  uniqueKeys: false,
  prettyErrors: false,
} as const;

function parseYamlText(text: string, short: boolean): Parsed {
  const lines = new LineCounter();
  let document: Document.Parsed;
  let value: unknown;
  try {
    document = yamlDocument(text, { ...yaml, lineCounter: lines });
    if (document.errors.length > 0) return err(yamlProblems(document, lines));
    value = document.toJS({ maxAliasCount: limits.apiAliases }) as unknown;
  } catch (cause) {
    // The parser recurses, and stops where aliases multiply.
    if (cause instanceof RangeError) return err([tooDeep]);
    if (cause instanceof ReferenceError)
      return err([
        problem('yaml_aliases', `the aliases of the document multiply to more than ${limits.apiAliases} values`),
      ]);
    return err([
      problem('yaml', `the document cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`),
    ]);
  }
  // A value that holds itself has no end.
  if (nestingDepth(value, limits.apiDepth) > limits.apiDepth) return err([tooDeep]);
  if (!isJsonValue(value)) return err([problem('type', 'the document has a value that is not JSON, such as `.inf`')]);
  const place = short ? lazily(() => sourcePlaces(text, lines, document)) : undefined;
  return ok({ value, place, doubts: doubleYamlKeys(document, lines) });
}

function yamlProblems(document: Document.Parsed, lines: LineCounter): readonly DocumentViolation[] {
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return [tooDeep];
  return document.errors.slice(0, limits.violations).map(({ message, pos }) => {
    const { line, col } = lines.linePos(Math.max(0, pos[0]));
    return { ...problem('yaml', message.split('\n')[0]!), line, column: col };
  });
}

function doubleYamlKeys(document: Document.Parsed, lines: LineCounter): DocumentViolation[] {
  const found: DocumentViolation[] = [];
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<string>();
      for (const { key, value } of map.items) {
        if (!isScalar(key) || (key.value === '<<' && isAlias(value))) continue;
        const name = String(key.value);
        const { line, col } = lines.linePos(key.range?.[0] ?? 0);
        if (keys.has(name) && found.length < limits.violations) found.push(twice(name, line, col));
        keys.add(name);
      }
    },
  });
  return found;
}

const problem = (rule: string, message: string): DocumentViolation => ({
  severity: 'error',
  rule,
  pointer: '',
  message,
});

function lazily(make: () => FindPlace): FindPlace {
  let made: FindPlace | undefined;
  return (path, of) => (made ??= make())(path, of);
}
