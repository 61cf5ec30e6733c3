import { escapePattern } from '../base/escape-pattern.js';

/**
 * A pattern for one secret however it is written: as it is, escaped for JSON, HTML or an address, as base64 (also as a
 * part of what was encoded, such as Basic) and in hexadecimal digits.
 */
export function secretPattern(secret: string): string {
  const bytes = Buffer.from(secret);
  return [[...secret].map(signPattern).join(''), ...base64Patterns(bytes), hexPattern(bytes)].join('|');
}

/** A pattern for one text, escaped for JSON, HTML or an address or as it is. */
export const writtenPattern = (text: string): string => [...text].map(signPattern).join('');

const backslashes = String.raw`\\+`;

const entities: ReadonlyMap<string, string> = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);

/** One character, in every way that it can be written. */
function signPattern(sign: string): string {
  const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at).toString(16).padStart(4, '0'));
  const ways = [
    escapePattern(sign),
    [...Buffer.from(sign)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join(''),
    units.map((unit) => String.raw`\\+u${anyCase(unit)}`).join(''),
    `&#(?:${sign.codePointAt(0)}|x${anyCase(sign.codePointAt(0)!.toString(16))});`,
  ];
  if (sign === ' ') ways.push(String.raw`\+`);
  // JSON may stand in JSON, and that again: each time there are more backslashes.
  const escaped = sign === '/' ? sign : JSON.stringify(sign).slice(2, -1);
  if (escaped !== '') ways.push(`${backslashes}${escapePattern(escaped)}`);
  const entity = entities.get(sign);
  if (entity !== undefined) ways.push(`&${entity};`);
  return `(?:${ways.join('|')})`;
}

const anyCase = (digits: string): string =>
  digits.replaceAll(/[a-f]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

const anyBase64 = '[A-Za-z0-9+/_-]';

/** What base64 makes of the bytes wherever they stand in what is encoded, with the signs beside that hold a part of them. */
function base64Patterns(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/u, '');
    const whole = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
    const core = [...whole].map(base64Sign).join('');
    return `${before === 0 ? '' : `${anyBase64}?`}${core}(?:${anyBase64}=?)?`;
  });
}

const base64Sign = (sign: string): string => {
  if (sign === '+') return '(?:[+-]|%2[Bb])';
  return sign === '/' ? String.raw`(?:[/_]|\\/|%2[Ff])` : sign;
};

const hexPattern = (bytes: Buffer): string => anyCase(bytes.toString('hex'));
