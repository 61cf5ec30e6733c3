import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
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
  pairOf,
} from '../../worlds/requests-world.js';

const walk = `workflow: wr.walk
title: A walk
description: Two steps.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: End. }
`;

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 515 });
  world.writeWorkflow('walk', walk);
  requests = world.open();
});
afterEach(() => world.close());

const start = (session: string): Promise<Called> =>
  call(requests, 'start_workflow', { workflowId: 'wr.walk', session });
const step = (from: Fields, notesMarkdown: string): Promise<Called> =>
  call(requests, 'continue_workflow', { ...pairOf(from), output: { notesMarkdown } });
const resume = (query: string | undefined, more: JsonObject = {}): Promise<Called> =>
  call(requests, 'resume_session', { ...(query !== undefined && { query }), ...more });
const first = ({ answer }: Called): Fields => listOf(answer['candidates'])[0] ?? {};

/** The workspace as a clone of a repository, with this branch checked out. */
function checkOut(branch: string, commit: string): void {
  const git = join(world.folder, 'workspace', '.git');
  mkdirSync(join(git, 'refs', 'heads'), { recursive: true });
  mkdirSync(join(git, 'objects'), { recursive: true });
  writeFileSync(join(git, 'config'), '');
  writeFileSync(join(git, 'HEAD'), `ref: refs/heads/${branch}\n`);
  writeFileSync(join(git, 'refs', 'heads', branch), `${commit.repeat(40)}\n`);
}

test('run ids and tokens are recognised, alone and in a sentence', async () => {
  const { answer } = await start('WORK-1');
  await start('WORK-2');
  const { answer: session } = await call(requests, 'start_session', { session: 'NOTES-1' });
  const runId = textOf(fieldsOf(answer['session'])['runId']);
  const { stateToken, ackToken } = pairOf(answer);
  for (const [name, why] of [
    [runId, `its run “${runId}”`],
    [stateToken, 'its stateToken'],
    [ackToken, 'its ackToken'],
  ] as const)
    for (const query of [name, `please go on with ${name}, from where we were`]) {
      const found = await resume(query);
      expect({ query, found: found.answer['found'] }).toEqual({ query, found: 1 });
      expect([first(found)['sessionId'], first(found)['whyMatched']]).toEqual(['WORK-1', why]);
    }
  const bySession = await resume(undefined, { sessionId: textOf(session['sessionToken']) });
  expect([first(bySession)['sessionId'], first(bySession)['whyMatched']]).toEqual(['NOTES-1', 'its sessionToken']);
});

test('a token that names a step before the newest one leads there as well; one that names nothing is told', async () => {
  const { answer } = await start('WORK-1');
  const { stateToken } = pairOf(answer);
  await step(answer, 'Looked at the giraffes.');
  const found = first(await resume(stateToken));
  expect(found['pending']).toBe('Second');
  expect(fieldsOf(found['otherTip'])).toEqual({
    words: [],
    status: 'in_progress',
    pending: 'First',
    nextCall: { tool: 'continue_workflow', arguments: { stateToken } },
  });
  const strange = stateToken.replace(/....$/u, 'ZZZZ');
  expect((await resume(strange)).reply.failed).toBe(true);
  const beside = await resume(`${strange} giraffes`);
  expect(first(beside)['sessionId']).toBe('WORK-1');
  expect(listOf(beside.answer['warnings'])[0]?.['code']).toMatch(/^TOKEN_/u);
});

test('words that stand on another branch are quoted, and lead to its tip', async () => {
  const { answer } = await start('WORK-1');
  const { answer: left } = await step(answer, 'Tried it with giraffes: their necks are too long for the door.');
  const { answer: again } = await call(requests, 'continue_workflow', { stateToken: pairOf(answer).stateToken });
  await step(again, 'Tried it with camels.');
  const found = first(await resume('the try with giraffes and camels'));
  expect(found['quotes']).toEqual([
    {
      where: 'First',
      words: ['giraffes'],
      quote: 'Tried it with giraffes: their necks are too long for the door.',
    },
  ]);
  const byGiraffes = await resume('giraffes');
  expect(fieldsOf(first(byGiraffes)['otherTip'])).toEqual({
    words: ['giraffes'],
    status: 'in_progress',
    pending: 'Second',
    nextCall: { tool: 'continue_workflow', arguments: { stateToken: textOf(left['stateToken']) } },
  });
  expect(byGiraffes.reply.text).toContain('More of it (giraffes) is on another branch, at “Second”: continue_workflow');
  expect(first(await resume('camels'))['otherTip']).toBeUndefined();
});

test('what was noted at the session is quoted where it is what was found', async () => {
  const { answer: session } = await call(requests, 'start_session', { session: 'WORK-1' });
  await call(requests, 'checkpoint_workflow', {
    sessionToken: textOf(session['sessionToken']),
    output: { notesMarkdown: 'Giraffes are counted twice.' },
  });
  await start('WORK-1');
  await requests.people.addNote({ session: 'WORK-1', text: `Mind${' the gap'.repeat(20)} between okapis and zebras.` });
  const { reply, answer } = await resume('giraffes okapi');
  expect(listOf(listOf(answer['candidates'])[0]?.['quotes'])).toEqual([
    { where: 'what was kept at the session', words: ['giraffes'], quote: 'Giraffes are counted twice.' },
  ]);
  // It stands there, and need not be quoted.
  expect(reply.text).toContain('Noted at the session: “Mind the gap');
  expect(reply.text).toContain('giraffes in what was kept at the session: “Giraffes are counted twice.”');
});

test('words that nothing here says are named, and where less than half is found nobody is sent on', async () => {
  await step((await start('WORK-1')).answer, 'The giraffes are counted.');
  const most = await resume('giraffes counted by zebras');
  expect(most.answer['unknownWords']).toEqual(['zebras']);
  expect(most.reply.text).toContain('1 found (nothing here says zebras):');
  expect(fieldsOf(most.answer['nextCall'])['tool']).toBe('continue_workflow');
  const few = await resume('giraffes in dark rooms with settings');
  expect(first(few)['whyMatched']).toBe('1 of 4 words somewhere in what it recorded: giraffes');
  expect(few.reply.text).toContain('To begin something new: list_workflows {}');
});

test('a step that is half done is no step that is done', async () => {
  const { answer } = await start('WORK-1');
  const { answer: second } = await step(answer, 'All seen.');
  const { stateToken } = pairOf(second);
  await call(requests, 'checkpoint_workflow', { stateToken, output: { notesMarkdown: 'Half of it.' } });
  expect(first(await resume('half'))['snippet']).toBe(
    'First: All seen.\nSecond (checkpoint; not done yet): Half of it.',
  );
  await step(second, 'The rest.');
  expect(first(await resume('half'))['snippet']).toBe('First: All seen.\nSecond: The rest.');
});

test('the branch of the workspace settles between matches that are as close, and leads where nothing is asked for', async () => {
  checkOut('feature-a', 'a');
  await step((await start('WORK-1')).answer, 'The giraffes are counted.');
  checkOut('feature-b', 'b');
  await step((await start('WORK-2')).answer, 'The giraffes are counted.');
  const order = async (query?: string): Promise<readonly string[]> =>
    listOf((await resume(query)).answer['candidates']).map(
      ({ sessionId, whyMatched }) => `${textOf(sessionId)} ${textOf(whyMatched)}`,
    );
  expect(await order('giraffes')).toEqual([
    'WORK-2 all words in its notes, at commit bbbbbbbbbbbb as this workspace is',
    'WORK-1 all words in its notes',
  ]);
  checkOut('feature-a', 'c');
  const here = ', at branch feature-a as this workspace is';
  expect(await order('giraffes')).toEqual([`WORK-1 all words in its notes${here}`, 'WORK-2 all words in its notes']);
  expect(await order()).toEqual([`WORK-1 recency${here}`, 'WORK-2 recency']);
  expect((await order('giraffes counted again in WORK-2'))[0]).toBe('WORK-2 its id “WORK-2”');
});
