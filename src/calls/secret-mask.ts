import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { secretPattern } from '../secrets/known-secrets.js';

const instead = '[secret]';

/** Takes every secret that was ever given out of what comes back, and of what is told. */
export interface SecretMask {
  /** From now on, this is a secret. */
  readonly learn: (value: string) => void;
  readonly text: (text: string) => string;
  readonly value: (value: JsonValue) => JsonValue;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  readonly holds: (text: string) => boolean;
}

export function openMask(): SecretMask {
  const known = new Set<string>();
  let pattern: RegExp | undefined;
  const masked = (text: string): string => (pattern === undefined ? text : text.replaceAll(pattern, instead));
  return {
    learn: (secret) => {
      if (secret.length < limits.secretLeast || known.has(secret)) return;
      known.add(secret);
      // As headers and other bytes are read.
      known.add(Buffer.from(secret).toString('latin1'));
      // The longest first: one may be a part of another.
      const all = [...known].toSorted((one, other) => other.length - one.length);
      pattern = new RegExp(all.map(secretPattern).join('|'), 'gu');
    },
    text: masked,
    value: (whole) => (pattern === undefined ? whole : maskedValue(whole, masked)),
    bytes: (bytes) => {
      const text = Buffer.from(bytes).toString('latin1');
      const without = masked(text);
      return without === text ? bytes : Buffer.from(without, 'latin1');
    },
    holds: (text) => masked(text) !== text,
  };
}

/** A value in which a mask was laid on every text. */
export function maskedValue(whole: JsonValue, masked: (text: string) => string): JsonValue {
  if (typeof whole === 'string') return masked(whole);
  // A number may be the secret.
  if (typeof whole === 'number') return masked(String(whole)) === String(whole) ? whole : instead;
  if (Array.isArray(whole)) return (whole as readonly JsonValue[]).map((one) => maskedValue(one, masked));
  return isJsonObject(whole) ? maskedObject(whole, masked) : whole;
}

const maskedObject = (whole: JsonObject, masked: (text: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(whole).map(([key, child]) => [masked(key), maskedValue(child, masked)]));

/** Takes short texts out where they stand alone: as parts of words and numbers they may be anything. */
export function maskOfShort(texts: readonly string[]): (text: string) => string {
  const known = texts.filter((text) => text.length >= limits.secretLeast);
  if (known.length === 0) return (text) => text;
  const all = known.toSorted((one, other) => other.length - one.length).map(secretPattern);
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${all.join('|')})(?![\p{L}\p{N}])`, 'gu');
  return (text) => text.replaceAll(pattern, instead);
}
