import { err, ok, type Result } from '../base/result.js';
import { isBase32Letter } from './base32.js';
import {
  bodyLength,
  type OpenAck,
  openBody,
  type OpenSession,
  type OpenState,
  type OpenWrite,
  type TokenKind,
  tokenForms,
} from './token.js';

export interface TokenShapeProblem {
  readonly reason: 'malformed' | 'wrong_kind' | 'version';
  readonly message: string;
}

const exampleBody = '7Q2KX0M9ZB4T1D8RVH6WJ3NC5P';
const kindNames: { readonly [kind in TokenKind]: string } = {
  state: 'a stateToken',
  ack: 'an ackToken',
  session: 'a sessionToken',
  write: 'a writeToken',
};

interface Opened {
  readonly state: OpenState;
  readonly ack: OpenAck;
  readonly session: OpenSession;
  readonly write: OpenWrite;
}

/** Reads the form of a token strictly: prefix, length and letters. Whether it is genuine is for the caller to verify. */
export function readToken<K extends TokenKind>(kind: K, text: string): Result<Opened[K], TokenShapeProblem> {
  const { prefix } = tokenForms[kind];
  // Folding case reaches beyond ASCII (a long s, a Kelvin sign): such a letter is never part of a token.
  if (!/^[!-~]*$/u.test(text)) return malformed(kind, 'has a character in it that no token has');
  const lower = text.toLowerCase();
  if (!lower.startsWith(prefix)) return err(wrongStart(kind, lower));
  const body = text.slice(prefix.length);
  const wanted = bodyLength(kind);
  const strange = [...body].find((letter) => !isBase32Letter(letter));
  if (strange !== undefined)
    return malformed(kind, `has ${JSON.stringify(strange)} in it, which is no letter of a token`);
  if (body.length !== wanted) {
    const difference = Math.abs(body.length - wanted);
    return malformed(
      kind,
      `is ${difference} character${difference === 1 ? '' : 's'} too ${body.length < wanted ? 'short' : 'long'}`,
    );
  }
  const open = openBody(kind, body);
  if (open?.kind !== kind) return malformed(kind, 'cannot be read');
  return ok(open as Opened[K]);
}

const looksLike = (kind: TokenKind): string => `; ${kindNames[kind]} looks like ${exampleToken(kind)}`;

function exampleToken(kind: TokenKind): string {
  return tokenForms[kind].prefix + exampleBody.slice(0, bodyLength(kind));
}

function wrongStart(kind: TokenKind, lower: string): TokenShapeProblem {
  const other = (Object.keys(tokenForms) as TokenKind[]).find((name) => lower.startsWith(tokenForms[name].prefix));
  if (other !== undefined)
    return {
      reason: 'wrong_kind',
      message: `is ${kindNames[other]}, and ${kindNames[kind]} is wanted here${looksLike(kind)}`,
    };
  const version = new RegExp(`^${tokenForms[kind].prefix.slice(0, -3)}v(\\d+)\\.`, 'u').exec(lower)?.[1];
  if (version !== undefined)
    return {
      reason: 'version',
      message: `is of version ${version}, and this WorkRail reads version 1${looksLike(kind)}`,
    };
  return { reason: 'malformed', message: `does not begin with "${tokenForms[kind].prefix}"${looksLike(kind)}` };
}

function malformed(kind: TokenKind, what: string): Result<never, TokenShapeProblem> {
  return err({ reason: 'malformed', message: `${what}${looksLike(kind)}` });
}
