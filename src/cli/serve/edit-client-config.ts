import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  type FormattingOptions,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { parse as parseToml, stringify as printToml } from 'smol-toml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import { own } from '../../base/own.js';

export interface ConfigPlace {
  readonly format: 'json' | 'toml';
  /** The table of servers. */
  readonly at: string;
  readonly name: string;
}

/** The entry of that name, if there is one; an error where the file cannot be understood. */
export function readEntry(text: string, place: ConfigPlace): Result<JsonValue | undefined, string> {
  const whole = parseConfig(text, place.format);
  if (!whole.ok) return whole;
  const servers = own(whole.value, place.at);
  if (servers !== undefined && !isJsonObject(servers)) return err(`${place.at} is not a table of servers`);
  return ok(servers && own(servers, place.name));
}

/** The text with the entry set, everything else as it is: comments, order, white space. */
export function withEntry(text: string, place: ConfigPlace, entry: JsonObject): Result<string, string> {
  const before = readEntry(text, place);
  if (!before.ok) return before;
  if (isDeepStrictEqual(before.value, entry)) return ok(text);
  const clean = before.value === undefined ? ok(text) : withoutEntry(text, place);
  if (!clean.ok) return clean;
  const edited = place.format === 'json' ? setJson(clean.value, place, entry) : setToml(clean.value, place, entry);
  return checked(edited, text, place, entry);
}

/** The text without the entry; a table of servers that is empty then goes as well. */
export function withoutEntry(text: string, place: ConfigPlace): Result<string, string> {
  const before = readEntry(text, place);
  if (!before.ok || before.value === undefined) return before.ok ? ok(text) : before;
  return checked(place.format === 'json' ? dropJson(text, place) : dropToml(text, place), text, place, undefined);
}

function parseConfig(text: string, format: 'json' | 'toml'): Result<JsonObject, string> {
  const body = text.replace(/^\uFEFF/u, '');
  if (body.trim() === '') return ok({});
  if (format === 'toml') {
    try {
      // Through JSON: dates and the like become text, which is all that a comparison needs.
      return ok(JSON.parse(JSON.stringify(parseToml(body))) as JsonObject);
    } catch (cause) {
      return err(`not valid TOML: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`);
    }
  }
  const errors: ParseError[] = [];
  const value = parseJson(body, errors);
  const first = errors[0];
  if (first !== undefined)
    return err(
      `not valid JSON: ${printParseErrorCode(first.error)} at line ${body.slice(0, first.offset).split('\n').length}`,
    );
  return isJsonObject(value) ? ok(value) : err('not a JSON object');
}

/** As JSON has it: the package's own `parse` makes a member called __proto__ the prototype of what it is in. */
function parseJson(text: string, errors: ParseError[] = []): JsonValue | undefined {
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return root && valueAt(root);
}

function valueAt({ type, value, children = [] }: Node): JsonValue {
  if (type === 'array') return children.map(valueAt);
  if (type !== 'object') return value as JsonValue;
  const members = children.flatMap(({ children: [key, member] = [] }) =>
    key === undefined || member === undefined ? [] : [[String(key.value), valueAt(member)] as const],
  );
  return Object.fromEntries(members);
}

function setJson(text: string, { at, name }: ConfigPlace, entry: JsonObject): string {
  const body = text.trim() === '' ? '{}\n' : text;
  return applyEdits(body, modify(body, [at, name], entry, { formattingOptions: formatting(body) }));
}

function dropJson(text: string, { at, name }: ConfigPlace): string {
  const formattingOptions = formatting(text);
  const without = applyEdits(text, modify(text, [at, name], undefined, { formattingOptions }));
  const left = parseJson(without);
  const servers = isJsonObject(left) ? own(left, at) : undefined;
  if (!isJsonObject(servers) || Object.keys(servers).length > 0) return without;
  return applyEdits(without, modify(without, [at], undefined, { formattingOptions }));
}

function formatting(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/mu.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function setToml(text: string, { at, name }: ConfigPlace, entry: JsonObject): string {
  const section = printToml({ [at]: { [name]: entry } })
    .trim()
    .replace(`[${at}]\n`, '')
    .trimStart();
  const gap = text === '' ? '' : text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${section}\n`;
}

/** From the header of the table, its sub-tables included, to the next header or the end. */
function dropToml(text: string, { at, name }: ConfigPlace): string {
  const lines = text.split('\n');
  const header = (line: string): string | undefined =>
    /^\s*\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?\r?$/u.exec(line)?.[1]?.replaceAll(/["'\s]/gu, '');
  const ours = `${at}.${name}`;
  const kept: string[] = [];
  let dropping = false;
  for (const line of lines) {
    const found = /^\s*\[/u.test(line) ? (header(line) ?? '') : undefined;
    if (found !== undefined) dropping = found === ours || found.startsWith(`${ours}.`);
    if (!dropping) kept.push(line);
  }
  return kept.join('\n').replace(/\n{2,}$/u, '\n');
}

/** What was edited as text must say what was meant, and nothing else may have changed. */
function checked(
  edited: string,
  before: string,
  { format, at, name }: ConfigPlace,
  entry: JsonObject | undefined,
): Result<string, string> {
  const [was, is] = [parseConfig(before, format), parseConfig(edited, format)];
  if (!was.ok || !is.ok) return err('it cannot be edited safely');
  const others = (value: JsonObject): JsonObject => {
    const servers = own(value, at);
    return {
      ...value,
      [at]: isJsonObject(servers) ? Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name)) : {},
    };
  };
  const servers = own(is.value, at);
  const there = isJsonObject(servers) ? own(servers, name) : undefined;
  return isDeepStrictEqual(there, entry) && isDeepStrictEqual(others(was.value), others(is.value))
    ? ok(edited)
    : err('it cannot be edited safely');
}
