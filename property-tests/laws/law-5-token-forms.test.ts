import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttemptId, KeyId, NodeId, SessionId, VersionId } from '../../src/base/ids.js';
import { readToken } from '../../src/tokens/read-token.js';
import {
  ackMayBeOf,
  firstAttempt,
  sealAck,
  type SealingKey,
  sealSession,
  sealState,
  sealWrite,
  type TokenKind,
  verifyAck,
  verifySession,
  verifyState,
  verifyWrite,
} from '../../src/tokens/token.js';
import { sessionPrefix } from '../../src/base/session-prefix.js';
import { attemptIds, nodeIds } from '../worlds/event-generators.js';
import { runs } from '../worlds/runs-of-law.js';
import { everyChange } from '../worlds/token-changes.js';

const keys: fc.Arbitrary<SealingKey> = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.integer({ min: 0, max: 0xffffffff }))
  .map(([secret, id]) => ({ id: `k_${id.toString(16).padStart(8, '0')}` as KeyId, secret }));
const sessions = fc.oneof(
  fc
    .string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 12, maxLength: 12 })
    .map((text) => `ses_${text}` as SessionId),
  fc.constantFrom('AUTH-1234' as SessionId, 'a' as SessionId, `x${'y'.repeat(127)}` as SessionId),
);

interface Sealed {
  readonly key: SealingKey;
  readonly session: SessionId;
  readonly node: NodeId;
  readonly attempt: AttemptId;
}
const sealed: fc.Arbitrary<Sealed> = fc.record({ key: keys, session: sessions, node: nodeIds, attempt: attemptIds });

/** As a door takes it: read strictly, then verified against what it must belong to. */
function accepts(kind: TokenKind, token: string, { key, session, node, attempt }: Sealed): boolean {
  const read = readToken(kind, token);
  if (!read.ok) return false;
  const open = read.value;
  if (open.kind === 'state')
    return (
      open.session === sessionPrefix(session, 34) &&
      open.node === node &&
      verifyState([key], open, session) !== undefined
    );
  if (open.kind === 'ack')
    return ackMayBeOf(open, node) && open.attempt === attempt && verifyAck([key], open, session, node) !== undefined;
  if (open.kind === 'write')
    return (
      open.session === sessionPrefix(session, 34) &&
      open.version === versionOf(node) &&
      verifyWrite([key], open, session, attempt) !== undefined
    );
  return open.session === sessionPrefix(session, 82) && verifySession([key], open, session) !== undefined;
}

const versionOf = (node: NodeId): VersionId => node.slice(2) as string as VersionId;

const seal: { readonly [kind in TokenKind]: (of: Sealed) => string } = {
  state: ({ key, session, node }) => sealState(key, session, node),
  ack: ({ key, session, node, attempt }) => sealAck(key, session, node, attempt),
  session: ({ key, session }) => sealSession(key, session),
  write: ({ key, session, node, attempt }) => sealWrite(key, session, versionOf(node), attempt),
};

for (const kind of ['state', 'ack', 'session', 'write'] as const) {
  test(`law 5: a ${kind} token is short, opens to what it was sealed for, whatever its case`, () => {
    fc.assert(
      fc.property(sealed, fc.infiniteStream(fc.boolean()), (of, cases) => {
        const token = seal[kind](of);
        expect(token.length).toBeLessThanOrEqual(32);
        expect(accepts(kind, token, of)).toBe(true);
        const mixed = [...token]
          .map((letter) => (cases.next().value === true ? letter.toLowerCase() : letter.toUpperCase()))
          .join('');
        expect(accepts(kind, mixed, of)).toBe(true);
      }),
      runs(300),
    );
  });

  test(`law 5: no one-character change, insertion or deletion of a ${kind} token is accepted`, () => {
    fc.assert(
      fc.property(sealed, (of) => {
        for (const changed of everyChange(seal[kind](of)))
          if (accepts(kind, changed, of)) throw new Error(`${changed} was accepted`);
      }),
      runs(4),
    );
  });

  test(`law 5: a ${kind} token with letters outside of ASCII that look or fold alike is refused`, () => {
    fc.assert(
      fc.property(
        sealed,
        fc.nat(31),
        fc.constantFrom(
          '\u017F',
          '\u212A',
          '\u0131',
          '\u0130',
          '\uFF21',
          '\uFF10',
          '\u200B',
          '\u00A0',
          '\uD800',
          '\u043E',
          '\u{1D7CE}',
        ),
        (of, at, strange) => {
          const token = seal[kind](of);
          const place = at % token.length;
          expect(readToken(kind, token.slice(0, place) + strange + token.slice(place + 1)).ok).toBe(false);
          expect(readToken(kind, token.slice(0, place) + strange + token.slice(place)).ok).toBe(false);
        },
      ),
      runs(300),
    );
  });
}

test('law 5: a token of another session, node, attempt, kind or key is refused', () => {
  fc.assert(
    fc.property(sealed, sealed, (a, b) => {
      fc.pre(
        a.session !== b.session &&
          a.node !== b.node &&
          a.attempt !== b.attempt &&
          Buffer.compare(a.key.secret, b.key.secret) !== 0,
      );
      for (const kind of ['state', 'ack', 'session', 'write'] as const) {
        const token = seal[kind](a);
        expect(accepts(kind, token, { ...a, session: b.session })).toBe(false);
        expect(accepts(kind, token, { ...a, key: b.key })).toBe(false);
        if (kind !== 'session') expect(accepts(kind, token, { ...a, node: b.node })).toBe(false);
        for (const other of ['state', 'ack', 'session'] as const)
          if (other !== kind)
            expect(readToken(other, token)).toMatchObject({ ok: false, error: { reason: 'wrong_kind' } });
      }
      expect(accepts('ack', seal.ack({ ...a, attempt: b.attempt }), a)).toBe(false);
      expect(firstAttempt(a.node)).toBe(firstAttempt(a.node));
    }),
    runs(300),
  );
});
