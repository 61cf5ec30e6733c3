import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Requests } from '../../src/requests/requests.js';
import { call, listOf, makeRequestsWorld, type RequestsWorld, textOf } from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const flows: readonly (readonly [file: string, id: string, title: string])[] = [
  ['bug', 'wr.bug', 'Bug investigation'],
  ['audit', 'wr.audit', 'Dependency audit'],
  ['review', 'wr.review', 'Review of a change'],
  ['write', 'wr.write', 'Write a workflow'],
];

interface Work {
  readonly session: string;
  readonly workflow: string;
  readonly thing: string;
  readonly notes: string;
  readonly beside?: string;
}

/** What people want to find again. */
const older: readonly Work[] = [
  {
    session: 'BUG-77',
    workflow: 'wr.bug',
    thing: 'ms: parse of weeks',
    notes: 'Reproduced: ms("1 weeks") is undefined. The unit is missing in the table.',
  },
  {
    session: 'DEPS',
    workflow: 'wr.audit',
    thing: 'tar-stream 3.1.7',
    notes: 'Judged bl and end-of-stream: low. Next: fs-constants.',
  },
  {
    session: 'RAIL-2',
    workflow: 'wr.audit',
    thing: 'functions of repo-B2',
    notes: 'Item 11 of 24 measured, mask 0110. The obligation for item 16 stands.',
  },
  {
    session: 'WORK-9',
    workflow: 'wr.bug',
    thing: 'opening hours of the zoo',
    notes: 'The page of the giraffes shows the hours of winter. The others are right.',
  },
  {
    session: 'RAIL-1',
    workflow: 'wr.audit',
    thing: 'semver 7.8.1 and hono 4.13.18',
    notes: 'Each function gets a mark in its own line; semver is done up to inc.',
  },
  {
    session: 'WEB-31',
    workflow: 'wr.bug',
    thing: 'login ends where it began',
    notes: 'Safari drops the cookie after the redirect, since SameSite is None without Secure.',
  },
  {
    session: 'IMP-4',
    workflow: 'wr.review',
    thing: 'rows of exports that come back',
    notes: 'Quoted fields lost their commas in the importer. Two findings, one of them Major.',
  },
  {
    session: 'PAY-8',
    workflow: 'wr.review',
    thing: 'change 512',
    notes: 'Invoices of 2019 have no currency, so the migration stops at billing_lines.',
  },
  {
    session: 'LEGAL-1',
    workflow: 'wr.review',
    thing: 'what may be shipped',
    notes: 'All licences are MIT but for one, which is Artistic-2.0.',
  },
  {
    session: 'NET-2',
    workflow: 'wr.review',
    thing: 'a client that comes back',
    notes: 'The websocket waits twice as long after each try; what was sent meanwhile is lost.',
    beside: 'People say: reconnect must keep the order.',
  },
];

/** How they ask for it in a new chat. */
const asked: readonly (readonly [query: string, session: string])[] = [
  ['the ms weeks bug', 'BUG-77'],
  ['go on with the dependency check of that tar package, we were in the middle of it', 'DEPS'],
  ['go on with the audit in repo-B2', 'RAIL-2'],
  ['resume my session about giraffes', 'WORK-9'],
  ['package audit semver hono, seventy two functions', 'RAIL-1'],
  ['where did we leave that thing with the login redirect loop on Safari?', 'WEB-31'],
  ['pick up yesterday’s work on the CSV importer that dropped quoted commas', 'IMP-4'],
  ['my chat crashed, it was the migration of invoices to the new billing tables', 'PAY-8'],
  ['tar stream licences', 'DEPS'],
  ['continue refactoring the websocket reconnect code please', 'NET-2'],
];

/** Six that were worked on since, full of the words that every such work is full of. */
const newer: readonly Work[] = [
  ['NEW-1', 'wr.bug', 'the build is red', 'Went on with the tests; the package was not built. We were in a hurry.'],
  ['NEW-2', 'wr.review', 'new code of the settings', 'Checked the code, the middle of the page is new. Please look.'],
  [
    'NEW-3',
    'wr.write',
    'a workflow of audits',
    'Wrote the dependency audit workflow; its loop goes through a package.',
  ],
  ['NEW-4', 'wr.bug', 'chat with a client', 'The session of the user ends; work on it goes on. Resume is broken.'],
  ['NEW-5', 'wr.write', 'release notes', 'Continue with the functions of each package; the check is missing.'],
  ['NEW-6', 'wr.review', 'tables in the docs', 'The thing with the tables: leave them, the new ones are right.'],
].map(([session = '', workflow = '', thing = '', notes = '']) => ({ session, workflow, thing, notes }));

/** Words that no session knows. */
const foreign = ['kindly', 'zebra', 'okapi', 'lunchtime', 'Mittwoch', 'qux42', 'アルパカ', 'colleague', 'Größenwahn'];

let world: RequestsWorld;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 77, store: 'memory' });
  for (const [file, id, title] of flows)
    world.writeWorkflow(
      file,
      `workflow: ${id}\ntitle: ${title}\ndescription: Two steps.\nversion: 1.0.0\ninputs:\n  thing: { type: string, required: true, description: What it is about. }\nsteps:\n  - { id: one, title: Look, prompt: Begin. }\n  - { id: two, title: End, prompt: End. }\n`,
    );
});
afterAll(() => world.close());

let opened = 0;
async function worked(works: readonly Work[]): Promise<Requests> {
  opened += 1;
  const requests = world.open(`/data-${opened}`);
  for (const { session, workflow, thing, notes, beside } of works) {
    const { answer } = await call(requests, 'start_workflow', { workflowId: workflow, session, context: { thing } });
    await call(requests, 'continue_workflow', {
      stateToken: textOf(answer['stateToken']),
      ackToken: textOf(answer['ackToken']),
      output: { notesMarkdown: notes },
    });
    if (beside !== undefined) await requests.people.addNote({ session, text: beside });
  }
  return requests;
}

async function found(requests: Requests, query: string): Promise<readonly string[]> {
  const { answer } = await call(requests, 'resume_session', { query });
  return answer['found'] === 0 ? [] : listOf(answer['candidates']).map(({ sessionId }) => textOf(sessionId));
}

test.each(asked)('law 10: “%s” finds its session above six newer ones', async (query, session) => {
  const requests = await worked([...older, ...newer]);
  expect((await found(requests, query))[0]).toBe(session);
  await requests.close();
});

test(
  'law 10: the sentence of a person finds its session above newer ones, whatever foreign words stand in it',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...older], { minLength: older.length }),
        fc.shuffledSubarray([...newer], { minLength: newer.length }),
        fc.array(
          fc.tuple(
            fc.nat(asked.length - 1),
            fc.array(fc.tuple(fc.constantFrom(...foreign), fc.nat(20)), { maxLength: 5 }),
          ),
          {
            minLength: 3,
            maxLength: 6,
          },
        ),
        async (before, after, queries) => {
          const requests = await worked([...before, ...after]);
          for (const [which, strangers] of queries) {
            const [query, session] = asked[which]!;
            const words = query.split(' ');
            for (const [word, at] of strangers) words.splice(at % (words.length + 1), 0, word);
            expect({ query: words.join(' '), first: (await found(requests, words.join(' ')))[0] }).toEqual({
              query: words.join(' '),
              first: session,
            });
          }
          await requests.close();
        },
      ),
      runs(15),
    );
  },
  patience,
);
