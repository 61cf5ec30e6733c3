import { isPlaceholder } from './placeholder.js';
import { type SecretFound, type SecretInText, secretsByShape } from './secret-shapes.js';

const tellingWord =
  /pass(?:word|wd|phrase|code)|pwd|secret|token|(?:api|access|account|auth|private|signing|encryption|master)[_-]?key|credential|authorization|bearer/giu;
const tellingName = new RegExp(tellingWord.source, 'iu');
/** Names that speak about a secret without being one: how many, which one, where it is, what its digest is. */
const aboutOne =
  /(?:^|[_-])(?:id|ids|name|names|count|type|kind|url|uri|path|file|len|length|size|limit|budget|usage|hash|digest|sum|version|format|expir[a-z]*|ttl|policy|field|param|header|error|public)(?=$|[_-])/iu;
const aboutOneInCamelCase =
  /(?:Id|Ids|Name|Names|Count|Type|Kind|Url|Uri|Path|File|Len|Length|Size|Limit|Budget|Usage|Hash|Digest|Sum|Version|Format|Expiry|Expires|Ttl|Policy|Field|Param|Header|Error)$|^public(?=[A-Z])|tokens$|^tokeni[sz]/u;
const passwordName = /pass|pwd/iu;

const nameCharacter = /[A-Za-z0-9_-]/u;
const nameReach = 40;
const between =
  /[\\"'`*_\])]{0,4}[ \t]{0,4}(?:=>|:=|={1,3}|:|is(?= )|was(?= ))[\\"'`*_]{0,4}[ \t]{0,8}(?:(?:bearer|basic|token|digest)[ \t]{1,4})?[\\"'`*_]{0,4}/iuy;
const afterOption = /[ \t]{1,4}["'`]?/uy;
const aValue = /[^\s"'`<>(){}[\],;|\\]{8,256}/uy;

/** What names a node or an attempt of ours opens nothing without the installation's key, and the log can give it again. */
const ownToken = /^(?:st|ack|ss)\.v\d\./u;

/** `user:password@host` without a scheme, and a token that is all of a login; found from their first sign, for a time in line with the length. */
const logins = [
  { told: 'password', pattern: /:([^\s/:@"'<>`]{8,200})@(?!sha\d{3}:)[A-Za-z0-9[]/gu },
  { told: 'other', pattern: /:\/\/([^\s/:@"'<>`]{16,200})@[A-Za-z0-9[]/gu },
] as const;

/** The credentials that a text seems to hold: by their spelling, or as hard to guess beside a name that tells. */
export function secretsInText(text: string): readonly SecretFound[] {
  const shaped = withLogins(text, secretsByShape(text));
  const found: SecretFound[] = [...shaped];
  let next = 0;
  let covered = 0;
  for (const { index, 0: word } of text.matchAll(tellingWord)) {
    const secret = valueBeside(text, index, index + word.length);
    if (secret === undefined) continue;
    // What its spelling gave away already is not told twice. Both come in the order of the text.
    for (; next < shaped.length && shaped[next]!.index < secret.index + secret.text.length; next += 1)
      covered = Math.max(covered, shaped[next]!.index + shaped[next]!.text.length);
    if (secret.index < covered) continue;
    found.push(secret);
    covered = secret.index + secret.text.length;
  }
  return found;
}

function withLogins(text: string, shaped: readonly SecretInText[]): readonly SecretInText[] {
  if (!text.includes('@')) return shaped;
  const found = logins.flatMap(({ told, pattern }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: { length }, 1: secret = '', index }) => {
      const at = index + length - secret.length - '@x'.length;
      return looksSecret(secret, told) &&
        !shaped.some((one) => one.index < at + secret.length && one.index + one.text.length > at)
        ? [{ name: 'a login in an address', text: secret, index: at }]
        : [];
    }),
  );
  return found.length === 0 ? shaped : [...shaped, ...found].toSorted((a, b) => a.index - b.index);
}

/** What is kept under a name that tells, where it is hard to guess. */
export function secretByName(name: string, value: string): SecretFound | undefined {
  const told = toldBy(name);
  return told !== undefined && looksSecret(value, told)
    ? { name: `a secret next to ${JSON.stringify(name.slice(0, nameReach))}`, text: value }
    : undefined;
}

function valueBeside(text: string, from: number, to: number): SecretInText | undefined {
  let start = from;
  while (start > 0 && from - start < nameReach && nameCharacter.test(text[start - 1]!)) start -= 1;
  let end = to;
  while (end < text.length && end - to < nameReach && nameCharacter.test(text[end]!)) end += 1;
  const name = text.slice(start, end);
  const told = toldBy(name.replace(/^-+/u, ''));
  if (told === undefined) return undefined;
  const gap =
    name.startsWith('--') || /^bearer$/iu.test(name)
      ? (matchAt(between, text, end) ?? matchAt(afterOption, text, end))
      : matchAt(between, text, end);
  if (gap === undefined) return undefined;
  const raw = matchAt(aValue, text, end + gap.length);
  if (raw === undefined) return undefined;
  // A call or a lookup gives the secret; it is not written there.
  const after = text[end + gap.length + raw.length];
  if (after === '(' || after === '[') return undefined;
  const value = raw.replace(/[.:!?*_]+$/u, '');
  return looksSecret(value, told)
    ? { name: `a secret next to ${JSON.stringify(name.replace(/^-+/u, ''))}`, text: value, index: end + gap.length }
    : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function toldBy(name: string): 'password' | 'other' | undefined {
  if (name.length > 3 * nameReach || !tellingName.test(name) || aboutOne.test(name) || aboutOneInCamelCase.test(name))
    return undefined;
  return passwordName.test(name) ? 'password' : 'other';
}

function looksSecret(value: string, told: 'password' | 'other'): boolean {
  if (value.length < 8 || value.length > 4096 || /\s/u.test(value) || ownToken.test(value) || isPlaceholder(value))
    return false;
  if (/^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/|~\/|#)/iu.test(value) || isMadeOfWords(value)) return false;
  const kinds = [/[a-z]/u, /[A-Z]/u, /[0-9]/u, /[^A-Za-z0-9]/u].filter((kind) => kind.test(value)).length;
  const bits = value.length * entropyOf(value);
  // Ten different characters of three kinds, or sixteen of two: nobody's word, and nothing a person would call a thing.
  return (
    (kinds >= 3 && bits >= (told === 'password' ? 24 : 33)) ||
    (kinds >= 2 && /[0-9]/u.test(value) && value.length >= 16 && bits >= 44)
  );
}

/** `claude-3-5-sonnet`, `auth/token.ts:42`, `tokens=1200`, `oauth2Client`: a name of something, of words and small numbers. */
function isMadeOfWords(value: string): boolean {
  const parts = value.split(/[-_./:#@+=]|(?<=[a-z])(?=[A-Z])/u).filter((part) => part !== '');
  if (parts.length === 1 && /[A-Z]/u.test(value) && /[0-9]/u.test(value)) return false;
  return parts.every((part) => /^(?:[A-Za-z]{1,24}[0-9]{0,3}|v?[0-9]{1,8})$/u.test(part));
}

function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
