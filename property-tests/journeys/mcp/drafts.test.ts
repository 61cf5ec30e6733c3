import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { markdownPieces } from '../../../src/render/render-markdown.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
  wholeAnswer,
  pairOf,
} from '../../worlds/requests-world.js';

/** What a call handed in that waits for the user: who sees it, and what completes it. */
let world: RequestsWorld;
let requests: Requests;

beforeEach(() => {
  world = makeRequestsWorld({ seed: 14 });
  world.writeWorkflow(
    'report',
    [
      'workflow: team.report',
      'title: Report',
      'description: D',
      'steps:',
      '  - { id: agree, title: Agree, prompt: p, notes: required, confirm: true }',
      '  - { id: choose, title: Choose, prompt: p, confirm: true, needs: [{ reason: needs_user_choice, key: way, ask: Which way? }] }',
      '  - { id: after, title: After, prompt: p }',
    ].join('\n'),
  );
  world.writeWorkflow(
    'ask',
    [
      'workflow: team.ask',
      'title: Ask',
      'description: D',
      'steps:',
      '  - { id: ask, title: Ask, prompt: p, notes: required, needs: [{ reason: needs_user_choice, key: way, ask: Which way? }] }',
      '  - { id: after, title: After, prompt: p }',
    ].join('\n'),
  );
  requests = world.open();
});
afterEach(() => world.close());

const offered = (call: JsonValue | undefined): JsonObject => fieldsOf(fieldsOf(call)['arguments']) as JsonObject;

const draft = {
  output: {
    notesMarkdown: 'Five findings, two of them grave.\nThe first is in parse().',
    artifacts: [{ kind: 'wr.loop_control', decision: 'stop' }],
    gaps: [{ category: 'agent_disclosed', reason: 'guess', detail: 'I took main as the base.' }],
  },
  context: { verdict: 'request_changes' },
};

async function blocked(): Promise<{ readonly tokens: JsonObject; readonly answer: Called }> {
  const { answer: first } = await call(requests, 'start_workflow', { workflowId: 'team.report', session: 'AUTH-1' });
  const answer = await call(requests, 'continue_workflow', { ...pairOf(first), ...draft });
  expect(answer.answer['kind']).toBe('blocked');
  return { tokens: pairOf(first), answer };
}

const recordedIn = async (answer: Fields): Promise<string> => {
  const { reply } = await call(requests, 'continue_workflow', { stateToken: answer['stateToken']!, page: 'record.0' });
  return reply.text;
};

describe('what a blocked call handed in', () => {
  it('is completed by what comes with the agreement, and nothing of the rest is lost', async () => {
    const { tokens } = await blocked();
    const request = { ...tokens, confirmed: true, context: { level: 'High' } };
    const done = await call(requests, 'continue_workflow', request);
    expect(done.reply.failed, done.reply.text).toBe(false);
    expect(fieldsOf(done.answer['recorded'])).toMatchObject({
      artifacts: 1,
      context: ['verdict = "request_changes"', 'level = "High"'],
    });
    const record = await recordedIn(done.answer);
    expect(record).toContain('The first is in parse().');
    // Said again it is the same, and other work is other work.
    expect(wholeAnswer(await call(requests, 'continue_workflow', request))).toBe(wholeAnswer(done));
    const other = await call(requests, 'continue_workflow', { ...request, context: { level: 'Low' } });
    expect(other.answer).toHaveProperty('otherWork');
  });

  it('leaves a gap that waited for the user where their word comes with the agreement', async () => {
    const { answer: first } = await call(requests, 'start_workflow', { workflowId: 'team.report', session: 'AUTH-2' });
    const gaps = [{ category: 'user_only_dependency', reason: 'needs_user_choice', detail: 'Which one?' }];
    const waits = await call(requests, 'continue_workflow', {
      ...pairOf(first),
      output: { notesMarkdown: 'Notes.', gaps },
    });
    expect(waits.answer['kind']).toBe('blocked');
    const done = await call(requests, 'continue_workflow', {
      ...pairOf(first),
      confirmed: true,
      output: { notesMarkdown: 'The user chose the first.' },
    });
    expect(done.answer['kind']).toBe('ok');
    expect(await recordedIn(done.answer)).toContain('The user chose the first.');
  });

  it('is completed by the gap alone that it waits for, once that says what is assumed', async () => {
    const mode = 'auto_stop';
    const start = { workflowId: 'team.ask', session: 'AUTH-3', mode, context: { way: 'left' } };
    const { answer: first } = await call(requests, 'start_workflow', start);
    const gap = { reason: 'needs_user_choice', detail: 'Which one?' };
    const other = { category: 'agent_disclosed', reason: 'guess', detail: 'I took main as the base.' };
    const gaps = [other, { category: 'user_only_dependency', ...gap }];
    const waits = await call(requests, 'continue_workflow', {
      ...pairOf(first),
      output: { notesMarkdown: 'The first would do.', gaps },
    });
    expect(waits.answer['kind']).toBe('blocked');
    expect(waits.reply.text).not.toContain('everything again');
    expect(waits.reply.text).toContain('send this gap alone, its category "agent_disclosed"');
    const assumed = { category: 'agent_disclosed', ...gap, assumption: 'The first.' };
    const done = await call(requests, 'continue_workflow', { ...pairOf(first), output: { gaps: [assumed] } });
    expect(done.answer['kind']).toBe('ok');
    const record = await recordedIn(done.answer);
    for (const said of ['The first would do.', 'I took main as the base.', 'assumed: The first.'])
      expect(record).toContain(said);
  });

  it('is told in the answer, with the call that completes it', async () => {
    const { tokens, answer } = await blocked();
    expect(answer.reply.text).toContain(
      'Kept until then: notes, 1 artifact, context verdict = "request_changes", 1 gap.',
    );
    const { draft: told } = answer.answer;
    expect(fieldsOf(told)).toMatchObject({
      notes: expect.stringContaining('Five findings') as string,
      artifacts: [expect.stringContaining('wr.loop_control')],
      context: ['verdict = "request_changes"'],
    });
    expect(Object.keys(offered(answer.answer['nextCall'])).toSorted()).toEqual(['ackToken', 'confirmed', 'stateToken']);
    expect(offered(answer.answer['nextCall'])).toMatchObject(tokens);
    expect(answer.reply.text).not.toContain('everything again');
  });

  it('is seen whole by a look again, by a new chat that searches, and by people', async () => {
    const { tokens } = await blocked();
    const other = world.open();
    const { answer, reply } = await call(other, 'continue_workflow', { stateToken: tokens['stateToken']! });
    expect(reply.text).toContain('> The first is in parse().');
    expect(reply.text).toContain('wr.loop_control {"decision":"stop"}');
    expect(reply.text).toContain('verdict = "request_changes"');
    expect(reply.text).toContain('I took main as the base.');
    expect(offered(fieldsOf(answer['draft'])['confirm'])).toMatchObject(tokens);
    expect(await recordedIn(answer)).toContain('The first is in parse().');
    // A page holds the page, in its text and as data.
    const page = await call(other, 'continue_workflow', { stateToken: tokens['stateToken']!, page: 'record.0' });
    for (const field of ['draft', 'blockers', 'gaps', 'recap']) expect(page.answer).not.toHaveProperty(field);
    const found = await call(other, 'resume_session', { query: 'grave findings' });
    expect(listOf(found.answer['candidates'])[0]?.['snippet']).toContain('The first is in parse().');
    const story = await other.people.readStory({ session: 'AUTH-1' });
    if (!story.ok) throw new Error(story.error.message);
    expect(story.value.runs[0]?.nodes[0]?.blocks).toMatchObject([
      { output: { notes: draft.output.notesMarkdown, artifacts: draft.output.artifacts }, context: draft.context },
    ]);
    expect(Array.from(markdownPieces(story.value)).join('')).toContain('The first is in parse().');
  });

  it('is completed by the user’s agreement alone, as if everything had come again', async () => {
    const { tokens } = await blocked();
    const done = await call(requests, 'continue_workflow', { ...tokens, confirmed: true });
    expect(done.reply.failed, done.reply.text).toBe(false);
    expect(done.answer['recorded']).toMatchObject({
      notes: expect.stringContaining('Five findings') as string,
      artifacts: 1,
      context: ['verdict = "request_changes"'],
    });
    expect(done.reply.text).toContain('I took main as the base.');
    const lines = world.lines().length;
    for (const again of [{ confirmed: true }, { ...draft, confirmed: true }, {}])
      expect(wholeAnswer(await call(world.open(), 'continue_workflow', { ...tokens, ...again }))).toBe(
        wholeAnswer(done),
      );
    expect(world.lines()).toHaveLength(lines);
  });

  it('is what was handed in last, and a draft that takes the place of another says so', async () => {
    const { tokens } = await blocked();
    const other = {
      ...draft,
      output: { ...draft.output, notesMarkdown: 'Six findings.' },
      context: { verdict: 'approve' },
    };
    const second = await call(requests, 'continue_workflow', { ...tokens, ...other });
    expect(fieldsOf(second.answer['draft'])['replaces']).toEqual(['the notes', 'context.verdict']);
    expect(second.reply.text).toContain('the notes, context.verdict');
    // The first one again is the last one again.
    const again = await call(requests, 'continue_workflow', { ...tokens, ...draft });
    expect(again.reply.text).not.toBe(second.reply.text);
    const done = await call(requests, 'continue_workflow', { ...tokens, confirmed: true });
    expect(fieldsOf(done.answer['recorded'])['notes']).toContain('Five findings');
    expect(done.answer['warnings']).toEqual([]);
  });

  it('does not give way to a call that brings nothing', async () => {
    const { tokens, answer } = await blocked();
    const lines = world.lines().length;
    expect(wholeAnswer(await call(requests, 'continue_workflow', tokens))).toBe(wholeAnswer(answer));
    expect(world.lines()).toHaveLength(lines);
  });

  it('is on a page of the record, and past the last page there is none', async () => {
    const { tokens } = await blocked();
    expect(await recordedIn(tokens)).toContain('Five findings');
    const past = { stateToken: tokens['stateToken']!, page: 'record.99999' };
    const { reply } = await call(requests, 'continue_workflow', past);
    expect(reply.failed).toBe(true);
    expect(reply.text).toContain('the previous one was the last');
  });

  it('is told as agreed to, once it is, by a look and by the record', async () => {
    const { tokens } = await blocked();
    const { answer: done } = await call(requests, 'continue_workflow', { ...tokens, confirmed: true });
    const look = await call(requests, 'continue_workflow', { stateToken: done['stateToken']! });
    expect(look.reply.text).toMatch(/^- Agree \(confirmed by the user/mu);
    expect(await recordedIn(done)).toContain('Agree (agree, confirmed by the user)');
  });

  it('that was changed when it came to be confirmed is told, to the agent and to people, and each time', async () => {
    const { tokens } = await blocked();
    const changed = {
      output: { ...draft.output, notesMarkdown: 'No findings.' },
      context: draft.context,
      confirmed: true,
    };
    const done = await call(requests, 'continue_workflow', { ...tokens, ...changed });
    expect(listOf(done.answer['warnings']).map(({ code }) => code)).toEqual(['DRAFT_CHANGED']);
    expect(done.reply.text).toContain('the notes');
    expect(wholeAnswer(await call(world.open(), 'continue_workflow', { ...tokens, ...changed }))).toBe(
      wholeAnswer(done),
    );
    const story = await requests.people.readStory({ session: 'AUTH-1' });
    if (!story.ok) throw new Error(story.error.message);
    expect(story.value.runs[0]?.nodes[1]?.cameBy.changedSinceDraft).toEqual(['the notes']);
    expect(Array.from(markdownPieces(story.value)).join('')).toContain('Changed after it had waited for the user');
  });

  it('is kept where more than agreement is missing, and agreement alone does not lose it', async () => {
    const { tokens } = await blocked();
    const { answer: next } = await call(requests, 'continue_workflow', { ...tokens, confirmed: true });
    const at = pairOf(next);
    await call(requests, 'continue_workflow', { ...at, output: { notesMarkdown: 'Left or right.' } });
    const still = await call(requests, 'continue_workflow', { ...at, confirmed: true });
    expect(still.answer['kind']).toBe('blocked');
    expect(listOf(still.answer['blockers']).map(({ code }) => code)).toEqual(['USER_ONLY_DEPENDENCY']);
    expect(textOf(fieldsOf(still.answer['draft'])['notes'])).toBe('Left or right.');
  });

  it('is completed by a value that only the user could give, and nothing of the rest is lost', async () => {
    const { answer: first } = await call(requests, 'start_workflow', { workflowId: 'team.ask', session: 'AUTH-3' });
    const tokens = pairOf(first);
    const waits = await call(requests, 'continue_workflow', { ...tokens, ...draft });
    expect(waits.answer['kind']).toBe('blocked');
    expect(waits.reply.text).toContain('both tokens and context.way alone');
    expect(Object.keys(offered(waits.answer['nextCall'])).toSorted()).toEqual(['ackToken', 'context', 'stateToken']);
    expect(Object.keys(fieldsOf(offered(waits.answer['nextCall'])['context']))).toEqual(['way']);
    // What agrees to nothing and answers nothing takes nothing.
    const stray = await call(requests, 'continue_workflow', { ...tokens, context: { other: 1 } });
    expect(stray.answer['error_code']).toBe('STEP_INCOMPLETE');
    const request = { ...tokens, context: { way: 'left' } };
    const done = await call(requests, 'continue_workflow', request);
    expect(done.reply.failed, done.reply.text).toBe(false);
    expect(fieldsOf(done.answer['recorded'])).toMatchObject({
      notes: expect.stringContaining('Five findings') as string,
      artifacts: 1,
      context: ['verdict = "request_changes"', 'way = "left"'],
    });
    expect(done.answer['warnings']).toEqual([]);
    expect(done.reply.text).toContain('I took main as the base.');
    expect(await recordedIn(done.answer)).toContain('The first is in parse().');
    const lines = world.lines().length;
    for (const again of [request, { ...tokens, ...draft, context: { ...draft.context, way: 'left' } }, tokens])
      expect(wholeAnswer(await call(world.open(), 'continue_workflow', again))).toBe(wholeAnswer(done));
    expect(world.lines()).toHaveLength(lines);
    const other = await call(requests, 'continue_workflow', { ...request, context: { way: 'right' } });
    expect(other.answer).toHaveProperty('otherWork');
  });

  it('gives way to what is sent anew with the value, and says so', async () => {
    const { answer: first } = await call(requests, 'start_workflow', { workflowId: 'team.ask', session: 'AUTH-4' });
    await call(requests, 'continue_workflow', { ...pairOf(first), ...draft });
    const done = await call(requests, 'continue_workflow', {
      ...pairOf(first),
      output: { notesMarkdown: 'Six findings.' },
      context: { way: 'left' },
    });
    expect(fieldsOf(done.answer['recorded'])).toMatchObject({ notes: 'Six findings.', artifacts: 1 });
    const [told, ...rest] = listOf(done.answer['warnings']);
    expect({ code: told?.['code'], rest }).toEqual({ code: 'DRAFT_CHANGED', rest: [] });
    expect(told?.['message']).toContain('differs in the notes from what had waited for the user’s answer');
  });

  it('is completed by value and agreement one after the other, or together', async () => {
    const at = async (session: string): Promise<JsonObject> => {
      const { answer: first } = await call(requests, 'start_workflow', { workflowId: 'team.report', session });
      const { answer: next } = await call(requests, 'continue_workflow', {
        ...pairOf(first),
        ...draft,
        confirmed: true,
      });
      const waits = await call(requests, 'continue_workflow', {
        ...pairOf(next),
        output: { notesMarkdown: 'Two ways.' },
      });
      expect(Object.keys(offered(waits.answer['nextCall'])).toSorted()).toEqual([
        'ackToken',
        'confirmed',
        'context',
        'stateToken',
      ]);
      return pairOf(next);
    };
    const value = { context: { way: 'left' } };
    const one = await at('AUTH-5');
    const half = await call(requests, 'continue_workflow', { ...one, ...value });
    expect(listOf(half.answer['blockers']).map(({ code }) => code)).toEqual(['CONFIRMATION_REQUIRED']);
    expect(wholeAnswer(await call(requests, 'continue_workflow', { ...one, ...value }))).toBe(wholeAnswer(half));
    const agreed = await call(requests, 'continue_workflow', { ...one, confirmed: true });
    const two = await at('AUTH-6');
    const both = await call(requests, 'continue_workflow', { ...two, ...value, confirmed: true });
    for (const { answer } of [agreed, both]) {
      expect(answer['recorded']).toMatchObject({ notes: 'Two ways.', context: ['way = "left"'] });
      expect(answer['warnings']).toEqual([]);
    }
    // The half of it that came first is no other work.
    expect(wholeAnswer(await call(requests, 'continue_workflow', { ...one, ...value }))).toBe(wholeAnswer(agreed));
  });

  it('keeps another question that the agent asked where only one of them is answered', async () => {
    const { answer: first } = await call(requests, 'start_workflow', { workflowId: 'team.ask', session: 'AUTH-7' });
    const gaps = [{ category: 'user_only_dependency', reason: 'needs_user_choice', detail: 'Which one?' }];
    const output = { notesMarkdown: 'Two questions.', gaps };
    await call(requests, 'continue_workflow', { ...pairOf(first), output });
    const still = await call(requests, 'continue_workflow', { ...pairOf(first), context: { way: 'left' } });
    expect(listOf(still.answer['blockers']).map(({ pointer }) => pointer)).toEqual(['/output/gaps/0']);
    const done = await call(requests, 'continue_workflow', {
      ...pairOf(first),
      output: { notesMarkdown: 'Both are settled.' },
      context: { way: 'left' },
    });
    expect(done.answer['kind']).toBe('ok');
  });
});
