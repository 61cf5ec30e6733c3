import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { call, linesOnDisk, listOf, makeRequestsWorld, textOf, pairOf } from '../../worlds/requests-world.js';

const workflow =
  'workflow: wr.gate\ndescription: Use this in a test.\nsteps:\n  - { id: agree, title: Agree to the release, prompt: Ask., confirm: true }\n  - { id: b, prompt: Go on. }\n';

test('what nobody agreed to is settled by a person, and by no agent, with a step or beside it', async () => {
  const world = makeRequestsWorld({ seed: 31 });
  try {
    world.writeWorkflow('gate', workflow);
    const agent = world.open();
    const began = await call(agent, 'start_workflow', { workflowId: 'wr.gate', mode: 'auto_never_stop' });
    const passed = await call(agent, 'continue_workflow', {
      ...pairOf(began.answer as JsonObject),
      output: { notesMarkdown: 'Went on.' },
    });
    const [gap] = listOf(passed.answer['gaps']);
    expect(gap).toMatchObject({
      category: 'confirmation',
      detail: 'agree: the user has not confirmed “Agree to the release”',
    });
    const settled: JsonObject = {
      gaps: [
        {
          category: 'agent_disclosed',
          reason: 'settled',
          detail: 'They would agree.',
          severity: 'info',
          resolves: gap!['id']!,
        },
      ],
    };
    const withStep = await call(agent, 'continue_workflow', {
      ...pairOf(passed.answer as JsonObject),
      output: settled,
    });
    const beside = await call(agent, 'checkpoint_workflow', {
      stateToken: passed.answer['stateToken']!,
      output: settled,
    });
    for (const { reply, answer } of [withStep, beside]) {
      expect([reply.failed, answer['error_code']]).toEqual([true, 'PRECONDITION_FAILED']);
      expect(reply.text).toContain('only the user can settle it');
      expect(reply.text).toContain(`workrail checkpoint ${textOf(passed.answer['stateToken'])} --gap`);
    }
    const last = await call(agent, 'continue_workflow', {
      ...pairOf(passed.answer as JsonObject),
      output: { notesMarkdown: 'Done.' },
    });
    expect(last.answer['status']).toBe('complete_with_gaps');
    expect(last.reply.text).not.toContain('One is settled with');
    const person = world.open(undefined, {}, 'terminal');
    const kept = await call(person, 'checkpoint_workflow', { stateToken: last.answer['stateToken']!, output: settled });
    expect(kept.reply.failed, kept.reply.text).toBe(false);
    expect(linesOnDisk(world.data).at(-1)).toMatchObject({ kind: 'checkpoint', who: { door: 'terminal' } });
    const looked = await call(agent, 'continue_workflow', { stateToken: last.answer['stateToken']! });
    expect(looked.answer['status']).toBe('complete');
  } finally {
    await world.close();
  }
});
