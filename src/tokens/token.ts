import { sessionPrefix } from '../base/session-prefix.js';
import { createHmac } from 'node:crypto';
import { sha256Hex } from '../base/digest.js';
import type { AttemptId, EventSum, KeyId, NodeId, SessionId, VersionId } from '../base/ids.js';
import { limits } from '../base/limits.js';
import { packBase32, unpackBase32 } from './base32.js';

/** What seals tokens on this installation. */
export interface SealingKey {
  readonly id: KeyId;
  readonly secret: Uint8Array;
}

export type TokenKind = 'state' | 'ack' | 'session' | 'write';

/** How each kind is spelled and what it carries besides its tag. All widths together are a multiple of five. */
export const tokenForms = {
  state: { prefix: 'st.v1.', widths: [34, 48, 48] },
  ack: { prefix: 'ack.v1.', widths: [37, 40, 48] },
  session: { prefix: 'ss.v1.', widths: [82, 48] },
  write: { prefix: 'sw.v1.', widths: [34, 48, 48] },
} as const satisfies { readonly [kind in TokenKind]: { readonly prefix: string; readonly widths: readonly number[] } };

const tagBits = 48;

export function bodyLength(kind: TokenKind): number {
  return tokenForms[kind].widths.reduce((sum, width) => sum + width, 0) / 5;
}

function sealed(kind: TokenKind, fields: readonly bigint[]): string {
  return tokenForms[kind].prefix + packBase32(fields, tokenForms[kind].widths);
}

export function sealState(key: SealingKey, session: SessionId, node: NodeId): string {
  return sealed('state', [sessionPrefix(session, 34), numberOf(node), tagOf(key, 'state', session, node, '')]);
}

export function sealAck(key: SealingKey, session: SessionId, node: NodeId, attempt: AttemptId): string {
  return sealed('ack', [numberOf(node) >> 11n, numberOf(attempt), tagOf(key, 'ack', session, node, attempt)]);
}

export function sealSession(key: SealingKey, session: SessionId): string {
  return sealed('session', [sessionPrefix(session, 82), tagOf(key, 'session', session, '', '')]);
}

/** From which version of a shared state somebody writes. The agent it is for stands in the tag alone. */
export function sealWrite(key: SealingKey, session: SessionId, version: VersionId, agent: string): string {
  return sealed('write', [
    sessionPrefix(session, 34),
    BigInt(`0x${version}`),
    tagOf(key, 'write', session, version, agent),
  ]);
}

export interface OpenState {
  readonly kind: 'state';
  /** 34 bits of the session's digest: which sessions may be meant. */
  readonly session: bigint;
  readonly node: NodeId;
  readonly tag: bigint;
}
export interface OpenAck {
  readonly kind: 'ack';
  /** The first 37 of the node's 48 bits: which nodes may be meant. */
  readonly node: bigint;
  readonly attempt: AttemptId;
  readonly tag: bigint;
}
export interface OpenSession {
  readonly kind: 'session';
  readonly session: bigint;
  readonly tag: bigint;
}

export interface OpenWrite {
  readonly kind: 'write';
  readonly session: bigint;
  readonly version: VersionId;
  readonly tag: bigint;
}

/** Takes the body of a token apart, or undefined where a letter is none of the alphabet. Nothing is verified yet. */
export function openBody(kind: TokenKind, body: string): OpenState | OpenAck | OpenSession | OpenWrite | undefined {
  const fields = unpackBase32(body, tokenForms[kind].widths);
  if (fields === undefined) return undefined;
  const [first = 0n, second = 0n, third = 0n] = fields;
  switch (kind) {
    case 'state':
      return { kind, session: first, node: `n_${hex(second, 12)}` as NodeId, tag: third };
    case 'ack':
      return { kind, node: first, attempt: `a_${hex(second, 10)}` as AttemptId, tag: third };
    case 'session':
      return { kind, session: first, tag: second };
    case 'write':
      return { kind, session: first, version: hex(second, 12) as VersionId, tag: third };
  }
}

/** The key that sealed a state token, if it is of this session. */
export function verifyState(keys: readonly SealingKey[], open: OpenState, session: SessionId): SealingKey | undefined {
  return keys.find((key) => tagOf(key, 'state', session, open.node, '') === open.tag);
}

export function verifyAck(
  keys: readonly SealingKey[],
  open: OpenAck,
  session: SessionId,
  node: NodeId,
): SealingKey | undefined {
  return keys.find((key) => tagOf(key, 'ack', session, node, open.attempt) === open.tag);
}

export function verifySession(
  keys: readonly SealingKey[],
  open: OpenSession,
  session: SessionId,
): SealingKey | undefined {
  return keys.find((key) => tagOf(key, 'session', session, '', '') === open.tag);
}

export function verifyWrite(
  keys: readonly SealingKey[],
  open: OpenWrite,
  session: SessionId,
  agent: string,
): SealingKey | undefined {
  return keys.find((key) => tagOf(key, 'write', session, open.version, agent) === open.tag);
}

export function ackMayBeOf(open: OpenAck, node: NodeId): boolean {
  return numberOf(node) >> 11n === open.node;
}

/** The first attempt on a node follows from the node, so that answering again gives the same token. */
export function firstAttempt(node: NodeId): AttemptId {
  return `a_${sha256Hex(`first attempt on ${node}`).slice(0, 10)}` as AttemptId;
}

/** The attempt that takes work which was kept beside a step: it follows from what kept it, so that it is the same each time. */
export function attemptOfKept(checkpoint: EventSum): AttemptId {
  return `a_${sha256Hex(`what was kept in ${checkpoint}`).slice(0, 10)}` as AttemptId;
}

/** A token comes back soon after it was given out: its tag need not be made again to be compared. */
const made = new WeakMap<SealingKey, Map<string, bigint>>();

function tagOf(key: SealingKey, kind: TokenKind, session: string, node: string, attempt: string): bigint {
  const told = `${kind}\n${session}\n${node}\n${attempt}`;
  const tags = made.get(key) ?? new Map<string, bigint>();
  const known = tags.get(told);
  if (known !== undefined) return known;
  const tag = BigInt(
    `0x${createHmac('sha256', key.secret)
      .update(told)
      .digest('hex')
      .slice(0, tagBits / 4)}`,
  );
  if (tags.size >= limits.remembered) tags.clear();
  made.set(key, tags.set(told, tag));
  return tag;
}

const numberOf = (id: NodeId | AttemptId): bigint => BigInt(`0x${id.slice(2)}`);
const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, '0');
