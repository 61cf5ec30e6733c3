import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  pairOf,
  type RequestsWorld,
  wholeAnswer,
} from '../../worlds/requests-world.js';

/** What the user said no to: it is kept, seen by whoever comes later, and ends with work that they agree to. */
let world: RequestsWorld;
let requests: Requests;

beforeEach(() => {
  world = makeRequestsWorld({ seed: 159 });
  world.writeWorkflow(
    'agree',
    [
      'workflow: team.agree',
      'title: Agree',
      'description: D',
      'steps:',
      '  - { id: plan, title: Plan, prompt: p, notes: required, confirm: true }',
      '  - { id: after, title: After, prompt: p }',
    ].join('\n'),
  );
  requests = world.open();
});
afterEach(() => world.close());

const work = { output: { notesMarkdown: 'Plan: drop the table.' } };
const no = { confirmed: false, output: { notesMarkdown: 'They want a backup first.' } };
const send = (tokens: JsonObject, more: JsonObject): Promise<Called> =>
  call(requests, 'continue_workflow', { ...tokens, ...more });

async function waiting(mode = 'guided'): Promise<JsonObject> {
  const { answer } = await call(requests, 'start_workflow', { workflowId: 'team.agree', session: 'NO-1', mode });
  const tokens = pairOf(answer);
  if (mode === 'guided') await send(tokens, work);
  return tokens;
}

describe('a refusal of the user', () => {
  it('is kept with its reason, the step stays, and the answer says what can be done', async () => {
    const tokens = await waiting();
    const refused = await send(tokens, no);
    expect(refused.answer['kind']).toBe('blocked');
    expect(refused.reply.text).toContain('Recorded that the user said no at step 1, Plan.');
    expect(refused.reply.text).toContain('the user said no to this step: They want a backup first.');
    expect(refused.reply.text).toContain('Next: change the work as the user wants it');
    expect(JSON.stringify(refused.answer['nextCall'])).toContain('<fill in: true, once the user has agreed>');
    expect(fieldsOf(refused.answer['draft'])).not.toHaveProperty('confirm');
    // The work is not taken for what they said of it.
    expect(refused.answer['draft']).toMatchObject({
      notes: 'Plan: drop the table.',
      refused: 'They want a backup first.',
    });
    const [line, ...others] = world.lines().filter(({ data }) => 'refused' in data);
    expect([line?.v, others]).toEqual([3, []]);
    // Said again it is the same, and so it is to whoever says nothing.
    for (const again of [no, {}])
      expect(wholeAnswer(await call(world.open(), 'continue_workflow', { ...tokens, ...again }))).toBe(
        wholeAnswer(refused),
      );
    expect(world.lines().filter(({ data }) => 'refused' in data)).toHaveLength(1);
  });

  it('is seen by a new chat and by people', async () => {
    const tokens = await waiting();
    await send(tokens, no);
    const { reply, answer } = await call(world.open(), 'continue_workflow', { stateToken: tokens['stateToken']! });
    expect(reply.text).toContain('The last try was refused:');
    expect(reply.text).toContain('Handed in, and refused by the user');
    expect(reply.text).toContain('They want a backup first.');
    expect(fieldsOf(answer['draft'])).not.toHaveProperty('confirm');
    const story = await requests.people.readStory({ session: 'NO-1' });
    expect(JSON.stringify(story)).toContain('the user said no to this step: They want a backup first.');
  });

  it('ends with changed work that they agree to, or with their agreement after all', async () => {
    const tokens = await waiting();
    await send(tokens, no);
    const changed = await send(tokens, { output: { notesMarkdown: 'Plan: back up, then drop the table.' } });
    expect(listOf(changed.answer['blockers'])).toMatchObject([{ message: 'the user has not confirmed this step' }]);
    expect(fieldsOf(changed.answer['draft'])).toMatchObject({ replaces: ['the notes'] });
    await send(tokens, { confirmed: false });
    const done = await send(tokens, { confirmed: true });
    expect(fieldsOf(done.answer['recorded'])['notes']).toBe('Plan: back up, then drop the table.');
  });

  it('holds where nobody is asked: other work does not go past it, from here or from a rewind, until they agree', async () => {
    const tokens = await waiting('auto_never_stop');
    await send(tokens, { ...work, confirmed: false });
    await send(tokens, no);
    const changed = { output: { notesMarkdown: 'Plan: drop the table, after a backup.' } };
    const looked = await send({ stateToken: tokens['stateToken']! }, {});
    for (const pair of [tokens, tokens, pairOf(looked.answer)]) {
      const again = await send(pair, changed);
      expect(again.answer['kind']).toBe('blocked');
      expect(again.reply.text).toContain('the user said no to this step: They want a backup first.');
    }
    const agreed = await send(tokens, { confirmed: true });
    expect(agreed.answer).toMatchObject({ kind: 'ok', pending: { stepId: 'after' } });
    expect(agreed.answer['gaps'] ?? []).toEqual([]);
  });

  it('stops the step in every mode, with work that is not whole as well, and says nothing where none is asked', async () => {
    const tokens = await waiting('auto_never_stop');
    expect((await send(tokens, { confirmed: false })).answer['kind']).toBe('blocked');
    const done = await send(tokens, { ...work, confirmed: true });
    expect(done.answer['kind']).toBe('ok');
    const after = await send(pairOf(done.answer), { ...work, confirmed: false });
    expect(after.answer['isComplete']).toBe(true);
  });
});
