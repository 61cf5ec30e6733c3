import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 6 });
  world.writeWorkflow(
    'audit',
    [
      'workflow: team.audit',
      'title: Audit',
      'description: D',
      'steps:',
      '  - { id: look, title: Look, prompt: p }',
      '  - id: judge',
      '    title: Judge',
      '    prompt: p',
      '    output: { kind: dependency.risk, schema: { properties: { risk: { type: string } }, required: [risk], type: object }, example: { kind: dependency.risk, risk: high } }',
    ].join('\n'),
  );
  requests = world.open();
});
afterEach(() => world.close());

const pair = (answer: Fields): JsonObject => ({
  stateToken: answer['stateToken'] ?? '',
  ackToken: answer['ackToken'] ?? '',
});
const start = async (): Promise<JsonObject> =>
  pair((await call(requests, 'start_workflow', { workflowId: 'team.audit', session: 'A-1' })).answer);
const send = (tokens: JsonObject, ...artifacts: readonly JsonObject[]): Promise<Called> =>
  call(requests, 'continue_workflow', { ...tokens, output: { notesMarkdown: 'Did it.', artifacts } });
const keep = ({ stateToken = '' }: JsonObject, ...artifacts: readonly JsonObject[]): Promise<Called> =>
  call(requests, 'checkpoint_workflow', { stateToken, output: { notesMarkdown: 'So far.', artifacts } });
const codes = ({ answer }: Called): readonly string[] => listOf(answer['warnings']).map(({ code }) => textOf(code));

const findings = { kind: 'mr_review.findings', findings: 'none' };

it('a kind that the registry knows has its form on a step that does not ask for it, and in a checkpoint', async () => {
  const tokens = await start();
  const refused = await send(tokens, findings);
  expect(refused.answer['error_code']).toBe('STEP_INCOMPLETE');
  expect(listOf(refused.answer['blockers'])[0]).toMatchObject({
    code: 'INVALID_REQUIRED_OUTPUT',
    pointer: expect.stringMatching(/^\/output\/artifacts\/0\//u) as string,
  });
  const kept = await keep(tokens, findings);
  expect(kept.answer['error_code']).toBe('VALIDATION_ERROR');
  expect(kept.reply.text).toContain('/output/artifacts/0/');
  expect(world.lines().map(({ kind }) => kind)).toEqual(['session_started', 'run_started']);
  const right = await send(tokens, { kind: 'mr_review.findings', findings: [] });
  expect(right.reply.failed, right.reply.text).toBe(false);
  expect(codes(right)).toEqual([]);
});

it('a kind that another step asks for has its form wherever it comes', async () => {
  const tokens = await start();
  expect((await send(tokens, { kind: 'dependency.risk', level: 'high' })).answer['error_code']).toBe('STEP_INCOMPLETE');
  expect((await keep(tokens, { kind: 'dependency.risk', level: 'high' })).reply.failed).toBe(true);
  expect((await keep(tokens, { kind: 'dependency.risk', risk: 'high' })).reply.failed).toBe(false);
});

it('an unknown kind is kept, and the warning names the nearest one, each time', async () => {
  const tokens = await start();
  const kept = await keep(tokens, { kind: 'dependency_risks', risk: 'high' });
  expect(codes(kept)).toEqual(['ARTIFACT_NOT_ASKED']);
  expect(kept.reply.text).toContain('did you mean “dependency.risk”?');
  const done = await send(tokens, { kind: 'team.whatever', of: 1 });
  expect(codes(done)).toEqual(['ARTIFACT_NOT_ASKED']);
  expect(done.reply.text).not.toContain('did you mean');
  expect((await send(tokens, { kind: 'team.whatever', of: 1 })).reply.text).toBe(done.reply.text);
});

it('one that is nearly the kind that is missing is told to be it, and takes its place in the call that is offered', async () => {
  const { answer } = await send(await start());
  const refused = await send(pair(answer), { kind: 'dependency_risk', risk: 'high' });
  expect(listOf(refused.answer['blockers'])).toMatchObject([{ pointer: '/output/artifacts/0/kind' }]);
  expect(JSON.stringify(refused.answer['nextCall'])).toContain('"kind":"<fill in: dependency.risk>","risk":"high"');
});
