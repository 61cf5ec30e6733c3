import { isAscii, isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { assert } from '../base/assert.js';
import { sha256Hex } from '../base/digest.js';
import { safeParse } from '../base/safe-parse.js';
import { type EventSum, idPatterns } from '../base/ids.js';
import { jsonTest } from './json-test.js';
import { isJsonObject, type JsonObject, nestingDepth } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { plainCopy } from '../base/plain-copy.js';
import { err, ok, type Result } from '../base/result.js';
import { type EventKind, eventData } from './event-data.js';
import { doors, type Envelope, type Event, type EventDraft, eventVersion, lineVersion } from './event.js';
import { upcast } from './upcast.js';

/** Why a line is not an event. `cut` means it may be the unfinished end of a write; the others cannot arise from one. */
export interface LineProblem {
  readonly reason: 'cut' | 'newer' | 'invalid';
  readonly message: string;
}

const sumField = ',"sum":"';
/** `,"sum":"` + 16 digits + `"}` */
const tailLength = sumField.length + 16 + 2;

const envelope = z.looseObject({
  v: z.number().int().min(1),
  seq: z.number().int().min(1),
  by: z.string().regex(idPatterns.writer),
  at: z.string().max(40),
  origin: z.string().regex(idPatterns.session).optional(),
  kind: z.string(),
  run: z.string().regex(idPatterns.run).optional(),
  node: z.string().regex(idPatterns.node).optional(),
  who: z
    .strictObject({
      door: z.enum(doors),
      person: z.string().optional(),
      agent: z.string().optional(),
      turn: z.string().optional(),
    })
    .optional(),
  data: z.custom<JsonObject>(isJsonObject, 'expected an object'),
  more: z.literal(true).optional(),
  prev: z.union([z.literal(''), z.string().regex(idPatterns.sum)]),
  saw: z.record(z.string().regex(idPatterns.writer), z.string().regex(idPatterns.sum)).optional(),
  sum: z.string().regex(idPatterns.sum),
});
const envelopeFields: ReadonlySet<string> = new Set(Object.keys(envelope.shape));
/** The same, with no field more. */
const isEnvelope = jsonTest(z.strictObject(envelope.shape));
const isDataOf = new Map(Object.entries(eventData).map(([kind, schema]) => [kind, jsonTest(schema)]));

export function sumOf(bytesBeforeSum: string | Uint8Array): EventSum {
  return sha256Hex(bytesBeforeSum).slice(0, 16) as EventSum;
}

/** What a line says beside its event. What is undefined does not stand in it. */
type Around = Pick<Envelope, 'seq' | 'by' | 'at' | 'prev'> & {
  readonly [K in 'origin' | 'more' | 'saw']?: Envelope[K] | undefined;
};

/** One line with its line feed. The fields stand in a fixed order with `sum` last, so a reader checks bytes, not values. */
export function encodeLine(
  { kind, run, node, who, data }: EventDraft,
  { seq, by, at, origin, more, prev, saw }: Around,
): { readonly line: string; readonly event: Event } {
  const fields = {
    v: lineVersion(who, data),
    seq,
    by,
    at,
    origin,
    kind,
    run,
    node,
    who,
    data,
    more,
    prev,
    saw,
  };
  const text = JSON.stringify(fields);
  const body = text.slice(0, -1);
  const sum = sumOf(body);
  const line = `${body}${sumField}${sum}"}\n`;
  assert(
    Buffer.byteLength(line) <= limits.line,
    'an event must fit in a line: requests are bounded before they are decided',
  );
  // What a later read gives, so that the fold in memory and the fold of that read see the same value.
  return { line, event: { ...plainCopy(fields), sum } as object as Event };
}

/** Reads one line, without its line feed. Checks the bytes first: what fails its sum is never looked into. */
export function decodeLine(bytes: Buffer): Result<Event, LineProblem> {
  if (bytes.length + 1 > limits.line)
    return err({ reason: 'invalid', message: `the line has ${bytes.length + 1} bytes; ${limits.line} are allowed` });
  const split = bytes.length - tailLength;
  const sum = split > 0 ? bytes.toString('latin1', split + sumField.length, split + sumField.length + 16) : '';
  if (
    split <= 0 ||
    bytes.toString('latin1', split, split + sumField.length) !== sumField ||
    bytes.toString('latin1', bytes.length - 2) !== '"}' ||
    !idPatterns.sum.test(sum)
  ) {
    return err({ reason: 'cut', message: 'the line does not end in its sum' });
  }
  const actual = sumOf(bytes.subarray(0, split));
  if (actual !== sum) return err({ reason: 'cut', message: `checksum mismatch: expected ${sum}, got ${actual}` });
  return parseLine(bytes);
}

function parseLine(bytes: Buffer): Result<Event, LineProblem> {
  // Most lines are ASCII throughout, which is read several times as fast.
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return invalid('the line is not UTF-8');
  const text = bytes.toString(ascii ? 'latin1' : 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return invalid(`the line is not JSON: ${(cause as Error).message}`);
  }
  return isToday(value) && !mayBeDeep(text) ? ok(value) : readValue(value);
}

/** A line as this program writes it. Whatever is not one is looked at closely, to say why. */
function isToday(value: unknown): value is Event {
  if (!isEnvelope(value)) return false;
  const { v, kind, who, data } = value as Envelope & Pick<EventDraft, 'kind' | 'who'> & { readonly data: unknown };
  return isDataOf.get(kind)?.(data) === true && v === lineVersion(who, data);
}

/** More opening brackets than may lie inside each other, be they in texts. */
function mayBeDeep(text: string): boolean {
  let left = limits.lineDepth;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if ((left -= 1) < 0) return true;
  return false;
}

function readValue(value: unknown): Result<Event, LineProblem> {
  const parsed = safeParse(envelope, value);
  if (!parsed.success) return invalid(`the envelope is wrong: ${issues(parsed.error)}`);
  if (parsed.data.v > eventVersion) {
    return err({
      reason: 'newer',
      message: `written by a newer WorkRail (line format ${parsed.data.v}, this one reads up to ${eventVersion})`,
    });
  }
  const raw = upcast(value as JsonObject, parsed.data.v);
  const kind = parsed.data.kind;
  if (!Object.hasOwn(eventData, kind)) {
    return err({
      reason: 'newer',
      message: `written by a newer WorkRail (unknown kind of event ${JSON.stringify(kind.slice(0, 60))})`,
    });
  }
  // Its sum is right, so these are the bytes that somebody wrote: from this version on an unknown form is a newer one.
  const unknown = parsed.data.v < eventVersion ? invalid : newerForm;
  const strange = Object.keys(raw).find((field) => !envelopeFields.has(field));
  if (strange !== undefined)
    return unknown(`the envelope has an unknown field ${JSON.stringify(strange.slice(0, 60))}`);
  if (nestingDepth(raw, limits.lineDepth) > limits.lineDepth)
    return invalid(`values are nested more than ${limits.lineDepth} deep`);
  const data = safeParse(eventData[kind as EventKind], raw['data']);
  if (!data.success) return unknown(`${kind}: ${issues(data.error)}`);
  const event: unknown = raw;
  return ok(event as Event);
}

const invalid = (message: string): Result<never, LineProblem> => err({ reason: 'invalid', message });

const newerForm = (what: string): Result<never, LineProblem> =>
  err({ reason: 'newer', message: `written by a newer WorkRail (${what})` });

const issues = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'line'}: ${issue.message}`)
    .join('; ');
