import { afterEach, beforeEach, expect, test } from 'vitest';
import { byteLength } from '../../../src/base/byte-budget.js';
import { limits } from '../../../src/base/limits.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

const walk = `workflow: wr.walk
title: A walk
description: Two steps.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: Go on. }
  - { id: three, title: Third, prompt: End. }
`;

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 303 });
  world.writeWorkflow('walk', walk);
  requests = world.open();
});
afterEach(() => world.close());

const session = 'WORK-1';
const start = (): Promise<Called> => call(requests, 'start_workflow', { workflowId: 'wr.walk', session });
const look = (stateToken: string, page?: string): Promise<Called> =>
  call(requests, 'continue_workflow', { stateToken, ...(page !== undefined && { page }) });
const step = ({ answer }: Called, notesMarkdown: string): Promise<Called> =>
  call(requests, 'continue_workflow', {
    stateToken: textOf(answer['stateToken']),
    ackToken: textOf(answer['ackToken']),
    output: { notesMarkdown },
  });
const tokenOf = ({ answer }: Called): string => textOf(answer['stateToken']);
const notedIn = (answer: Fields): readonly string[] =>
  listOf(fieldsOf(answer['noted'])['entries']).map(({ title, kind, notes }) =>
    [title, kind, notes].map(textOf).join(' | '),
  );

/** The token of the session that holds a note of an agent. */
async function keep(notesMarkdown: string, gaps?: string): Promise<void> {
  const { answer } = await call(requests, 'start_session', { session });
  await call(requests, 'checkpoint_workflow', {
    sessionToken: textOf(answer['sessionToken']),
    output: {
      notesMarkdown,
      ...(gaps !== undefined && { gaps: [{ category: 'limit', reason: 'time', detail: gaps }] }),
    },
  });
}

test('what was noted at the session is told at the start, on a look, in the record and in a search', async () => {
  await keep('Giraffes are counted twice.', 'okapis were not counted');
  await requests.people.addNote({ session, text: 'Mind the zebras.' });
  const started = await start();
  const both = ['the session | checkpoint | Giraffes are counted twice.', 'the session | note | Mind the zebras.'];
  expect(notedIn(started.answer)).toEqual(both);
  expect(started.reply.text).toContain('- the session (note of a person): Mind the zebras.');
  const second = await step(started, 'All of them.');
  expect(second.answer['noted']).toBeUndefined();
  const looked = await look(tokenOf(second));
  expect(notedIn(looked.answer)).toEqual(both);
  const record = textOf(fieldsOf((await look(tokenOf(second), 'record.0')).answer['known'])['text']);
  for (const words of ['Giraffes are counted twice.', 'okapis were not counted', 'Mind the zebras.'])
    expect(record).toContain(words);
  const found = await call(requests, 'resume_session', { query: 'zebras' });
  expect(notedIn(listOf(found.answer['candidates'])[0] ?? {})).toEqual(both);
  expect(found.reply.text).toContain('Noted at the session: “Mind the zebras.”');
});

test('a note of a person at a step is told at that step and after it, and not on another branch', async () => {
  const first = await start();
  const left = await step(first, 'One way.');
  const node = world.lines().findLast(({ kind }) => kind === 'step_acked')?.node;
  const noted = await requests.people.addNote({ session, text: 'Not this way.', node });
  expect(noted.ok).toBe(true);
  const later = await step(left, 'Further on it.');
  const right = await step(await look(tokenOf(first)), 'Another way.');
  expect(notedIn((await look(tokenOf(left))).answer)).toEqual(['Second | note | Not this way.']);
  expect(notedIn((await look(tokenOf(later))).answer)).toEqual(['Second | note | Not this way.']);
  expect(notedIn((await look(tokenOf(right))).answer)).toEqual([]);
});

test('the newest of it is told within its bytes, with the page that shows the rest, whole', async () => {
  const texts = Array.from({ length: 9 }, (_, at) => `Note ${at}: ${'long '.repeat(50)}end ${at}.`);
  for (const text of texts) await requests.people.addNote({ session: (await keptSession()) ?? session, text });
  const token = tokenOf(await start());
  const shown: string[] = [];
  let page: string | undefined;
  do {
    const { answer } = await look(token, page);
    const noted = fieldsOf(answer['noted']);
    const entries = listOf(noted['entries']);
    expect(byteLength(JSON.stringify(entries))).toBeLessThanOrEqual(limits.noted + 20);
    shown.unshift(...entries.map(({ notes }) => textOf(notes)));
    page = noted['olderPage'] === undefined ? undefined : textOf(noted['olderPage']);
    if (shown.length === entries.length) expect(noted['omitted']).toBe(texts.length - entries.length);
  } while (page !== undefined);
  expect(shown).toEqual(texts);
});

test('a repeated start is answered as the first was, whatever was noted since', async () => {
  await keep('Before.');
  const first = await start();
  await requests.people.addNote({ session, text: 'After.' });
  expect((await start()).reply.text).toBe(first.reply.text);
});

async function keptSession(): Promise<string | undefined> {
  await call(requests, 'start_session', { session });
  return session;
}
