import { byteLength, firstWords } from '../../base/byte-budget.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Left, Verdict } from '../../decide/commands/decide-tried.js';
import type { CallAnswer } from '../../engine/judge-call.js';
import type { PreparedCommand } from './prepare-command.js';

/** Bytes of an answer that are no text. */
export interface RawAnswer extends CallAnswer {
  readonly raw?: Uint8Array;
}

/** What is kept of an answer that is right goes into the log, or beside the session, or, where it is secret, nowhere. */
export async function rightVerdict(
  prepared: PreparedCommand,
  { headers, raw }: Omit<RawAnswer, 'status' | 'body'>,
  body: JsonValue,
): Promise<Verdict> {
  const { command, kept } = prepared;
  const { step, call } = command;
  if (step.secret === true) {
    const texts = textsIn(body);
    if (texts.size > limits.secretTexts)
      return { kind: 'wrong', message: tooManySecrets(texts.size), left: { noBody: 'secret' } };
    prepared.calls.learn(texts);
    kept.secrets.keep(call, body);
    return { kind: 'right', left: { noBody: 'secret' } };
  }
  const type = typeof headers['content-type'] === 'string' ? headers['content-type'] : undefined;
  if (raw !== undefined && step.keep === undefined)
    return { kind: 'right', left: { file: await fileOf(prepared, raw, type ?? 'application/octet-stream') } };
  const text = JSON.stringify(body);
  if (byteLength(text) <= limits.commandResult) return { kind: 'right', left: { body } };
  const isText = typeof body === 'string';
  const file = await fileOf(
    prepared,
    Buffer.from(isText ? body : text),
    isText ? (type ?? 'text/plain') : 'application/json',
  );
  return { kind: 'right', left: { file } };
}

/** What of an answer that is not right helps whoever looks at it. */
export function wrongLeft(
  { command: { step } }: PreparedCommand,
  { body, raw }: Omit<RawAnswer, 'status' | 'headers'>,
): Left {
  if (step.secret === true) return { noBody: 'secret' };
  return raw !== undefined || byteLength(JSON.stringify(body)) > limits.commandResult ? {} : { body };
}

async function fileOf({ kept }: PreparedCommand, bytes: Uint8Array, type: string): Promise<NonNullable<Left['file']>> {
  return { sha256: await kept.put(bytes), bytes: bytes.length, type: firstWords(type, limits.recordedTitle) };
}

/** The texts of a secret answer, and its numbers, but for those that any answer may have. */
function textsIn(value: JsonValue, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (String(value).length >= limits.secretTextLeast) found.add(String(value));
  }
  if (Array.isArray(value)) for (const one of value as readonly JsonValue[]) textsIn(one, found);
  else if (isJsonObject(value)) for (const one of Object.values(value)) textsIn(one, found);
  return found;
}

const tooManySecrets = (count: number): string =>
  `its answer is secret and has ${count} texts, and at most ${limits.secretTexts} can be kept out of everything; say with \`keep\` which are needed`;
