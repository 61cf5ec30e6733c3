import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionList } from '../../../src/contract/session-list.js';
import type { Requests } from '../../../src/requests/requests.js';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';
import {
  call,
  type Fields,
  makeRequestsWorld,
  pairOf,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

const workflow = `workflow: team.export
title: Fix the empty export
description: D
steps:
  - { id: reproduce, title: Reproduce it, prompt: p }
  - { id: cause, title: Find the cause, prompt: p }
  - { id: fix, title: Fix it, prompt: p }
  - { id: end, title: Tell the user, prompt: p }
`;

describe('the longest step', () => {
  const commandLine = makeCommandLineWorld();
  let world: RequestsWorld;
  let requests: Requests;
  let other = '';

  /** The clock goes on with each note. */
  async function done(session: string, before: Fields, notes: number): Promise<Fields> {
    for (let noted = 0; noted < notes; noted += 1) await requests.people.addNote({ session, text: `Note ${noted}.` });
    const { answer } = await call(requests, 'continue_workflow', { ...before, output: { notesMarkdown: 'Done.' } });
    return answer;
  }

  beforeAll(async () => {
    world = makeRequestsWorld({ seed: 77, tick: 20_000 });
    world.writeWorkflow('export', workflow);
    requests = world.open();
    const begin = async (session: string): Promise<Fields> =>
      (await call(requests, 'start_workflow', { workflowId: 'team.export', session })).answer;
    const cause = await done('EXPORT-7', pairOf(await begin('EXPORT-7')), 0);
    const fix = await done('EXPORT-7', pairOf(cause), 3);
    // Nothing takes longer than this, and then the work goes on elsewhere.
    await done('EXPORT-7', pairOf(fix), 40);
    const again = (await call(requests, 'continue_workflow', { stateToken: textOf(cause['stateToken']) })).answer;
    await done('EXPORT-7', pairOf(await done('EXPORT-7', pairOf(again), 0)), 2);
    // Longer in all, and no step of it as long.
    let at = await begin('LONG-1');
    for (const notes of [20, 25, 20, 15]) at = await done('LONG-1', pairOf(at), notes);
    await begin('NEW-1');
    const { sessions } = await listed('EXPORT-7');
    other = sessions[0]?.longest?.nodeId ?? '';
  });
  afterAll(async () => {
    commandLine.close();
    await world.close();
  });

  const listed = async (query: string): Promise<SessionList> => {
    const list = await requests.people.listSessions({ query });
    if (!list.ok) throw new Error(list.error.message);
    return list.value;
  };

  it('of a session is the same wherever it is told, on whichever branch', async () => {
    const [row] = (await listed('EXPORT-7')).sessions;
    expect(row?.longest).toMatchObject({ title: 'Fix it', otherBranch: true, waited: 0 });
    const { runId, ...longest } = row!.longest!;
    const page = await requests.people.browseSessions({ query: 'EXPORT-7' });
    expect(page.ok && page.value.sessions[0]?.longest).toEqual(row?.longest);
    const head = await requests.people.readSessionHead({ session: 'EXPORT-7' });
    expect(head.ok && head.value.runs[0]?.longest).toEqual(longest);
    const graph = await requests.people.readRunGraph({ session: 'EXPORT-7', run: runId });
    expect(graph.ok && graph.value.run.longest).toEqual(longest);
    const story = await requests.people.readStory({ session: 'EXPORT-7' });
    expect(story.ok && story.value.runs[0]?.longest).toEqual(longest);
    expect(story.ok && story.value.runs[0]?.slowest[0]).toEqual(longest);
    const step = await requests.people.readStep({ session: 'EXPORT-7', node: other });
    expect(step.ok && step.value.node).toMatchObject({ pending: { title: 'Fix it' }, onPreferredPath: false });
    const report = await requests.people.renderSession({ session: 'EXPORT-7', format: 'md' });
    expect(report.ok && report.value.text).toMatch(/longest: step 3 of branch \d Fix it, \d+ min;/u);
  });

  it('sorts the sessions apart from how long each took', async () => {
    const ids = async (query: string): Promise<readonly string[]> =>
      (await listed(query)).sessions.map(({ sessionId }) => sessionId);
    expect(await ids('sort:longest')).toEqual(['LONG-1', 'EXPORT-7', 'NEW-1']);
    expect(await ids('sort:longest-step')).toEqual(['EXPORT-7', 'LONG-1', 'NEW-1']);
  });

  it('is named by the command line, with the command that opens it', async () => {
    const asked = ['sessions', '--sort', 'longest-step', '--data-dir', world.data];
    const { out } = await commandLine.run(asked, { terminal: true, columns: 100 });
    expect(out).toMatch(
      new RegExp(`longest step \\[${other.slice(2, 10)}\\]: Fix it, \\d+ min, on another branch`, 'u'),
    );
    expect(out).toContain(`show EXPORT-7 --node ${other}`);
    // No days: they belong to the order of time.
    expect(out).not.toContain('2026');
    const [heads = '', row = ''] = (await commandLine.run(asked)).out.split('\n');
    const value = (name: string): string | undefined => row.split('\t')[heads.split('\t').indexOf(name)];
    expect([value('longestStep'), value('longestStepNode')]).toEqual(['Fix it', other]);
    expect((await commandLine.run(['sessions', '--data-dir', world.data], { terminal: true })).out).not.toContain(
      'longest step',
    );
  });
});
