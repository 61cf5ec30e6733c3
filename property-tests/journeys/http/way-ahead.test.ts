import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunGraph, StepDetail } from '../../../src/contract/http-api.js';
import type { SessionHead } from '../../../src/contract/session-story.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { call, type Called, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';
import type { Requests } from '../../../src/requests/requests.js';
import { playSlices, slicesSession } from '../../worlds/way-ahead-world.js';

let world: RequestsWorld;
let requests: Requests;
let served: ServedWorld;
let last: Called;

beforeAll(async () => {
  world = makeRequestsWorld({ seed: 3 });
  requests = world.open();
  last = await playSlices(world, requests);
  served = await serveRequests(requests, {});
});
afterAll(async () => {
  await served.close();
  await world.close();
});

const told = async <Answer>(path: string): Promise<Answer> => (await (await served.get(path)).json()) as Answer;

async function graphNow(): Promise<{ readonly head: SessionHead; readonly graph: RunGraph }> {
  const head = await told<SessionHead>(`/api/sessions/${slicesSession}`);
  return { head, graph: await told<RunGraph>(`/api/sessions/${slicesSession}/runs/${head.runs[0]!.runId}`) };
}

/** The groups around something, outermost first, as they would be read. */
function around({ groups }: RunGraph, inside: number | undefined): readonly string[] {
  const group = groups[inside ?? -1];
  if (group === undefined) return [];
  const { title, round, of } = group;
  return [
    ...around({ groups } as RunGraph, group.in),
    [title, round, of].filter((part) => part !== undefined).join(' '),
  ];
}

describe('the way ahead of a run', () => {
  it('is told with the groups and rounds that its steps stand in', async () => {
    const { graph } = await graphNow();
    const tip = graph.nodes.find(({ preferredTip }) => preferredTip === true)!;
    expect(around(graph, graph.steps[tip.step!]!.in)).toEqual([
      'Build it to a plan',
      'Build it slice by slice 2 3',
      'Look and mend 2',
    ]);
    expect(graph.steps.find(({ stepId }) => stepId === 'understand')).not.toHaveProperty('in');
    expect(graph.ahead?.more).toBe(0);
    expect(graph.ahead?.steps.map(({ stepId: _id, in: _in, ...step }) => step)).toEqual([
      { title: 'Look and mend', goes: 'again until context.sound == true' },
      { title: 'Commit: the header' },
      { title: 'Build it slice by slice', goes: '1 more round' },
      { title: 'Try to break it', if: 'context.size == "Large"' },
      { title: 'Settle each doubt', goes: 'once for each doubt', if: 'has(context.doubts)' },
      { title: 'Check the whole' },
      { title: 'Hand over' },
    ]);
    expect(graph.ahead?.steps.map((step) => around(graph, step.in).length)).toEqual([2, 2, 1, 1, 1, 0, 0]);
  });

  it('is told of other tips that wait in their next steps, and no further', async () => {
    const { graph } = await graphNow();
    expect(graph.tips.length).toBe(2);
    expect(
      graph.aheadBeside?.map(({ tip, steps, more }) => ({ tip, titles: steps.map(({ title }) => title), more })),
    ).toEqual([
      {
        tip: graph.tips[1],
        titles: ['Look and mend', 'Commit: the header', 'Build it slice by slice'],
        more: expect.any(Number) as number,
      },
    ]);
    const [way] = graph.aheadBeside!;
    expect(way!.more).toBeGreaterThanOrEqual(4);
    expect(way!.steps.map((step) => around(graph, step.in).length)).toEqual([2, 2, 1]);
  });

  it('comes to the number that the agent is told, in the session, the run and the step', async () => {
    const { head, graph } = await graphNow();
    const [, number, about] = /^## Step (\d+) of about (\d+): /mu.exec(last.reply.text) ?? [];
    const tip = await told<StepDetail>(`/api/sessions/${slicesSession}/nodes/${graph.run.preferredTip}`);
    expect([graph.run.stepNumber, graph.run.stepsAbout]).toEqual([Number(number), Number(about)]);
    expect([tip.node.depth + 1, tip.stepsAbout]).toEqual([Number(number), Number(about)]);
    expect(head.runs[0]).toEqual(graph.run);
  });

  it('gets shorter as work is done, and ends with the run', async () => {
    let at = last;
    let shown = (await graphNow()).graph.ahead!.steps.length;
    const titles: string[] = [];
    for (let step = 0; at.answer['isComplete'] === false && step < 30; step += 1) {
      at = await call(requests, 'continue_workflow', {
        ...pairOf(at.answer),
        output: { notesMarkdown: 'Done as the prompt says, and tried.' },
        context: { sound: true, doubts: [] },
      });
      const { graph } = await graphNow();
      titles.push(graph.run.pending ?? 'the end');
      if (graph.run.pending === 'Try to break it') {
        // A loop over nothing is not to come.
        expect(graph.ahead?.steps.map(({ title }) => title)).toEqual(['Check the whole', 'Hand over']);
        expect(graph.ahead!.steps.length).toBeLessThan(shown);
        shown = graph.ahead!.steps.length;
      }
      if (graph.run.pending === 'Hand over') expect(graph).not.toHaveProperty('ahead');
    }
    expect(titles.slice(-4)).toEqual(['Try to break it', 'Check the whole', 'Hand over', 'the end']);
    const { graph } = await graphNow();
    expect(graph).not.toHaveProperty('ahead');
    expect(graph.run).not.toHaveProperty('stepNumber');
    expect(graph.run).not.toHaveProperty('stepsAbout');
  });

  it('is told as far as a page shows it, and counted beyond', async () => {
    const steps = Array.from({ length: 300 }, (_, at) => `  - { id: s${at}, title: Step ${at}, prompt: p }`);
    world.writeWorkflow(
      'long',
      ['workflow: team.long', 'title: Long', 'description: D', 'steps:', ...steps].join('\n'),
    );
    const begun = await call(requests, 'start_workflow', {
      workflowId: 'team.long',
      sessionKey: 'LONG-1',
      mode: 'auto_never_stop',
    });
    const { stateToken } = pairOf(begun.answer);
    for (let branch = 0; branch < 11; branch += 1) {
      const again = await call(requests, 'continue_workflow', { stateToken });
      await call(requests, 'continue_workflow', {
        ...pairOf(again.answer),
        output: { notesMarkdown: `Tried way ${branch}.` },
      });
    }
    const head = await told<SessionHead>('/api/sessions/LONG-1');
    const { ahead, aheadBeside, tips } = await told<RunGraph>(`/api/sessions/LONG-1/runs/${head.runs[0]!.runId}`);
    expect([ahead?.steps.length, ahead?.more]).toEqual([60, 238]);
    // Of many branches those with the newest work are told, each in a few steps.
    expect(tips.length).toBe(11);
    expect(aheadBeside?.map(({ tip, steps, more }) => [tip, steps.length, more])).toEqual(
      tips.slice(1, 9).map((tip) => [tip, 3, 295]),
    );
  });
});
