import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../src/base/limits.js';
import type { DataRoot } from '../../src/machine/data-root.js';
import { openFileStore } from '../../src/log/file-store.js';
import type { Requests } from '../../src/requests/requests.js';
import { sessionProjection } from '../../src/sessions/fold-session.js';
import { candidatesOf } from '../../src/sessions/rank-sessions.js';
import { searchableText } from '../../src/sessions/searchable-text.js';
import { naiveSearch, type NaivePlace } from '../worlds/naive-search.js';
import { call, listOf, makeRequestsWorld, type RequestsWorld, textOf } from '../worlds/requests-world.js';
import { runs } from '../worlds/runs-of-law.js';

const walk = `workflow: wr.walk
title: A walk
description: Two steps.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: End. }
`;

let world: RequestsWorld;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 1013 });
  world.writeWorkflow('walk', walk);
});
afterAll(() => world.close());

/** What is typed by people who find words in a sentence. */
const fillers = ['the', 'one', 'about', 'that', 'with'];
/** And those that are left of a word while it is being typed. */
const isFiller = (word: string): boolean => [...fillers, 'a', 'on', 'nothing'].includes(word);
/** And those with which they ask; `lost` is one of those that are recorded, too. */
const asking = ['resume', 'session', 'lost', 'work'];
const isLight = (word: string): boolean => asking.includes(word);
const words = [
  'comma',
  'commas',
  'parser',
  'parse',
  'lost',
  'login',
  'LOGIN',
  'Größe',
  'AUTH-1234',
  'comma-parser',
  '登録画面',
  '画面',
  'ログインbug',
  'retry',
];
const text = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words, ...fillers), { maxLength: most }).map((some) => some.join(' '));

interface Made {
  readonly title: string;
  readonly tags: readonly string[];
  readonly notes: readonly string[];
  readonly isRun: boolean;
}
const sessions: fc.Arbitrary<readonly Made[]> = fc.array(
  fc.record({
    title: text(3),
    tags: fc.uniqueArray(fc.constantFrom('parser', 'team', '画面'), { maxLength: 1 }),
    notes: fc.array(text(6), { maxLength: 2 }),
    isRun: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);
const queries: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...words,
    'WORK-1',
    'go on (WORK-2), please',
    'about: #parser!',
    'WORK',
    'walk',
    'nothing here',
    '…',
    'the one',
  ),
  text(5),
  // Still being typed.
  fc.tuple(text(4), fc.nat(4)).map(([typed, missing]) => typed.slice(0, Math.max(0, typed.length - missing))),
  fc.tuple(text(4), text(2)).map((some) => `the one about ${some.join(' that ')}`),
  fc.tuple(text(3), fc.constantFrom('zebra', 'okapi qux')).map((some) => `resume the session about ${some.join(' ')}`),
);

async function make(requests: Requests, made: readonly Made[]): Promise<void> {
  for (const [at, { title, tags, notes, isRun }] of made.entries()) {
    const session = `WORK-${at}`;
    const labels = { session, ...(title.trim() !== '' && { title }), tags: [...tags] };
    await call(requests, 'start_session', labels);
    if (isRun) {
      const { answer } = await call(requests, 'start_workflow', { workflowId: 'wr.walk', session });
      await call(requests, 'continue_workflow', {
        stateToken: textOf(answer['stateToken']),
        ackToken: textOf(answer['ackToken']),
        output: { notesMarkdown: `noted ${notes[0] ?? ''}` },
      });
    }
    for (const note of notes.filter((one) => one.trim() !== '')) await requests.people.addNote({ session, text: note });
  }
}

/** Every place where work stands, read from its log. */
async function readPlaces(data: string): Promise<readonly NaivePlace[]> {
  const root: DataRoot = { kind: 'given', folder: data };
  const store = openFileStore({
    roots: [root],
    newSessions: root,
    projection: sessionProjection,
    now: () => new Date(0),
    randomBytes: (count) => new Uint8Array(count),
    log: () => undefined,
  });
  const places: NaivePlace[] = [];
  for (const ref of await store.list()) {
    const { state } = await store.open(ref).read();
    for (const { run, tip } of candidatesOf(ref.id, state))
      places.push({
        session: ref.id,
        run: run?.id ?? '',
        lastActivity: run?.lastAt ?? state.lastAt,
        isOpen: run === undefined || tip?.pending !== undefined,
        workflow: run?.started.data.workflowId,
        title: state.title,
        names: [ref.id, ...(state.key === undefined ? [] : [state.key]), ...state.tags],
        branches: state.observations.flatMap(({ branch }) => branch ?? []),
        texts: searchableText(ref.id, state)(run, tip),
      });
  }
  await store.close();
  return places;
}

interface Told {
  readonly session: string;
  readonly why: string;
}

/** As the page shows it, page after page; and the same on the command line. */
async function shownBy(
  requests: Requests,
  door: 'browseSessions' | 'listSessions',
  query: string,
): Promise<readonly Told[]> {
  const shown: Told[] = [];
  let cursor: string | undefined;
  do {
    const page = await requests.people[door]({ query, limit: 3, cursor });
    if (!page.ok) throw new Error(page.error.message);
    shown.push(...page.value.sessions.map(({ sessionId, why = '' }) => ({ session: sessionId, why })));
    cursor = page.value.nextCursor;
  } while (cursor !== undefined);
  return shown;
}

async function resumed(
  requests: Requests,
  query: string,
): Promise<{ readonly told: readonly Told[]; readonly found: number }> {
  const { answer } = await call(requests, 'resume_session', { query });
  const found = answer['found'] as number;
  const told = listOf(answer['candidates']).map((one) => ({
    session: textOf(one['sessionId']),
    why: textOf(one['whyMatched']),
  }));
  return { told: found === 0 ? [] : told, found };
}

const eachOnce = (told: readonly Told[]): readonly Told[] =>
  told.filter(({ session }, at) => told.findIndex((other) => other.session === session) === at);

let tried = 0;
test('law 10: the page, the command line and resume_session find the same sessions in the same order, with the same words', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(sessions, fc.array(queries, { minLength: 4, maxLength: 10 }), async (made, asked) => {
      tried += 1;
      const data = join(world.folder, `data-${tried}`);
      mkdirSync(data);
      const requests = world.open(data);
      await make(requests, made);
      const places = await readPlaces(data);
      for (const query of asked.filter((one) => one.trim() !== '')) {
        const matches = naiveSearch(places, query, { isFiller, isLight });
        const expected = [...new Set(matches.map(({ place }) => place.session))];
        const page = await shownBy(requests, 'browseSessions', query);
        expect({ query, sessions: page.map(({ session }) => session) }).toEqual({ query, sessions: expected });
        expect(await shownBy(requests, 'listSessions', query)).toEqual(page);
        const { told, found: count } = await resumed(requests, query);
        expect(count).toBe(matches.length);
        expect(told.map(({ session }) => session)).toEqual(
          matches.slice(0, limits.resumeCandidates).map(({ place }) => place.session),
        );
        expect(eachOnce(told)).toEqual(page.slice(0, eachOnce(told).length));
        found += expected.length;
      }
      await requests.close();
      rmSync(data, { recursive: true, force: true });
    }),
    runs(25),
  );
  expect(found).toBeGreaterThan(0);
}, 120_000);

test('a sentence finds what it is about, a beginning finds the word, and what is called so comes first', async () => {
  const data = join(world.folder, 'named');
  const requests = world.open(data);
  await make(requests, [
    { title: 'Comma parser', tags: [], notes: ['Quoted fields lost their commas.'], isRun: false },
    {
      title: 'Login',
      tags: [],
      notes: ['The one about the session that lost its cookie, and the parser of dates.'],
      isRun: true,
    },
    { title: 'Exports', tags: [], notes: ['A comma-parser is not what we need.'], isRun: false },
  ]);
  const found = async (query: string): Promise<readonly string[]> =>
    (await shownBy(requests, 'browseSessions', query)).map(({ session }) => session);
  expect((await found('the one about the comma parser that lost commas'))[0]).toBe('WORK-0');
  expect(await found('pars')).toEqual(['WORK-0', 'WORK-1', 'WORK-2']);
  expect(await found('comma-parser')).toEqual(['WORK-0', 'WORK-2']);
  expect(await found('add a dark mode to the settings')).toEqual([]);
  expect((await shownBy(requests, 'listSessions', 'pars'))[0]?.why).toBe(
    'all words in what it is called, the last as a beginning',
  );
  expect(
    (await resumed(requests, 'comma parser of dates')).told.map(({ session, why }) => `${session} ${why}`),
  ).toEqual([
    'WORK-0 2 of 3 words somewhere in what it recorded: comma, parser',
    // Nobody else speaks of dates.
    'WORK-1 2 of 3 words somewhere in what it recorded: parser, dates',
    'WORK-2 2 of 3 words somewhere in what it recorded: comma, parser',
  ]);
});
