import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength } from '../../src/base/byte-budget.js';
import type { EventSum, NodeId, RunId, SessionId, WorkflowHash, WriterId } from '../../src/base/ids.js';
import { limits } from '../../src/base/limits.js';
import { modes } from '../../src/base/preferences.js';
import { type Event, type EventDraft, eventVersion } from '../../src/events/event.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession } from '../../src/sessions/folded-session.js';
import {
  type Candidate,
  candidatesOf,
  lastActivity,
  rankSessions,
  recencyTier,
  type Wanted,
} from '../../src/sessions/rank-sessions.js';
import { askedWords } from '../../src/sessions/asked-words.js';
import { rankingFacts, sessionFacts } from '../../src/sessions/ranking-facts.js';
import { hitsOf, type Scale, scaleOf } from '../../src/sessions/score-words.js';
import { searchableText } from '../../src/sessions/searchable-text.js';
import { snippetOf } from '../../src/sessions/snippet.js';
import { brokenText, isWhole, notesText } from '../worlds/nasty-text.js';
import { runs } from '../worlds/runs-of-law.js';

const words = fc.constantFrom(
  'login',
  'Login',
  'ＬＯＧＩＮ',
  'export',
  'AUTH-1234',
  'auth-1234',
  'fix/login',
  'main',
  'abcdef1234',
  'Größe',
  'grösse',
  'wr.review',
  'ses_1',
  '',
);
const text = fc.array(words, { maxLength: 3 }).map((parts) => parts.join(' '));
const times = fc.integer({ min: 0, max: 3 }).map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString());

/** A session of a few events: enough for every tier to match some and to tie on others. */
function sessionOf(draft: Drawn): FoldedSession {
  let seq = 0;
  const event = (of: EventDraft): Event => {
    seq += 1;
    return {
      v: eventVersion,
      seq,
      by: 'writer00' as WriterId,
      at: draft.at,
      prev: '',
      sum: seq.toString(16).padStart(16, '0') as EventSum,
      ...of,
    };
  };
  const events: Event[] = [
    event({
      kind: 'session_started',
      data: {
        ...(draft.key !== '' && { key: draft.key }),
        ...(draft.title !== '' && { title: draft.title }),
        tags: draft.tags,
        preferences: modes.guided,
        producer: 'p',
      },
    }),
  ];
  if (draft.branch !== '')
    events.push(event({ kind: 'observation', data: { branch: draft.branch, commit: 'abcdef1234567890' } }));
  for (let run = 0; run < draft.runs; run += 1) {
    const [id, root, child] = [
      `run_${run}0000000` as RunId,
      `n_${run}00000000000` as NodeId,
      `n_${run}00000000001` as NodeId,
    ];
    const made = { key: 'k_00000000', engine: 'e' } as never;
    events.push(
      event({
        kind: 'run_started',
        run: id,
        node: root,
        data: {
          workflowId: 'wr.review',
          workflowHash: '0'.repeat(64) as WorkflowHash,
          title: 'Review',
          version: '1',
          source: 's',
          inputs: {},
          context: {},
          preferences: modes.guided,
          request: '0'.repeat(16),
          ...(made as object),
        } as never,
      }),
      event({
        kind: 'step_acked',
        run: id,
        node: child,
        data: {
          parent: root,
          attempt: 'a_0000000000',
          step: 'Step',
          brought: '0'.repeat(16),
          output: { notes: draft.notes },
        } as never,
      }),
    );
  }
  if (draft.runs === 0)
    events.push(
      event({
        kind: 'checkpoint',
        data: { output: { notes: draft.notes }, brought: '0'.repeat(16), key: 'k_00000000' as never },
      }),
    );
  return foldSession(emptySession(), events);
}

interface Drawn {
  readonly key: string;
  readonly title: string;
  readonly tags: string[];
  readonly branch: string;
  readonly notes: string;
  readonly runs: number;
  readonly at: string;
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  key: words,
  title: text,
  tags: fc.array(words, { maxLength: 2 }),
  branch: words,
  notes: fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 1, arbitrary: notesText },
    { weight: 1, arbitrary: brokenText(30) },
  ),
  runs: fc.integer({ min: 0, max: 2 }),
  at: times,
});
const storesOf = (of: fc.Arbitrary<Drawn>): fc.Arbitrary<readonly Candidate[]> =>
  fc
    .array(of, { maxLength: 8 })
    .map((all) => all.flatMap((one, at) => candidatesOf(`ses_${at}` as SessionId, sessionOf(one))));
const stores = storesOf(drawn);
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });
const wanted: fc.Arbitrary<Wanted> = fc.record({
  query: maybe(text),
  gitBranch: maybe(words),
  gitHead: maybe(fc.constantFrom('abcdef1', 'ABCDEF1234', 'zz', '')),
  sessionId: maybe(fc.constantFrom('ses_0', 'SES_1', 'none')),
});

const nameOf = ({ sessionId, run }: Candidate): string => `${sessionId} ${run?.id ?? ''}`;

test('law 10: ranking is one order, whatever order the sessions were found in', () => {
  fc.assert(
    fc.property(stores, wanted, fc.infiniteStream(fc.nat(1000)), (candidates, asked, dice) => {
      const ranked = rankSessions(candidates, asked);
      const shuffled = candidates
        .map((candidate) => ({ candidate, at: dice.next().value as number }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ candidate }) => candidate);
      expect(rankSessions(shuffled, asked).map(nameOf)).toEqual(ranked.map(nameOf));
      expect(rankSessions(candidates, asked).map(({ why, tier }) => [why, tier])).toEqual(
        ranked.map(({ why, tier }) => [why, tier]),
      );
      expect(new Set(ranked.map(nameOf)).size).toBe(ranked.length);
      expect(ranked.every((one) => candidates.some((candidate) => nameOf(candidate) === nameOf(one)))).toBe(true);
      ranked.slice(1).forEach((after, at) => {
        const before = ranked[at]!;
        const ordered =
          before.tier - after.tier ||
          Number(isOpen(after)) - Number(isOpen(before)) ||
          (lastActivity(before) === lastActivity(after) ? 0 : lastActivity(before) > lastActivity(after) ? -1 : 1) ||
          (nameOf(before) < nameOf(after) ? -1 : 1);
        expect(ordered).toBeLessThan(0);
      });
    }),
    runs(500),
  );
});

const isOpen = ({ run, tip }: Candidate): boolean => run === undefined || tip?.pending !== undefined;

/** What words are worth is told by all places together. */
function scaleIn(candidates: readonly Candidate[], { query = '' }: Wanted): Scale {
  const asked = askedWords(query);
  const places = candidates.map(({ sessionId, session, run, tip }) => ({
    facts: rankingFacts(sessionFacts(sessionId, session), session, run, () =>
      searchableText(sessionId, session)(run, tip),
    ),
  }));
  return scaleOf(hitsOf(places, asked), asked);
}

test('law 10: a candidate that is left out or put in does not change the order of the others, as long as words are worth the same', () => {
  fc.assert(
    fc.property(stores, wanted, fc.nat(20), (candidates, asked, which) => {
      fc.pre(candidates.length > 1);
      const left = candidates.filter((_, at) => at !== which % candidates.length);
      const scale = scaleIn(candidates, asked);
      const [all, fewer] = [rankSessions(candidates, asked), rankSessions(left, asked, scale)];
      // Where nothing matched, the most recent work is shown instead: another list, in its own order.
      fc.pre((all[0]?.tier === recencyTier) === (fewer[0]?.tier === recencyTier));
      const names = new Set(fewer.map(nameOf));
      expect(all.map(nameOf).filter((name) => names.has(name))).toEqual(fewer.map(nameOf));
    }),
    runs(300),
  );
});

test('law 10: a snippet fits its budget and is whole characters', () => {
  fc.assert(
    fc.property(storesOf(drawn.filter(({ notes }) => isWhole(notes))), (candidates) => {
      for (const candidate of candidates) {
        const snippet = snippetOf(candidate);
        expect(byteLength(snippet)).toBeLessThanOrEqual(limits.resumeSnippet);
        expect(isWhole(snippet)).toBe(true);
      }
    }),
    runs(300),
  );
});
