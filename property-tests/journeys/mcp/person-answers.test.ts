import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { AnswerAsked } from '../../../src/requests/answers/answer-question.js';
import { rootOfPaths, withinWorkspace } from '../../../src/requests/answers/within-workspace.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  mergeInto,
  pairOf,
  type RequestsWorld,
} from '../../worlds/requests-world.js';

/** What a person answers at their own door, and what the agent hears of it. */
let world: RequestsWorld;
let requests: Requests;
let person: Requests['people'];

const session = 'P-1';
const workspace = (): string => path.join(world.folder, 'workspace');

function open(): void {
  requests = world.open();
  person = world.open(undefined, {}, 'terminal').people;
}

beforeEach(() => {
  world = makeRequestsWorld({ seed: 17 });
  world.writeWorkflow(
    'ask',
    [
      'workflow: team.ask',
      'title: Ask',
      'description: D',
      'steps:',
      '  - { id: agree, title: Agree, prompt: p, notes: required, confirm: true }',
      '  - id: give',
      '    title: Give',
      '    prompt: p',
      '    confirm: true',
      '    needs:',
      '      - { reason: needs_user_choice, key: way, ask: Which way? }',
      '      - { reason: needs_user_secret_or_token, key: token, ask: A deploy token. }',
      '      - { reason: needs_user_artifact, key: design, ask: The design. }',
      '    sets: { way: { type: string, enum: [left, right] } }',
      '  - { id: after, title: After, prompt: "Go ${{ context.way }} with ${{ context.token }} and ${{ context.design }}." }',
    ].join('\n'),
  );
  open();
});
afterEach(() => world.close());

const start = async (): Promise<Called> =>
  call(requests, 'start_workflow', { workflowId: 'team.ask', sessionKey: session });

const handed = { output: { notesMarkdown: 'Two findings.' } };

async function blocked(): Promise<{ readonly pair: Fields; readonly answer: Fields }> {
  const pair = pairOf((await start()).answer);
  const { answer } = await call(requests, 'continue_workflow', { ...pair, ...handed } as JsonObject);
  expect(answer['kind']).toBe('blocked');
  return { pair, answer };
}

async function waiting(): ReturnType<Requests['people']['readQuestions']> {
  return person.readQuestions({ session });
}

async function questions(): Promise<readonly { readonly block: string; readonly question: string }[]> {
  const told = await waiting();
  if (!told.ok) throw new Error(told.error.message);
  return told.value.waiting.flatMap((work) => work.questions);
}

async function say(
  question: string,
  given: Pick<AnswerAsked, 'answer' | 'value' | 'reason'>,
  block?: string,
): ReturnType<Requests['people']['answerQuestion']> {
  const open = await questions();
  return person.answerQuestion({ session, block: block ?? open[0]?.block ?? '', question, ...given });
}

const said = ({ reply }: Called): string => reply.text;

const goOn = async (pair: Fields, more: JsonObject = {}): Promise<Called> =>
  call(requests, 'continue_workflow', { ...pair, ...more } as JsonObject);

const lines = (kind: string): readonly Fields[] =>
  world.lines().filter((line) => line['kind'] === kind) as unknown as readonly Fields[];

describe('a person agrees at their own door', () => {
  it('is told to whoever looks, and the same call goes on alone, or with the draft again', async () => {
    for (const more of [{}, handed as JsonObject]) {
      const { pair } = await blocked();
      const told = await say('/confirmed', { answer: 'agreed' });
      expect(told.ok && told.value).toMatchObject({
        added: true,
        open: [],
        says: 'the user agreed, on the command line',
      });
      const look = await call(requests, 'continue_workflow', { stateToken: pair['stateToken'] } as JsonObject);
      expect(look.answer['status']).toBe('in_progress');
      expect(look.answer['blockers']).toBeUndefined();
      expect(fieldsOf(look.answer['draft'])).toMatchObject({ settled: true });
      expect(said(look)).toContain('The user agreed, on the command line');
      const done = await goOn(pair, more);
      expect(done.answer).toMatchObject({ kind: 'ok', happened: 'advanced' });
      expect(listOf(done.answer['answered'])).toMatchObject([{ answer: 'agreed', door: 'terminal' }]);
      expect(said(done)).toContain('The user agreed, on the command line');
      const again = await goOn(pair, more);
      expect(said(again)).toBe(said(done));
      await world.close();
      world = makeRequestsWorld({ seed: 17 });
      world.writeWorkflow('ask', agreeOnly);
      open();
    }
  });

  it('asks again for changed work, and the answer to the first is not taken for it', async () => {
    const { pair } = await blocked();
    const [first] = await questions();
    await say('/confirmed', { answer: 'agreed' });
    const changed = await goOn(pair, { output: { notesMarkdown: 'Three findings.' } });
    expect(changed.answer['kind']).toBe('blocked');
    const late = await say('/confirmed', { answer: 'refused' }, first?.block);
    expect(late.ok ? '' : late.error.message).toContain('the agent has since sent new work for “Agree”');
    expect((await goOn(pair)).answer['kind']).toBe('blocked');
    await say('/confirmed', { answer: 'agreed' });
    const done = await goOn(pair);
    expect(fieldsOf(done.answer['recorded'])['notes']).toBe('Three findings.');
  });

  it('counts once: the same again records nothing, another is told the first, and one for a step that is done too', async () => {
    const { pair } = await blocked();
    const [{ block } = { block: '' }] = await questions();
    await say('/confirmed', { answer: 'agreed' });
    const same = await say('/confirmed', { answer: 'agreed' }, block);
    expect(same.ok && same.value.added).toBe(false);
    const other = await say('/confirmed', { answer: 'refused', reason: 'no' }, block);
    expect(other.ok ? '' : other.error.message).toContain('this was already answered (the user agreed');
    await goOn(pair);
    const late = await say('/confirmed', { answer: 'refused' }, block);
    expect(late.ok ? '' : late.error.message).toContain('“Agree” has been completed in the meantime');
    expect(lines('question_answered')).toHaveLength(1);
    expect(lines('question_answered')[0]).toMatchObject({ v: 3, who: { door: 'terminal' } });
  });
});

describe('a person refuses at their own door', () => {
  it('stands until the work changes, whatever the agent says in their name', async () => {
    const { pair } = await blocked();
    await say('/confirmed', { answer: 'refused', reason: 'Keep the flag.' });
    for (const more of [{}, handed as JsonObject, { confirmed: true }, { ...handed, confirmed: true }]) {
      const told = await goOn(pair, more as JsonObject);
      expect(told.answer['kind']).toBe('blocked');
      expect(said(told)).toContain('the user said no to this step: Keep the flag.');
    }
    expect(lines('step_blocked')).toHaveLength(1);
    const changed = await goOn(pair, { output: { notesMarkdown: 'With the flag.' } });
    expect(said(changed)).not.toContain('Keep the flag');
    await say('/confirmed', { answer: 'agreed' });
    expect((await goOn(pair)).answer['happened']).toBe('advanced');
  });

  it('stands where the agent first passes it on, and then says yes', async () => {
    const { pair } = await blocked();
    await say('/confirmed', { answer: 'refused', reason: 'Keep the flag.' });
    for (const more of [{ confirmed: false }, { confirmed: true }, { ...handed, confirmed: true }])
      expect((await goOn(pair, more as JsonObject)).answer['kind']).toBe('blocked');
  });
});

describe('a person gives what is asked for', () => {
  const atGive = async (): Promise<Fields> => {
    const { pair } = await blocked();
    const next = pairOf((await goOn(pair, { confirmed: true })).answer);
    await goOn(next, { output: { notesMarkdown: 'Ready.' } });
    return next;
  };

  it('one by one, by several doors, and the step waits until nothing is open', async () => {
    const pair = await atGive();
    writeFileSync(path.join(workspace(), 'design.md'), '# D');
    expect((await questions()).map(({ question }) => question)).toEqual([
      '/context/way',
      '/context/token',
      '/context/design',
      '/confirmed',
    ]);
    const wrong = await say('/context/way', { answer: 'value', value: 'up' });
    expect(wrong.ok ? '' : wrong.error.message).toContain('expected "left" or "right", got "up"');
    expect((await say('/context/way', { answer: 'agreed' })).ok).toBe(false);
    expect((await say('/context/way', { answer: 'value', value: 'left' })).ok).toBe(true);
    expect((await goOn(pair)).answer['kind']).toBe('blocked');
    const secret = await say('/context/token', { answer: 'value', value: 'ghp_0123456789' });
    expect(secret.ok ? '' : secret.error.message).toContain('a secret is never recorded');
    await say('/context/token', { answer: 'value' });
    const outside = await say('/context/design', { answer: 'file', value: '/etc/hostname' });
    expect(outside.ok ? '' : outside.error.message).toContain('is not in the workspace');
    await say('/context/design', { answer: 'file', value: path.join(workspace(), 'design.md') });
    const told = await goOn(pair);
    expect(listOf(told.answer['blockers'])).toHaveLength(1);
    // The agent passes on in the same call what it was told besides.
    const done = await goOn(pair, { confirmed: true });
    expect(said(done)).toContain('Go left with (given by the user, not recorded) and design.md.');
    expect(listOf(done.answer['answered'])).toHaveLength(3);
    expect(said(await goOn(pair, { confirmed: true }))).toBe(said(done));
    expect(world.lines().some((line) => JSON.stringify(line).includes('ghp_'))).toBe(false);
    expect(world.lines().some((line) => JSON.stringify(line).includes(workspace()))).toBe(false);
  });

  it('and their own value stands where the agent passes on another', async () => {
    const pair = await atGive();
    await say('/context/way', { answer: 'value', value: 'left' });
    const done = await goOn(pair, { confirmed: true, context: { way: 'right', token: 'given', design: 'none' } });
    expect(said(done)).toContain('Go left with given and none.');
    expect(said(await goOn(pair, { confirmed: true, context: { way: 'right', token: 'given', design: 'none' } }))).toBe(
      said(done),
    );
  });

  it('or says that they will not', async () => {
    const pair = await atGive();
    await say('/context/token', { answer: 'refused', reason: 'Not on this machine.' });
    const told = await goOn(pair);
    expect(said(told)).toContain(
      'the user said no to “needs_user_secret_or_token: A deploy token.”: Not on this machine.',
    );
  });
});

describe('a gap of the agent that only the user can settle', () => {
  it('is answered in words, and the step goes on without it', async () => {
    const pair = pairOf((await start()).answer);
    const gap = { category: 'user_only_dependency', reason: 'needs_user_choice', detail: 'Which of both names?' };
    await goOn(pair, { output: { notesMarkdown: 'Named it.', gaps: [gap] } });
    expect((await questions()).map(({ question }) => question)).toEqual(['/output/gaps/0', '/confirmed']);
    await say('/output/gaps/0', { answer: 'value', value: 'The short one.' });
    await say('/confirmed', { answer: 'agreed' });
    const done = await goOn(pair);
    expect(done.answer['happened']).toBe('advanced');
    expect(said(done)).toContain('The user answered: The short one');
    expect(JSON.stringify(done.answer['warnings'])).not.toContain('differs');
    expect(done.answer['gaps']).toBeUndefined();
  });
});

describe('what does not fit', () => {
  it('is refused with what to do, and nothing is recorded', async () => {
    await blocked();
    const [{ block } = { block: '' }] = await questions();
    const all = [
      await say('/nothing', { answer: 'agreed' }),
      await say('/confirmed', { answer: 'value', value: 'yes' }),
      await say('/confirmed', { answer: 'agreed' }, '0123456789abcdef'),
      await say('/confirmed', { answer: 'refused', reason: 'x'.repeat(70_000) }, block),
    ];
    expect(all.map((one) => (one.ok ? 'ok' : one.error.code))).toEqual([
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'LIMIT_EXCEEDED',
    ]);
    expect(lines('question_answered')).toEqual([]);
  });

  it('too, where the work went on another way', async () => {
    const { pair } = await blocked();
    const [{ block } = { block: '' }] = await questions();
    const look = await call(requests, 'continue_workflow', { stateToken: pair['stateToken'] } as JsonObject);
    expect(look.answer['ackToken']).toBe(pair['ackToken']);
    // Somebody else did it with an attempt of their own.
    const other = pairOf((await call(requests, 'resume_session', { sessionId: session })).answer);
    expect(other).toBeDefined();
    await goOn(pair, { confirmed: true });
    const late = await say('/confirmed', { answer: 'agreed' }, block);
    expect(late.ok ? '' : late.error.message).toContain('nothing was recorded');
  });
});

const agreeOnly = [
  'workflow: team.ask',
  'title: Ask',
  'description: D',
  'steps:',
  '  - { id: agree, title: Agree, prompt: p, notes: required, confirm: true }',
  '  - { id: after, title: After, prompt: p }',
].join('\n');

describe('two clones in which the same question was answered', () => {
  it('have one answer when they are merged, whichever came to which, and the other is told', async () => {
    const { pair } = await blocked();
    const [{ block } = { block: '' }] = await questions();
    const apart = world.clone(world.data, 'apart');
    const there = world.open(apart, {}, 'terminal');
    await say('/confirmed', { answer: 'agreed' });
    // Later by the clock, and at the same place of the log: the least in order counts, not the first in time.
    await there.people.answerQuestion({ session, block, question: '/confirmed', answer: 'refused', reason: 'No.' });
    const [forth, back] = [world.clone(world.data, 'forth'), world.clone(apart, 'back')];
    mergeInto(forth, apart);
    mergeInto(back, world.data);
    const told: string[] = [];
    for (const data of [forth, back]) {
      const opened = world.open(data);
      const look = await call(opened, 'continue_workflow', { stateToken: pair['stateToken'] } as JsonObject);
      const draft = fieldsOf(look.answer['draft']);
      expect(listOf(draft['answers']).map(({ passedOver }) => passedOver ?? false)).toEqual([false, true]);
      const done = await call(opened, 'continue_workflow', pair as JsonObject);
      told.push(`${JSON.stringify(draft['answers'])} ${JSON.stringify(done.answer['kind'])}`);
      expect(said(look)).toContain('The same was answered before, and that answer counts.');
    }
    expect(told[0]).toBe(told[1]);
  });
});

describe('after a no that the user gave themselves', () => {
  it('changed work is asked for anew, whatever the agent says in their name, until they answer', async () => {
    const { pair } = await blocked();
    await say('/confirmed', { answer: 'refused', reason: 'Keep the flag.' });
    const changed = { output: { notesMarkdown: 'Two findings. ' }, confirmed: true };
    for (const more of [changed, { confirmed: true }, changed]) {
      const told = await goOn(pair, more);
      expect(told.answer['kind']).toBe('blocked');
      // What would come to nothing is not advised.
      expect(said(told)).not.toContain('"confirmed"');
      expect(JSON.stringify(told.answer)).not.toMatch(/confirmed\\*":\s*true/u);
      expect(said(told)).toContain('Next: tell the user that this waits for their own answer');
    }
    await say('/confirmed', { answer: 'agreed' });
    expect((await goOn(pair)).answer['happened']).toBe('advanced');
  });

  it('the very work that they refused is refused, also where other work came in between', async () => {
    const { pair } = await blocked();
    await say('/confirmed', { answer: 'refused', reason: 'Keep the flag.' });
    await goOn(pair, { output: { notesMarkdown: 'Other.' } });
    expect(said(await goOn(pair, { ...handed, confirmed: true }))).toContain('Keep the flag.');
    await goOn(pair, { output: { notesMarkdown: 'A third.' } });
    await say('/confirmed', { answer: 'agreed' });
    expect((await goOn(pair)).answer['happened']).toBe('advanced');
    const look = await call(requests, 'continue_workflow', { stateToken: pair['stateToken'] } as JsonObject);
    const fork = pairOf(look.answer);
    expect(said(await goOn(fork, { ...handed, confirmed: true }))).toContain('Keep the flag.');
  });

  it('a run that asks nobody asks them of changed work, and goes on with their yes', async () => {
    const { pair } = await blocked();
    await say('/confirmed', { answer: 'refused' });
    await person.changePreferences({ session, global: false, asked: { mode: 'auto_never_stop' } });
    const changed = await goOn(pair, { output: { notesMarkdown: 'Otherwise.' } });
    expect(changed.answer['kind']).toBe('blocked');
    expect(fieldsOf(changed.answer['draft'])['refused']).toBeUndefined();
    await say('/confirmed', { answer: 'agreed' });
    expect((await goOn(pair)).answer['happened']).toBe('advanced');
  });

  it('holds where their words were taken out of the log, and the session stays sound', async () => {
    const { pair } = await blocked();
    await say('/confirmed', { answer: 'refused', reason: 'I refused it: SECRETWORD.' });
    for (const text of ['SECRETWORD', 'refused', 'Two findings']) {
      const gone = await person.redactSession({ session, what: text, secrets: false, dryRun: false });
      expect(gone.ok ? [] : [gone.error.message]).toEqual([]);
    }
    expect((await goOn(pair, { confirmed: true })).answer['kind']).toBe('blocked');
    expect(lines('question_answered').map(({ data }) => fieldsOf(data)['answer'])).toEqual(['refused']);
  });
});

describe('what is handed in for a step that was done before', () => {
  it('waits for the user as anything else, and they can answer', async () => {
    const { pair } = await blocked();
    await goOn(pair, { confirmed: true });
    const look = await call(requests, 'continue_workflow', { stateToken: pair['stateToken'] } as JsonObject);
    const fork = pairOf(look.answer);
    expect((await goOn(fork, { output: { notesMarkdown: 'Again.' } })).answer['kind']).toBe('blocked');
    await say('/confirmed', { answer: 'agreed', reason: 'But keep the flag.' });
    const done = await goOn(fork);
    expect(done.answer['happened']).toBe('forked');
    expect(said(done)).toContain('The user agreed: But keep the flag, on the command line');
  });
});

describe('a file', () => {
  it('is named as it lies in the project, and no link leads out of it', async () => {
    await blocked();
    symlinkSync('/etc/hostname', path.join(workspace(), 'link'));
    mkdirSync(path.join(workspace(), 'docs'));
    writeFileSync(path.join(workspace(), 'docs', 'd.md'), '# D');
    const root = { workspace: path.join(workspace(), 'docs'), root: workspace() };
    expect(withinWorkspace(root, 'd.md')).toEqual({ ok: true, value: 'docs/d.md' });
    expect(withinWorkspace({ ...root, workspace: workspace() }, 'link').ok).toBe(false);
    expect(withinWorkspace({ ...root, workspace: workspace() }, 'docs').ok).toBe(false);
    expect(rootOfPaths({ kind: 'project', name: '/p/.workrail' }, '/p/docs')).toBe('/p');
  });
});
