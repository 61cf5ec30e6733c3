import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  call,
  type Called,
  type Fields,
  listOf,
  makeRequestsWorld,
  pairOf,
  type RequestsWorld,
  textOf,
} from '../../worlds/requests-world.js';

/** What agents hand in of what they used: counted for people, and for agents as if it were not there. */
let world: RequestsWorld;
let requests: Requests;

const workflow = `workflow: team.used
title: Used
description: D
steps:
  - { id: look, title: Look, prompt: p }
  - id: judge
    title: Judge
    prompt: p
    output: { kind: team.risk, schema: { properties: { risk: { type: string } }, required: [risk], type: object }, example: { kind: team.risk, risk: high } }
  - { id: agree, title: Agree, prompt: 'Risk \${{ outputs.judge.artifacts[0].risk }}, of \${{ size(outputs.judge.artifacts) }}', confirm: true }
  - { id: tell, title: Tell, prompt: 'Left \${{ size(outputs.look.artifacts) }}', if: 'outputs.judge.artifacts[0].risk == "high"' }
`;

const used = { kind: 'wr.usage', model: 'some-model', inputTokens: 1200, outputTokens: 80, costUsd: 0.1 };
const risk = { kind: 'team.risk', risk: 'high' };

beforeEach(() => {
  world = makeRequestsWorld({ seed: 41 });
  world.writeWorkflow('used', workflow);
  requests = world.open();
});
afterEach(() => world.close());

const start = async (of = requests): Promise<Called> =>
  call(of, 'start_workflow', { workflowId: 'team.used', session: 'U-1' });
const send = (before: Called, more: JsonObject, of = requests): Promise<Called> =>
  call(of, 'continue_workflow', { ...pairOf(before.answer), ...more });
const did = (...artifacts: readonly JsonObject[]): JsonObject => ({
  output: { notesMarkdown: 'Did it.', ...(artifacts.length > 0 && { artifacts }) },
});
const story = async (of = requests) => {
  const told = await of.people.readStory({ session: 'U-1' });
  if (!told.ok) throw new Error(told.error.message);
  return told.value;
};
const warnings = ({ answer }: Called): readonly Fields[] => listOf(answer['warnings']);

describe('what a step used', () => {
  it('leaves every answer as it would be without it, to the byte, but for what the call itself brought', async () => {
    const told: (readonly string[])[] = [];
    for (const usage of [[], [used]]) {
      const apart = makeRequestsWorld({ seed: 41 });
      try {
        apart.writeWorkflow('used', workflow);
        const own = apart.open();
        const looked = await send(await start(own), did(...usage), own);
        if (usage.length > 0)
          await call(own, 'checkpoint_workflow', {
            stateToken: looked.answer['stateToken']!,
            output: { artifacts: [{ ...used, costUsd: 0.2 }] },
          });
        const judged = await send(looked, did(...usage, risk), own);
        const blocked = await send(judged, did(...usage), own);
        const agreed = await send(blocked, { confirmed: true }, own);
        const looks = [
          await call(own, 'continue_workflow', { stateToken: agreed.answer['stateToken']! }),
          await call(own, 'continue_workflow', { stateToken: judged.answer['stateToken']! }),
          await call(own, 'resume_session', { query: 'did' }),
        ];
        // Ids are drawn from the same seed, and differ once another event was drawn between.
        const plain = ({ reply }: Called): string =>
          reply.text.replaceAll(/\b(?:st|ack|se)\.v1\.\w+|\b\w+_[0-9a-f]{8,}|\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '*');
        told.push(
          [judged, agreed, ...looks].map(plain).map((text) => text.replaceAll(/\d+ artifacts?/gu, 'artifacts')),
        );
        expect(judged.reply.text).toContain('Risk high, of 1');
        expect(agreed.reply.text).toContain('Left 0');
      } finally {
        await apart.close();
      }
    }
    const withoutRecorded = (text: string): string => text.replaceAll(/^.*[Rr]ecorded.*$/gmu, '');
    expect(told[1]!.map(withoutRecorded)).toEqual(told[0]!.map(withoutRecorded));
    expect(told[1]!.join('\n')).not.toContain('wr.usage');
    expect(told[1]!.join('\n')).not.toContain('some-model');
  });

  it('is summed by step, run and session, as decimals', async () => {
    const looked = await send(await start(), did(used, { ...used, model: 'other', costUsd: 0.2 }));
    await call(requests, 'checkpoint_workflow', {
      stateToken: looked.answer['stateToken']!,
      output: { artifacts: [used] },
    });
    await send(looked, did(risk, { kind: 'wr.usage', cacheReadTokens: 7 }));
    const { runs, usage } = await story();
    expect(usage).toEqual(runs[0]?.usage);
    expect(runs[0]?.usage).toEqual({
      reports: 4,
      models: ['other', 'some-model'],
      inputTokens: 3600,
      outputTokens: 240,
      cacheReadTokens: 7,
      costUsd: 0.4,
    });
    expect(runs[0]?.nodes.map((node) => node.usage?.costUsd)).toEqual([0.3, 0.1, undefined]);
    // It is told beside the artifacts, and is none of them.
    expect(
      runs[0]?.nodes.flatMap(({ cameBy, checkpoints }) =>
        [cameBy, ...checkpoints].map(({ output }) => output.artifacts),
      ),
    ).toEqual([[], [], [], [risk]]);
  });

  it('that is malformed loses no step: it is recorded, not counted, and warned of', async () => {
    const wrong = { kind: 'wr.usage', input_tokens: 12 };
    const looked = await send(await start(), did(wrong, { kind: 'wr.usage', costUsd: -1 }));
    expect(looked.answer['kind']).toBe('ok');
    expect(warnings(looked)).toMatchObject([{ code: 'USAGE_NOT_COUNTED' }]);
    expect(textOf(warnings(looked)[0]?.['message'])).toBe(
      "an artifact of kind wr.usage was recorded and not counted: `input_tokens` is not one of the contract's fields (/input_tokens); so was 1 more. Hand in a right one with a checkpoint",
    );
    const kept = await call(requests, 'checkpoint_workflow', {
      stateToken: looked.answer['stateToken']!,
      output: { artifacts: [{ kind: 'wr.usage', inputTokens: '12' }] },
    });
    expect(warnings(kept)).toMatchObject([{ code: 'USAGE_NOT_COUNTED' }]);
    const [run] = (await story()).runs;
    expect(run?.usage).toBeUndefined();
    // Somebody who looks for it sees what was wrong.
    expect(run?.nodes[1]?.cameBy.output.artifacts).toEqual([wrong, { kind: 'wr.usage', costUsd: -1 }]);
    expect(world.lines().filter(({ kind }) => kind === 'step_acked')).toHaveLength(1);
  });

  it('comes with an agreement without taking the place of the work, and counts what was told last', async () => {
    const judged = await send(await send(await start(), did()), did(risk));
    const found = { kind: 'team.note', text: 'Two.' };
    const blocked = await send(judged, did(found, used));
    expect(blocked.answer['kind']).toBe('blocked');
    const agreed = await send(blocked, { confirmed: true, output: { artifacts: [{ ...used, costUsd: 0.25 }] } });
    expect(agreed.answer['kind']).toBe('ok');
    const [run] = (await story()).runs;
    const node = run?.nodes.at(-1);
    expect(node?.cameBy.output).toEqual({ notes: 'Did it.', artifacts: [found] });
    expect(node?.cameBy.changedSinceDraft).toBeUndefined();
    expect(run?.usage?.costUsd).toBe(0.25);
  });

  it('does not ask a person again who has agreed to the same work', async () => {
    const judged = await send(await send(await start(), did()), did(risk));
    const blocked = await send(judged, did(used));
    const waits = await requests.people.readQuestions({ session: 'U-1' });
    if (!waits.ok) throw new Error(waits.error.message);
    const [{ block } = { block: '' }] = waits.value.waiting[0]!.questions;
    const person = world.open(undefined, {}, 'terminal');
    await person.people.answerQuestion({ session: 'U-1', block, question: '/confirmed', answer: 'agreed' });
    const again = await send(blocked, did({ ...used, inputTokens: 9000 }));
    expect(again.answer['kind']).toBe('ok');
    expect((await story()).runs[0]?.usage?.inputTokens).toBe(9000);
  });

  it('may be asked for by a step like any other contract, and is held to it there', async () => {
    world.writeWorkflow(
      'asked',
      `workflow: team.asked\ntitle: Asked\ndescription: D\nsteps:\n  - { id: do, title: Do, prompt: p, output: { contract: wr.contracts.usage }, sets: { cost: { from: output.costUsd } } }\n  - { id: end, title: End, prompt: 'It cost \${{ context.cost }}' }\n`,
    );
    const begun = await call(requests, 'start_workflow', { workflowId: 'team.asked', session: 'U-2' });
    expect((await send(begun, did())).answer['error_code']).toBe('STEP_INCOMPLETE');
    expect((await send(begun, did({ kind: 'wr.usage', costUsd: 'much' }))).answer['error_code']).toBe(
      'STEP_INCOMPLETE',
    );
    expect((await send(begun, did(used))).reply.text).toContain('It cost 0.1');
  });
});
