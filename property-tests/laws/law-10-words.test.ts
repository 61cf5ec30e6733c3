import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventSum, NodeId, RunId, SessionId, WorkflowHash, WriterId } from '../../src/base/ids.js';
import { limits } from '../../src/base/limits.js';
import { modes } from '../../src/base/preferences.js';
import type { EventData } from '../../src/events/event-data.js';
import { type Event, type EventDraft, eventVersion } from '../../src/events/event.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession } from '../../src/sessions/folded-session.js';
import { rankSessions } from '../../src/sessions/rank-sessions.js';
import { type SearchableText, searchableText, textParts } from '../../src/sessions/searchable-text.js';
import { type AskedWords, askedWords } from '../../src/sessions/asked-words.js';
import { wordsOf } from '../../src/base/search-words.js';
import { openWordTable } from '../../src/sessions/word-table.js';
import { brokenText } from '../worlds/nasty-text.js';
import { runs } from '../worlds/runs-of-law.js';

const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });
/** Few of some, so that texts share words; so many of others that a table has to grow. */
const texts = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.constantFrom(
          'login',
          'LOGIN',
          'ＬＯＧＩＮ',
          'Größe',
          '登録画面',
          'a',
          '1',
          'fix-1',
          'q_9',
          'line\nbreak',
          '',
        ),
        { maxLength: 6 },
      )
      .map((words) => words.join(' ')),
  },
  { weight: 2, arbitrary: brokenText(40) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 80 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(5000), fc.integer({ min: 500, max: 1500 }))
      .map(([from, count]) => Array.from({ length: count }, (_, at) => `w${from + at}`).join(', ')),
  },
);
const saids: fc.Arbitrary<readonly SearchableText[]> = fc.array(
  fc.record({ text: texts, parts: fc.subarray([...textParts], { minLength: 1 }) }),
  { maxLength: 5 },
);

/** For each part, which of the words stand in it; the last of them may be the beginning of one. */
const naively = (said: readonly SearchableText[], { words, forms, last, lastIsWhole }: AskedWords): readonly number[] =>
  textParts.map((part) => {
    const there = said.filter(({ parts }) => parts.includes(part)).flatMap(({ text }) => [...wordsOf(text)]);
    return words.reduce((bits, word, at) => {
      const bit = 1 << at;
      const isThere = forms[at]!.some((form) => there.includes(form));
      if (bit !== last) return isThere ? bits | bit : bits;
      const begun = isThere || there.some((other) => other.startsWith(word)) ? bit : 0;
      return bits | begun | (isThere ? lastIsWhole : 0);
    }, 0);
  });

test('law 10: a table of words finds what looking through the texts finds, and so does every table that takes it over', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(saids, { minLength: 1, maxLength: 5 }),
      saids,
      fc.array(texts, { minLength: 1, maxLength: 4 }),
      fc.tuple(secrets, secrets),
      fc.nat(3),
      (all, before, asked, [one, other], cut) => {
        const table = openWordTable(one);
        const next = openWordTable(other);
        // Its words have other numbers.
        const own = next.pack(before);
        const packed = all.map((said) => table.pack(said));
        const adopt = next.adopt(table.words());
        const adopted = packed.map((one) => adopt(one));
        const gathered = next.hitsIn([...adopted, undefined, own]);
        for (const text of asked) {
          const wanted = askedWords(text.slice(0, text.length - cut));
          if (wanted.terms.length === 0) continue;
          const there = all.map((said) => naively(said, wanted));
          found += there.flat().filter((bits) => bits !== 0).length;
          expect(packed.map((one) => Array.from(table.hits(one, wanted)))).toEqual(there);
          expect(adopted.map((one) => Array.from(next.hits(one, wanted)))).toEqual(there);
          expect(Array.from(next.hits(own, wanted))).toEqual(naively(before, wanted));
          // Twice: what was gathered for one search serves the next.
          for (const hits of [gathered(wanted), gathered(wanted)])
            expect(Array.from(hits)).toEqual([...there, textParts.map(() => 0), naively(before, wanted)].flat());
        }
      },
    ),
    runs(150),
  );
  expect(found).toBeGreaterThan(0);
});

const [run, root] = ['run_000000000000' as RunId, 'n_000000000000' as NodeId];
const nodeAt = (at: number): NodeId => `n_${(at + 1).toString(16).padStart(12, '0')}` as NodeId;

/** One run whose steps have these outputs, one after another. */
function sessionWith(
  outputs: readonly EventData<'checkpoint'>['output'][],
  more: readonly EventDraft[] = [],
): FoldedSession {
  const made = { key: 'k_00000000', engine: 'e' };
  const drafts: EventDraft[] = [
    { kind: 'session_started', data: { preferences: modes.guided, producer: 'p' } },
    {
      kind: 'run_started',
      run,
      node: root,
      data: {
        workflowId: 'wr.review',
        workflowHash: '0'.repeat(64) as WorkflowHash,
        title: 'Review',
        version: '1',
        source: 's',
        inputs: { ticket: 'inputword' },
        context: {},
        preferences: modes.guided,
        request: '0'.repeat(16),
        ...made,
      } as never,
    },
    ...outputs.map((output, at): EventDraft => ({
      kind: 'step_acked',
      run,
      node: nodeAt(at),
      data: {
        parent: at === 0 ? root : nodeAt(at - 1),
        attempt: 'a_0000000000',
        step: 'Step',
        next: { id: 's', path: 'outer@2/s', title: 'Step', frames: [] },
        brought: '0'.repeat(16),
        output,
        context: { area: 'contextword' },
        preferences: modes.guided,
        ...made,
      } as never,
    })),
    ...more,
  ];
  const events = drafts.map((draft, at): Event => ({
    v: eventVersion,
    seq: at + 1,
    by: 'writer00' as WriterId,
    at: '2026-01-01T00:00:00.000Z',
    prev: '',
    sum: (at + 1).toString(16).padStart(16, '0') as EventSum,
    ...draft,
  }));
  return foldSession(emptySession(), events);
}

function whyOf(session: FoldedSession, query: string): string | undefined {
  const ofRun = session.runs.get(run)!;
  return rankSessions(
    [{ sessionId: 'ses_1' as SessionId, session, run: ofRun, tip: session.nodes.get(ofRun.preferredTip) }],
    { query },
  )[0]?.why;
}
const [tip, workflow, deep] = [
  'all words in its notes',
  'workflow wr.review',
  'all words somewhere in what it recorded',
];

test('a word is found whatever stands before it: a line break, a quote, a backslash or a sign that JSON escapes', () => {
  const long = { notes: 'x '.repeat(limits.searchNearTip) };
  for (const before of ['\n', '\t', '"', '\\', '\\\\', '\u0001', '\r\n']) {
    const said = { notes: `one${before}second`, artifacts: [{ kind: 'k', text: `three${before}fourth` }] };
    for (const word of ['one', 'second', 'three', 'fourth']) {
      expect(whyOf(sessionWith([said]), word), JSON.stringify([before, word])).toBe(tip);
      expect(whyOf(sessionWith([said, long]), word), JSON.stringify([before, word])).toBe(deep);
    }
  }
});

test('what a place says: near its tip, in its workflow, anywhere; what the machine wrote for itself is not searched', () => {
  const session = sessionWith(
    [{ notes: 'early' }, { notes: 'x '.repeat(limits.searchNearTip) }, { notes: 'late' }],
    [{ kind: 'note_added', data: { text: 'beside' } }],
  );
  const expected = {
    late: tip,
    Review: workflow,
    early: deep,
    inputword: deep,
    contextword: deep,
    beside: deep,
    'late early review': deep,
    'outer s': deep,
    autonomy: 'recency',
    k_00000000: 'recency',
    nowhere: 'recency',
  };
  expect(Object.fromEntries(Object.keys(expected).map((query) => [query, whyOf(session, query)]))).toEqual(expected);
});

test('each text is said once: near the tip as much as its limit, in all as much as its own', () => {
  const outputs = Array.from({ length: 40 }, (_, at) => ({ notes: `note${at} ${'y '.repeat(20_000)}` }));
  const session = sessionWith(outputs);
  const ofRun = session.runs.get(run)!;
  const said = searchableText('ses_1', session)(ofRun, session.nodes.get(ofRun.preferredTip));
  const lengthOf = (part: SearchableText['parts'][number]): number =>
    said.reduce((sum, { text, parts }) => sum + (parts.includes(part) ? text.length : 0), 0);
  expect(lengthOf('tip')).toBeLessThanOrEqual(limits.searchNearTip + 10);
  expect(lengthOf('deep')).toBeLessThanOrEqual(limits.searchDeep + limits.searchNearTip + 100);
  const few = searchableText(
    'ses_1',
    sessionWith(outputs.slice(0, 3).map(({ notes }) => ({ notes: notes.slice(0, 100) }))),
  );
  const texts = few(ofRun, sessionWith(outputs.slice(0, 3)).nodes.get(nodeAt(2)))
    .map(({ text }) => text)
    .filter((text) => text.startsWith('note'));
  expect(new Set(texts).size).toBe(texts.length);
});
