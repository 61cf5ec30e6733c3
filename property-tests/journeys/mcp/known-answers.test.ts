import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { call, fieldsOf, listOf, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';

/** What only the user has and an earlier step has set: judged by the step that needs it as if it had just been given. */
let world: RequestsWorld;
let requests: Requests;

beforeEach(() => {
  world = makeRequestsWorld({ seed: 151, store: 'memory' });
  world.writeWorkflow(
    'risk',
    [
      'workflow: team.risk',
      'title: Risk',
      'description: D',
      'steps:',
      '  - { id: guess, title: Guess, prompt: p, notes: optional, sets: { risk: { type: string } } }',
      '  - id: ask',
      '    title: Ask',
      '    prompt: p',
      '    notes: optional',
      '    sets: { risk: { type: string, enum: [low, high] } }',
      '    needs: [{ reason: needs_user_choice, key: risk, ask: How great is the risk? }]',
    ].join('\n'),
  );
  requests = world.open();
});
afterEach(() => world.close());

const afterGuess = async (risk: string) => {
  const { answer: first } = await call(requests, 'start_workflow', { workflowId: 'team.risk', session: `R-${risk}` });
  return call(requests, 'continue_workflow', { ...pairOf(first), context: { risk } });
};
const expectsOf = (answer: Parameters<typeof pairOf>[0]) => fieldsOf(fieldsOf(answer['pending'])['expects']);

describe('a value that came before anybody asked for it', () => {
  const early = async (context: object) => {
    world.writeWorkflow(
      'early',
      [
        'workflow: team.early',
        'title: Early',
        'description: D',
        'steps:',
        '  - { id: look, title: Look, prompt: p, notes: optional }',
        '  - id: ask',
        '    title: Ask',
        '    prompt: p',
        '    notes: optional',
        '    needs: [{ reason: needs_user_approval, key: accepted, ask: Is that accepted? }]',
      ].join('\n'),
    );
    const { answer } = await call(requests, 'start_workflow', {
      workflowId: 'team.early',
      session: 'EARLY',
      ...context,
    });
    return answer;
  };

  it('answers nothing where an agent handed it back unasked', async () => {
    const first = await early({});
    const { answer } = await call(requests, 'continue_workflow', { ...pairOf(first), context: { accepted: 'yes' } });
    expect(expectsOf(answer)).toMatchObject({ needs: [{ key: 'accepted', satisfied: false }] });
    const blocked = await call(requests, 'continue_workflow', pairOf(answer));
    expect(blocked.reply.text).toContain('handed back before it was asked');
    const done = await call(requests, 'continue_workflow', { ...pairOf(answer), context: { accepted: 'yes' } });
    expect(done.answer['isComplete']).toBe(true);
  });

  it('answers where it was given at the start, and is only said again', async () => {
    const first = await early({ context: { accepted: 'yes' } });
    const { answer } = await call(requests, 'continue_workflow', { ...pairOf(first), context: { accepted: 'yes' } });
    expect(expectsOf(answer)).toMatchObject({ needs: [{ key: 'accepted', satisfied: true }] });
  });
});

describe('a value that is known before its user is asked', () => {
  it('satisfies the need where the step would take it, and is not asked for again', async () => {
    const { answer, reply } = await afterGuess('high');
    expect(expectsOf(answer)).toMatchObject({ needs: [{ key: 'risk', satisfied: true }], context: [] });
    expect(reply.text).toContain('risk is known already');
    expect((await call(requests, 'continue_workflow', pairOf(answer))).answer['isComplete']).toBe(true);
  });

  it('opens nothing where the step would refuse it: the user is asked, and told what is wrong with it', async () => {
    const { answer, reply } = await afterGuess('medium');
    expect(expectsOf(answer)).toMatchObject({ needs: [{ key: 'risk', satisfied: false }], context: [{ key: 'risk' }] });
    expect(reply.text).not.toContain('known already');
    const blocked = await call(requests, 'continue_workflow', pairOf(answer));
    expect(blocked.answer['kind']).toBe('blocked');
    expect(listOf(blocked.answer['blockers'])).toMatchObject([
      { code: 'USER_ONLY_DEPENDENCY', pointer: '/context/risk' },
    ]);
    expect(blocked.reply.text).toContain('"medium"');
    // A wrong answer given now is the agent's to mend.
    const wrong = await call(requests, 'continue_workflow', { ...pairOf(answer), context: { risk: 'some' } });
    expect(wrong.reply.failed).toBe(true);
    const done = await call(requests, 'continue_workflow', { ...pairOf(answer), context: { risk: 'low' } });
    expect(done.answer['isComplete']).toBe(true);
  });
});
