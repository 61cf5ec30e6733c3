import { afterEach, beforeEach, expect, test } from 'vitest';
import { sentenceText } from '../../../src/base/sentence.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Fields,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  pairOf,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';
import { renderWorkflow, straightWorkflow } from '../../worlds/tiny-workflow.js';

let world: RequestsWorld;
let requests: Requests;

beforeEach(() => {
  world = makeRequestsWorld({ seed: 7 });
  world.writeWorkflow('outer', renderWorkflow(straightWorkflow('outer', 2)));
  world.writeWorkflow('inner', renderWorkflow(straightWorkflow('inner', 1)));
  requests = world.open();
});
afterEach(() => world.close());

async function start(name: string, session: string): Promise<Fields> {
  const { answer } = await call(requests, 'start_workflow', {
    workflowId: `wr.${name}`,
    session,
    context: { goal: 'done' },
  });
  return answer;
}
const done = async (at: Fields, notes: string): Promise<Fields> => {
  const { reply, answer } = await call(requests, 'continue_workflow', {
    stateToken: textOf(at['stateToken']),
    ackToken: textOf(at['ackToken']),
    output: { notesMarkdown: notes },
    context: { size: 1, list: ['a'], flag: true },
  });
  expect(reply.failed).toBe(false);
  return answer;
};

test('a run that ended within another does not hide the one that waits', async () => {
  const outer = await start('outer', 'NEST-1');
  const inner = await done(await start('inner', 'NEST-1'), 'The inner one is done.');
  expect(inner['isComplete']).toBe(true);

  const { answer, reply } = await call(requests, 'resume_session', { query: 'NEST-1' });
  expect(fieldsOf(answer['nextCall'])['arguments']).toEqual({ stateToken: outer['stateToken'] });
  expect(listOf(answer['candidates']).map(({ status }) => status)).toEqual(['in_progress', 'complete']);
  // What can be gone on with is told apart from what has ended, in each row and of what stands beside it.
  expect(listOf(answer['candidates']).map(({ otherRuns }) => otherRuns)).toEqual([
    { open: 0, finished: 1 },
    { open: 1, finished: 0 },
  ]);
  expect(reply.text).toMatch(/“Tiny outer” \(wr\.outer\), open, at “.*”; 1 other run \(1 finished\);/u);
  expect(reply.text).toContain('(wr.inner), finished; 1 other run (1 open);');

  const listed = await requests.people.listSessions({});
  if (!listed.ok) throw new Error(listed.error.message);
  expect(listed.value.sessions[0]?.run).toMatchObject({ workflowId: 'wr.outer', status: 'in_progress' });

  const tip = await requests.people.findTip({ session: 'NEST-1' });
  expect(tip).toMatchObject({ ok: true, value: { stateToken: outer['stateToken'] } });
});

test('where several runs wait, a command without a token asks which is meant', async () => {
  const outer = await start('outer', 'NEST-2');
  const inner = await start('inner', 'NEST-2');
  const tip = await requests.people.findTip({ session: 'NEST-2' });
  if (tip.ok) throw new Error('one of them was taken');
  expect(tip.error.message).toBe('2 runs are waiting in session NEST-2; choose one');
  for (const { stateToken } of [outer, inner])
    expect(sentenceText(tip.error.action)).toContain(`workrail continue ${textOf(stateToken)}`);
});

test('where a run begins or ends within another, the one that waits is named with its call', async () => {
  const outer = await start('outer', 'NEST-3');
  const inner = await done(await start('inner', 'NEST-3'), 'The inner one is done.');

  const waits = {
    workflow: 'Tiny outer',
    pending: 'Step s1',
    look: { tool: 'continue_workflow', arguments: { stateToken: outer['stateToken'] } },
  };
  expect([outer['openRuns'], inner['openRuns']]).toEqual([undefined, [waits]]);
  const begun = await call(requests, 'start_workflow', {
    workflowId: 'wr.inner',
    session: 'NEST-3',
    fresh: true,
    context: { goal: 'more' },
  });
  expect(begun.answer['openRuns']).toEqual([waits]);
  expect(begun.reply.text).toContain(
    `Also open in this session, “Tiny outer” at “Step s1”: continue_workflow {"stateToken":"${textOf(outer['stateToken'])}"} (without ackToken: only looks; your tokens stay good)`,
  );
  const ended = await done(begun.answer, 'The second inner one.');
  expect(ended['openRuns']).toEqual([waits]);
  // Said again it is the same, whatever came since.
  await done(await done(outer, 'One.'), 'Two.');
  const again = await call(requests, 'continue_workflow', {
    ...pairOf(begun.answer),
    output: { notesMarkdown: 'The second inner one.' },
  });
  expect(again.answer['openRuns']).toEqual([waits]);
});
