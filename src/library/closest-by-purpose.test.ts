import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  call,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  fieldsOf,
} from '../../property-tests/worlds/requests-world.js';
import type { JsonObject } from '../base/json-value.js';
import type { Requests } from '../requests/requests.js';

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 11, bundled: join(import.meta.dirname, '../../workflows') });
  requests = world.open();
});
afterAll(() => world.close());

test.each([
  ['mr-review-workflow', 'wr.review_change'],
  ['code-review', 'wr.review_change'],
  ['bug-hunt', 'wr.bug_investigation'],
  ['investigate-a-bug', 'wr.bug_investigation'],
  ['incident-response', 'wr.incident'],
  ['wr.review_chnge', 'wr.review_change'],
  ['wr.codng_task', 'wr.coding_task'],
])('who asks for %s means %s', async (asked, meant) => {
  for (const tool of ['start_workflow', 'inspect_workflow'] as const) {
    const { reply, answer } = await call(requests, tool, { workflowId: asked });
    expect([reply.failed, answer['error_code']]).toEqual([true, 'NOT_FOUND']);
    expect(fieldsOf(fieldsOf(answer['nextCall'])['arguments'])['workflowId']).toBe(meant);
  }
});

test.each([
  ['review a pull request on GitLab', 'wr.review_change'],
  ['the login fails with a 500, find the bug', 'wr.bug_investigation'],
  ['wr.codng_task', 'wr.coding_task'],
  ['outage post-mortem incident', 'wr.incident'],
])('a list for “%s”, which no workflow says in full, shows what is nearest: %s', async (query, meant) => {
  const { answer, reply } = await call(requests, 'list_workflows', { query });
  expect(answer).toMatchObject({ total: 0, nearest: true });
  expect(listOf(answer['workflows'])[0]?.['id']).toBe(meant);
  expect(reply.text).toContain('The nearest:');
});

test('a list names what a start is refused without, in the call that starts', async () => {
  const { answer, reply } = await call(requests, 'list_workflows', { query: 'improve write_workflow' });
  expect(listOf(answer['workflows'])).toMatchObject([
    { id: 'wr.write_workflow', requiredInputs: [{ name: 'work', wanted: 'text' }] },
  ]);
  const begins = /begins with: start_workflow (\{.*\})/u.exec(reply.text)?.[1] ?? '{}';
  const start = JSON.parse(begins) as JsonObject;
  expect(fieldsOf(start['context'])['work']).toContain('<fill in');
  const begun = await call(requests, 'start_workflow', { ...start, context: { work: 'Upgrade a dependency' } });
  expect(begun.reply.failed, begun.reply.text).toBe(false);
});

test('a list says how a routine begins, and what a start may hand in besides', async () => {
  const { answer, reply } = await call(requests, 'list_workflows', { query: 'adversarial_review' });
  const [listed] = listOf(answer['workflows']);
  expect(listed).toMatchObject({ kind: 'routine', optionalInputs: expect.arrayContaining(['angle']) as unknown });
  const begins = /^ {2}begins with: start_workflow (\{.*\}), and where known angle/mu.exec(reply.text)?.[1] ?? '{}';
  const start = JSON.parse(begins) as JsonObject;
  const context = Object.fromEntries(Object.keys(fieldsOf(start['context'])).map((name) => [name, 'the design']));
  const begun = await call(requests, 'start_workflow', { ...start, context });
  expect(begun.reply.failed, begun.reply.text).toBe(false);
});

test('nothing is offered for what no workflow is about, and the start that is offered has the mode that is recommended', async () => {
  const { answer } = await call(requests, 'start_workflow', { workflowId: 'zzzzqqqq-xyxyxy' });
  expect(fieldsOf(answer['nextCall'])['tool']).toBe('list_workflows');
  let offered = 0;
  for (const { id } of listOf((await call(requests, 'list_workflows', { kind: 'workflow' })).answer['workflows'])) {
    const inspected = await call(requests, 'inspect_workflow', { workflowId: id! });
    const recommended = fieldsOf(fieldsOf(inspected.answer['workflow'])['recommends'])['mode'];
    const start = fieldsOf(fieldsOf(inspected.answer['nextCall'])['arguments']);
    expect(start['mode']).toBe(recommended);
    expect(start['session']).toContain('or leave session out');
    if (recommended !== undefined) offered += 1;
  }
  expect(offered).toBeGreaterThan(0);
});
