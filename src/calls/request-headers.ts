import { err, ok, type Result } from '../base/result.js';
import { type CallProblem, callProblem } from './call-problem.js';

export type Header = readonly [name: string, value: string];

/** What a connection says of itself. */
const ofConnection: ReadonlySet<string> = new Set(
  'host content-length transfer-encoding connection keep-alive upgrade expect te trailer proxy-authorization proxy-connection http2-settings'.split(
    ' ',
  ),
);
/** Of a request that was led to another origin, this goes with it. */
const forStrangers: ReadonlySet<string> = new Set(['accept', 'accept-language', 'range']);

/** Later ones take the place of earlier ones; cookies are joined. */
export function joinHeaders(...groups: readonly (readonly Header[])[]): Result<readonly Header[], CallProblem> {
  const joined = new Map<string, string>();
  for (const [given, value] of groups.flat()) {
    const name = given.toLowerCase();
    const wrong = whyWrong(name, value);
    if (wrong !== undefined) return err(callProblem('VALIDATION_ERROR', wrong, 'Give another value for it.'));
    const standing = name === 'cookie' ? joined.get(name) : undefined;
    joined.set(name, standing === undefined ? value : `${standing}; ${value}`);
  }
  return ok([...joined]);
}

function whyWrong(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/u.test(name)) return 'The name of a header holds signs that none may hold.';
  if (ofConnection.has(name)) return `The header \`${name}\` belongs to the connection, and cannot be given.`;
  return /^[\t\u0020-\u007E\u0080-\u00FF]*$/u.test(value)
    ? undefined
    : `The value of the header \`${name}\` holds a line break or a sign that no header can hold.`;
}

export const headersForStrangers = (headers: readonly Header[]): readonly Header[] =>
  headers.filter(([name]) => forStrangers.has(name.toLowerCase()));
