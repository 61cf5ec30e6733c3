import { parse, type ParseError, type ParseErrorCode } from 'jsonc-parser';
import { limits } from '../../base/limits.js';
import type { Violation } from './violation.js';

/**
 * What is wrong with a text that is meant to be JSON, each with its place and what to write instead. After anything but a
 * missing comma a parser has lost its way, and the rest is about its confusion.
 */
export function jsonProblems(text: string, file: string): readonly Violation[] {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { allowTrailingComma: true });
  } catch (cause) {
    // The parser recurses.
    if (!(cause instanceof RangeError)) throw cause;
    return [problem(text, 0, 'depth', `${file} is nested too deeply: move inner parts into routines`)];
  }
  const other = errors.findIndex(({ error }) => error !== commaExpected);
  const told = (other < 0 ? errors : errors.slice(0, other + 1)).slice(0, limits.violations);
  return told.length > 0
    ? told.map(({ error, offset }) => problem(text, offset, 'json', remedyFor(error, text.slice(offset)), error))
    : [problem(text, 0, 'json', `${file} is not JSON`)];
}

const [valueExpected, colonExpected, commaExpected]: readonly ParseErrorCode[] = [4, 5, 6];

/** Of the codes of the parser, by their numbers. */
const remedies: { readonly [code in ParseErrorCode]?: string } = {
  1: 'text needs double quotes; without them JSON only knows `true`, `false`, `null` and numbers',
  2: 'a number is written as `1`, `-2.5` or `1e3`, with no `+` and no `0` before it',
  3: 'a key in double quotes is expected here',
  4: 'a value is expected here',
  5: 'a `:` is missing between a key and its value',
  6: 'a comma is missing before this',
  7: 'a `}` is missing: an object that was opened is not closed',
  8: 'a `]` is missing: a list that was opened is not closed',
  9: 'the JSON value ends before this: remove what follows, or the bracket that closes it too early',
  11: 'a comment that begins with `/*` ends with `*/`',
  12: 'a text that is opened with `"` ends with `"` on the same line; a line break in it is written `\\n`',
  13: 'a number is written as `1`, `-2.5` or `1e3`, with digits on both sides of its dot',
  14: 'after `\\u` in a text stand four hexadecimal digits; a backslash is written `\\\\`',
  15: 'a backslash in a text is written `\\\\`, a double quote `\\"`, a line break `\\n`',
  16: 'a line break or a tab in a text is written `\\n` or `\\t`',
};

function remedyFor(code: ParseErrorCode, rest: string): string {
  if (rest.startsWith("'")) return 'JSON only knows double quotes';
  if (code === valueExpected && /^[:,]/u.test(rest))
    return `there is one \`${rest[0]!}\` too many here, or a value too few`;
  return remedies[code] ?? 'this is not JSON';
}

function problem(text: string, offset: number, rule: string, message: string, code?: ParseErrorCode): Violation {
  const before = text.slice(0, offset).split('\n');
  const place = { line: before.length, column: before.at(-1)!.length + 1 };
  const expected = code === commaExpected ? ',' : code === colonExpected ? ':' : undefined;
  return { severity: 'error', rule, pointer: '', ...place, message, ...(expected !== undefined && { expected }) };
}
