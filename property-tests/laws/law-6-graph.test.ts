import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Output } from '../../src/events/event-data.js';
import { compareEvents, type Event } from '../../src/events/event.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { rememberedUpFrom } from '../../src/sessions/entry.js';
import { emptySession, type FoldedSession, type RunNode } from '../../src/sessions/folded-session.js';
import { landmarksUpFrom } from '../../src/sessions/landmarks.js';
import { eventsOf, grow } from '../worlds/grown-sessions.js';
import { lives } from '../worlds/lives.js';
import { sessionFolders } from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

/** Events by which the tip of a branch is worked on. */
const isWork = (event: Event): boolean => event.kind !== 'checkpoint' || event.data.late === undefined;

function checkGraph(
  session: FoldedSession,
  events: readonly Event[],
): { readonly tips: number; readonly nodes: number; readonly passed: number } {
  let tips = 0;
  let passed = 0;
  for (const run of session.runs.values()) {
    const nodes = [...session.nodes.values()].filter((node) => node.run === run.id);
    const childless = nodes.filter(({ id }) => !nodes.some(({ parent }) => parent === id));
    expect([...run.tips].toSorted()).toEqual(childless.map(({ id }) => id).toSorted());
    expect(run.nodeCount).toBe(nodes.length);
    for (const node of nodes) {
      const way = checkWayUp(session, node, run.root);
      passed += checkLandmarks(session, way);
    }
    const newest = childless.toSorted((a, b) => compareEvents(newestOn(events, b), newestOn(events, a)))[0]!;
    expect(run.preferredTip).toBe(newest.id);
    tips += childless.length;
  }
  return { tips, nodes: session.nodes.size, passed };
}

function newestOn(events: readonly Event[], { id }: RunNode): Event {
  return events
    .filter((event) => event.node === id && isWork(event))
    .toSorted(compareEvents)
    .at(-1)!;
}

/** Each node leads to the root of its run, without meeting any node twice, and its parent knows it. */
function checkWayUp(session: FoldedSession, from: RunNode, root: string): readonly RunNode[] {
  const way = [from];
  const met = new Set<string>();
  let node = from;
  while (node.parent !== undefined) {
    expect(met.has(node.id)).toBe(false);
    met.add(node.id);
    const parent = session.nodes.get(node.parent);
    if (parent === undefined) throw new Error(`${node.id} hangs in the air`);
    expect(parent.children.filter((child) => child === node.id)).toHaveLength(1);
    expect(parent.run).toBe(node.run);
    expect(node.depth).toBe(parent.depth + 1);
    node = parent;
    way.push(node);
  }
  expect(node.id).toBe(root);
  return way;
}

/** What a look passes over has nothing but notes, and what it counts without looking is what is there. Says how much it passes over. */
function checkLandmarks(session: FoldedSession, way: readonly RunNode[]): number {
  const [node] = way;
  if (node === undefined) throw new Error('a way has a beginning');
  const landmarks = way.filter((one) => one === node || saysMore(one));
  expect([...landmarksUpFrom(session, node)].map(({ id }) => id)).toEqual(landmarks.map(({ id }) => id));
  for (const id of [undefined, ...way.map((one) => one.id)]) {
    const { newestFirst, count } = rememberedUpFrom(session, node, id);
    expect(count()).toBe([...newestFirst].length);
  }
  return way.length - landmarks.length;
}

const saysMore = ({ madeBy, checkpoints }: RunNode): boolean =>
  checkpoints.some(
    ({ data: { late, gaps, output } }) =>
      late === undefined && (gaps !== undefined || output.notes !== undefined || hasArtifacts(output)),
  ) ||
  madeBy.data.gaps !== undefined ||
  (madeBy.kind === 'step_acked' && hasArtifacts(madeBy.data.output));

/** What the work used is no artifact to be told of. */
const hasArtifacts = ({ artifacts = [] }: Output = {}): boolean => artifacts.some(({ kind }) => kind !== 'wr.usage');

test(
  'law 6: tips are the childless nodes, the graph is one tree a run, and the preferred tip follows from the order alone',
  async () => {
    let [tips, nodes, passed] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(fc.nat(), lives, fc.nat(), async (seed, life, cut) => {
        const { world, data } = await grow(seed, life);
        try {
          for (const session of sessionFolders(data)) {
            const events = eventsOf(data, session);
            const graph = checkGraph(foldSession(emptySession(), events), events);
            tips += graph.tips;
            nodes += graph.nodes;
            passed += graph.passed;
            // Whatever is known so far, in the order it was recorded, is such a graph as well.
            const known = events.slice(0, cut % (events.length + 1));
            checkGraph(foldSession(emptySession(), known), known);
          }
        } finally {
          await world.close();
        }
      }),
      runs(40),
    );
    console.log(`law 6: ${nodes} nodes, ${tips} tips, ${passed} passed over`);
    expect(passed).toBeGreaterThan(0);
    expect(tips).toBeLessThan(nodes);
  },
  patience,
);
