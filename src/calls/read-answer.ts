import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { isJsonValue, nestingDepth, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { errorCode } from '../files/fault-reason.js';
import type { AnswerBody } from './call-outcome.js';
import type { AnswerHeaders } from './exchange.js';

const unpackers: ReadonlyMap<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>> =
  new Map([
    ['gzip', promisify(gunzip)],
    ['x-gzip', promisify(gunzip)],
    ['br', promisify(brotliDecompress)],
    ['deflate', promisify(inflate)],
  ]);

/** Headers as one text each. */
export const headerTexts = (headers: AnswerHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
    ),
  );

/** The bytes as they were before they were packed for the way; not more than asked for, whatever they would become. */
export async function unpacked(
  bytes: Buffer,
  encoding: string | undefined,
  most: number,
): Promise<Result<Buffer, 'too long' | 'broken'>> {
  let left = bytes;
  const steps = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((step) => step.trim())
    .filter((step) => step !== '' && step !== 'identity');
  if (left.length === 0) return ok(left);
  // What nobody knows stays as it came; so many times over is an attack.
  if (steps.length > 2) return err('broken');
  for (const step of steps.toReversed()) {
    const unpack = unpackers.get(step);
    if (unpack === undefined) return ok(left);
    try {
      left = await unpack(left, { maxOutputLength: most });
    } catch (cause) {
      return err(errorCode(cause) === 'ERR_BUFFER_TOO_LARGE' ? 'too long' : 'broken');
    }
  }
  return ok(left);
}

/** What the bytes say, by their content type. */
export function bodyOf(bytes: Buffer, type: string | undefined): AnswerBody {
  if (bytes.length === 0) return { kind: 'none' };
  const essence = (type ?? '').split(';')[0]!.trim().toLowerCase();
  const isJson = /^(?:application|text)\/(?:[\w.+-]+\+)?json$/u.test(essence) || essence.endsWith('+json');
  const text = isJson || isTextType(essence) ? textOf(bytes, type) : undefined;
  if (text === undefined) return { kind: 'bytes', bytes };
  const value = isJson ? jsonOf(text) : undefined;
  return value === undefined ? { kind: 'text', text } : { kind: 'json', value };
}

const isTextType = (essence: string): boolean =>
  essence.startsWith('text/') ||
  /^application\/(?:x-www-form-urlencoded|javascript|graphql|yaml|x-yaml|xml|x-ndjson|jsonl|toml)$/u.test(essence) ||
  /\+(?:xml|yaml)$/u.test(essence);

/** Undefined for bytes that are no text of their character set. */
export function textOf(bytes: Uint8Array, type: string | undefined): string | undefined {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w.:-]+)/iu.exec(type ?? '') ?? [];
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined where it is no JSON, or JSON that nests so deep that nobody could look through it. */
function jsonOf(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonValue(value) && nestingDepth(value, limits.callAnswerDepth) <= limits.callAnswerDepth
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}
