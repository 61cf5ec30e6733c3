import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphNode, RunGraph, Timeline } from '../../../src/contract/http-api.js';
import { graphThen } from '../../../src/dashboard/timeline/graph-then.js';
import type { Requests } from '../../../src/requests/requests.js';
import { call, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';
import { playReview } from '../../worlds/story-of-a-review.js';

let world: RequestsWorld;
let requests: Requests;
let review: string;
const asking = 'ASK-1';

beforeAll(async () => {
  world = makeRequestsWorld({ seed: 5 });
  ({ requests, session: review } = await playReview(world));
  await playAsking();
});
afterAll(() => world.close());

/** A step that waits for two answers of a person, and is done with them. */
async function playAsking(): Promise<void> {
  world.writeWorkflow(
    'ask',
    [
      'workflow: team.ask',
      'title: Ask',
      'description: D',
      'steps:',
      '  - { id: agree, title: Agree, prompt: p, confirm: true, needs: [{ reason: needs_user_choice, key: way, ask: Which way? }] }',
      '  - { id: after, title: After, prompt: p }',
    ].join('\n'),
  );
  const { answer } = await call(requests, 'start_workflow', { workflowId: 'team.ask', sessionKey: asking });
  await call(requests, 'continue_workflow', { ...pairOf(answer), output: { notesMarkdown: 'Done.' } });
  const told = await requests.people.readQuestions({ session: asking });
  for (const { block, question } of told.ok ? (told.value.waiting[0]?.questions ?? []) : [])
    await requests.people.answerQuestion({
      session: asking,
      block,
      question,
      ...(question === '/confirmed' ? { answer: 'agreed' } : { answer: 'value', value: 'left' }),
    });
  await call(requests, 'continue_workflow', pairOf(answer));
}

async function read(
  of: Requests,
  session = review,
): Promise<{ readonly timeline: Timeline; readonly graphs: readonly RunGraph[] }> {
  const timeline = await of.people.readTimeline({ session });
  if (!timeline.ok) throw new Error(timeline.error.message);
  const graphs: RunGraph[] = [];
  for (const { runId } of timeline.value.lanes) {
    const graph = await of.people.readRunGraph({ session, run: runId });
    if (!graph.ok) throw new Error(graph.error.message);
    graphs.push(graph.value);
  }
  return { timeline: timeline.value, graphs };
}

/** A copy of the session in which only so many lines were ever written. */
async function cutTo(lines: number, session = review): Promise<Requests> {
  const data = world.clone(world.data, `cut-${session}-${lines}`);
  const folder = join(data, 'sessions', session, 'segments');
  const [segment = ''] = readdirSync(folder);
  const text = readFileSync(join(folder, segment), 'utf8').split('\n').slice(0, lines);
  writeFileSync(join(folder, segment), `${text.join('\n')}\n`);
  return world.open(data);
}

/** By id, each step by its title. Gaps that were settled later are known to be settled: of those the past is not told. */
const byId = ({ steps }: RunGraph, nodes: readonly GraphNode[]): object =>
  Object.fromEntries(
    nodes.map(({ gaps: _gaps, step, ...node }) => [
      node.id,
      { ...node, title: step === undefined ? undefined : steps[step]?.title },
    ]),
  );

describe('the graph as it was', () => {
  it('is at each moment what a reader of the log saw then', async () => {
    const { timeline, graphs } = await read(requests);
    expect(timeline.marks.length).toBeGreaterThan(12);
    let compared = 0;
    for (let index = 1; index < timeline.marks.length; index += 1) {
      const then = await read(await cutTo(index + 1));
      // What one call wrote in several lines is read whole or not at all.
      if (then.timeline.marks.length !== index + 1) continue;
      for (const graph of graphs) {
        const told = graphThen(graph, timeline, index);
        const saw = then.graphs.find(({ run }) => run.runId === graph.run.runId);
        const shown = told.graph.nodes.filter(({ seq }) => seq <= told.until);
        expect({ index, nodes: byId(graph, shown) }).toEqual({
          index,
          nodes: saw === undefined ? {} : byId(saw, saw.nodes),
        });
        expect(told.tips).toBe(saw?.tips.length ?? 0);
        expect(told.at).toBe(saw?.run.preferredTip);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('waits for a person until they have answered all, at each moment as a reader saw it', async () => {
    const { timeline, graphs } = await read(requests, asking);
    expect(timeline.marks.map(({ kind, settles }) => [kind, settles]).slice(-4)).toEqual([
      ['step_blocked', undefined],
      ['question_answered', undefined],
      ['question_answered', true],
      ['step_acked', undefined],
    ]);
    for (let index = 2; index < timeline.marks.length; index += 1) {
      const then = await read(await cutTo(index + 1, asking), asking);
      const told = graphThen(graphs[0]!, timeline, index);
      const shown = told.graph.nodes.filter(({ seq }) => seq <= told.until);
      expect({ index, nodes: byId(graphs[0]!, shown) }).toEqual({
        index,
        nodes: byId(then.graphs[0]!, then.graphs[0]!.nodes),
      });
    }
  });

  it('is at the end what is now', async () => {
    const { timeline, graphs } = await read(requests);
    for (const graph of graphs) {
      expect(graph).not.toHaveProperty('ahead');
      // What is to come now is not part of what was.
      const way = { steps: [{ stepId: 'next', title: 'Next' }], more: 3 };
      const coming = { ...graph, ahead: way, aheadBeside: [{ tip: graph.run.root, ...way }] };
      expect(graphThen(coming, timeline, timeline.marks.length - 1).graph).toEqual({
        ...graph,
        aheadBeside: undefined,
      });
    }
  });
});
