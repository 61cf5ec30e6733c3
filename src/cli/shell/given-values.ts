import { createReadStream } from 'node:fs';
import path from 'node:path';
import { isJsonObject, isJsonValue, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { faultReason } from '../../files/fault-reason.js';
import type { CliEnvironment } from '../print/cli-environment.js';

/** Reads the values of options that may stand in a file (`@file`) or come on stdin (`-`). */
export interface GivenValues {
  text(option: string, value: string): Promise<Result<string, string>>;
  json(option: string, value: string): Promise<Result<JsonValue, string>>;
}

export function givenValues(
  environment: Pick<CliEnvironment, 'stdin' | 'stdinIsTerminal' | 'workingFolder' | 'err'>,
): GivenValues {
  let stdinTaken: string | undefined;

  const fromStdin = async (option: string): Promise<Result<string, string>> => {
    if (stdinTaken !== undefined)
      return err(`${option} - and ${stdinTaken} - cannot both read stdin; put one into a file: ${option} @file`);
    stdinTaken = option;
    if (environment.stdinIsTerminal)
      environment.err(`Type the text for ${option}; finish with Ctrl-D on an empty line.`);
    const read = await readAll(environment.stdin, `${option} -`);
    if (!read.ok) return read;
    return read.value.trim() === '' ? err(`${option} -: stdin is empty`) : ok(read.value);
  };

  const text = async (option: string, value: string): Promise<Result<string, string>> => {
    if (value === '-') return fromStdin(option);
    if (value.startsWith('@@')) return ok(value.slice(1));
    if (!value.startsWith('@') || value === '@') return ok(value);
    return readAll(createReadStream(path.resolve(environment.workingFolder, value.slice(1))), `${option} ${value}`);
  };

  return {
    text: async (option, value) => {
      const read = await text(option, value);
      return read.ok ? ok(read.value.replace(/\r?\n$/u, '')) : read;
    },
    json: async (option, value) => {
      const read = await text(option, value);
      if (!read.ok) return read;
      const parsed = parseJson(read.value);
      if (parsed.ok) return parsed;
      const where = value === '-' || value.startsWith('@') ? `${option} ${value}` : option;
      return err(`${where} is not JSON: ${parsed.error}. From a file: ${option} @file`);
    },
  };
}

export function parseJson(text: string): Result<JsonValue, string> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonValue(parsed) ? ok(parsed) : err('it has values that JSON does not allow');
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
}

async function readAll(stream: AsyncIterable<Buffer | string>, what: string): Promise<Result<string, string>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += piece.length;
      if (bytes > limits.mcpMessage) return err(`${what}: more than ${limits.mcpMessage} bytes`);
      chunks.push(piece);
    }
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (cause) {
    if (cause instanceof TypeError) return err(`${what} is not UTF-8 text`);
    return err(`${what} cannot be read: ${faultReason(cause)?.why.replace('its folder', 'it') ?? String(cause)}`);
  }
}

/** What the declared type of a key makes of its value; undefined where nothing declares it. */
export type DeclaredType = (key: string) => string | undefined;

/** `key=value`, `key:=json`, or a whole object as JSON, each time a patch to what came before it. */
export async function givenContext(
  option: string,
  entries: readonly string[],
  values: GivenValues,
  typeOf: () => Promise<DeclaredType>,
): Promise<Result<JsonObject | undefined, string>> {
  if (entries.length === 0) return ok(undefined);
  const context = new Map<string, JsonValue>();
  let declared: Promise<DeclaredType> | undefined;
  for (const entry of entries) {
    const pair = /^(?<key>[^\s=:{[@][^=]*?)(?<json>:?)=(?<value>.*)$/su.exec(entry)?.groups;
    if (pair === undefined) {
      const whole = await values.json(option, entry);
      if (!whole.ok)
        return /^[{[@-]/u.test(entry)
          ? whole
          : err(`${option} ${JSON.stringify(entry)} is not key=value; pass an object as JSON or as @file`);
      if (!isJsonObject(whole.value)) return err(`${option}: expected key=value or an object`);
      for (const [key, value] of Object.entries(whole.value)) context.set(key, value);
      continue;
    }
    const { key = '', json = '', value = '' } = pair;
    const named = `${option} ${key}${json}=`;
    const given =
      json === ':'
        ? await givenJson(named, value, values)
        : await givenText(named, value, values, async () => (await (declared ??= typeOf()))(key));
    if (!given.ok) return given;
    context.set(key, given.value);
  }
  return ok(Object.fromEntries(context));
}

async function givenJson(option: string, value: string, values: GivenValues): Promise<Result<JsonValue, string>> {
  if (value.startsWith('@')) return values.json(option, value);
  const parsed = parseJson(value);
  return parsed.ok
    ? parsed
    : err(`${option} is not JSON: ${parsed.error}. As text: ${option.replace(/^.* |:=$/gu, '')}=…`);
}

async function givenText(
  option: string,
  value: string,
  values: GivenValues,
  typeOf: () => Promise<string | undefined>,
): Promise<Result<JsonValue, string>> {
  // A dash alone is a value here: only a whole object comes on stdin.
  const isFile = value.startsWith('@') && value !== '@' && !value.startsWith('@@');
  const read = isFile ? await values.text(option, value) : ok(value.replace(/^@@/u, '@'));
  if (!read.ok) return read;
  const parsed = parseJson(read.value);
  // Only what may be one or the other needs to know what was declared.
  const type = parsed.ok && typeof parsed.value !== 'string' ? await typeOf() : undefined;
  return ok(valueOf(read.value, parsed, type));
}

/** What a person wrote as one value, by the type that it is wanted in. */
export const typedValue = (text: string, type: string | undefined): JsonValue => valueOf(text, parseJson(text), type);

/** Text, unless it reads as another kind of value and the key is not declared to be text. */
function valueOf(text: string, parsed: Result<JsonValue, string>, type: string | undefined): JsonValue {
  if (!parsed.ok || typeof parsed.value === 'string' || type === 'string') return text;
  const { value } = parsed;
  // Undeclared, a version such as 1.10 is no number.
  const kept = typeof value === 'object' && value !== null ? true : JSON.stringify(value) === text;
  return kept || type === 'number' || type === 'integer' ? value : text;
}
