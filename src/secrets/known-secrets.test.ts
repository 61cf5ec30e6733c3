import fc from 'fast-check';
import { expect, it } from 'vitest';
import { secretPattern } from './known-secrets.js';

const without = (text: string, secret: string): string =>
  text.replaceAll(new RegExp(secretPattern(secret), 'gu'), '[secret]');

const secrets = fc.oneof(
  fc.string({ minLength: 4, maxLength: 40 }),
  fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme' }),
  fc.string({
    minLength: 4,
    maxLength: 20,
    unit: fc.constantFrom(...`+/=&"'\\ %<>\n\t$.*[](){}^|?-_é漢`.split(''), '😀'),
  }),
);

const percent = (text: string): string => encodeURIComponent(text);
const ways: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify(secret),
  (secret) => JSON.stringify(JSON.stringify({ a: secret })),
  percent,
  (secret) => percent(secret).replaceAll(/%[0-9A-F]{2}/gu, (code) => code.toLowerCase()),
  (secret) => percent(secret).replaceAll('%20', '+'),
  (secret) => encodeURI(secret),
  (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  (secret) => [...secret].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  (secret) => secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(secret).toString('base64url'),
];

it('finds a secret however it is written', () => {
  fc.assert(
    fc.property(secrets, fc.constantFrom(...ways), fc.string(), fc.string(), (secret, write, before, after) => {
      // Half a character cannot be written in an address.
      fc.pre(!/\p{Surrogate}/u.test(secret));
      const text = `${before} ${write(secret)} ${after}`;
      expect(without(text, secret)).toContain('[secret]');
      expect(without(write(secret), secret)).not.toContain(
        write(secret).replaceAll(/^["\\{a:]+|["\\}=]+$/gu, '') || '-',
      );
    }),
    { numRuns: 800 },
  );
});

it('leaves nothing of it in base64, whatever stands before and after', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 40 }), fc.string(), fc.string(), (bytes, before, after) => {
      const secret = Buffer.from(bytes).toString('hex');
      const encoded = Buffer.from(`${before}${secret}${after}`);
      for (const text of [encoded.toString('base64'), encoded.toString('base64url')]) {
        const left = without(text, secret);
        expect(left).toContain('[secret]');
        const known = left.split('[secret]').map((part) => Buffer.from(part, 'base64').toString('latin1'));
        expect(known.join('')).not.toContain(secret.slice(0, 4));
      }
    }),
    { numRuns: 500 },
  );
});

it('leaves what is no secret', () => {
  const text = 'The quick brown fox, "a": [1, 2], %20 c2VjcmV0 &amp;';
  expect(without(text, 'another-secret')).toBe(text);
  expect(without('abcd abce', 'abcd')).toBe('[secret] abce');
});
