import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphNode, RunGraph, Timeline } from '../../../src/contract/http-api.js';
import { graphThen } from '../../../src/dashboard/timeline/graph-then.js';
import type { Requests } from '../../../src/requests/requests.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { playReview } from '../../worlds/story-of-a-review.js';

let world: RequestsWorld;
let requests: Requests;
let session: string;

beforeAll(async () => {
  world = makeRequestsWorld({ seed: 5 });
  ({ requests, session } = await playReview(world));
});
afterAll(() => world.close());

async function read(of: Requests): Promise<{ readonly timeline: Timeline; readonly graphs: readonly RunGraph[] }> {
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
async function cutTo(lines: number): Promise<Requests> {
  const data = world.clone(world.data, `cut-${lines}`);
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

  it('is at the end what is now', async () => {
    const { timeline, graphs } = await read(requests);
    for (const graph of graphs) expect(graphThen(graph, timeline, timeline.marks.length - 1).graph).toEqual(graph);
  });
});
