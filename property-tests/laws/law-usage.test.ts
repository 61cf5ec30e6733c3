import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.js';
import type { UsageTold } from '../../src/base/usage.js';
import type { SessionList } from '../../src/contract/session-list.js';
import type { NodeStory, RunStory, SessionStory } from '../../src/contract/session-story.js';
import type { WorkflowsPage } from '../../src/contract/workflow-answers.js';
import type { Event } from '../../src/events/event.js';
import { eventsOf, grow } from '../worlds/grown-sessions.js';
import { lives } from '../worlds/lives.js';
import { sessionFolders } from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

/** Told as decimals of text: tenths of a dollar added up by counting them. */
interface Naive {
  reports: number;
  readonly models: Set<string>;
  tokens: number;
  tenths: number;
}

const empty = (): Naive => ({ reports: 0, models: new Set(), tokens: 0, tenths: 0 });

/** Of an event that was recorded for good: an ack, or a checkpoint that did not come late. */
function countIn(naive: Naive, { kind, data }: Event): void {
  if (kind !== 'step_acked' && kind !== 'checkpoint') return;
  if ('late' in data && data.late !== undefined) return;
  for (const said of (data as { readonly output?: { readonly artifacts?: readonly JsonObject[] } }).output?.artifacts ??
    []) {
    if (said['kind'] !== 'wr.usage' || Number(said['costUsd']) < 0) continue;
    naive.reports += 1;
    naive.models.add(JSON.stringify(said['model']).replaceAll('"', ''));
    naive.tokens += Number(said['inputTokens']);
    naive.tenths += Number(JSON.stringify(said['costUsd']).replace('0.', ''));
  }
}

function sumOf(events: readonly Event[]): UsageTold | undefined {
  const naive = empty();
  for (const event of events) countIn(naive, event);
  if (naive.reports === 0) return undefined;
  return {
    reports: naive.reports,
    models: [...naive.models].toSorted(),
    inputTokens: naive.tokens,
    costUsd: Number(`${Math.floor(naive.tenths / 10)}.${naive.tenths % 10}`),
  };
}

/** What a step used: acks that came from its node, and its checkpoints. */
const ofNode = (events: readonly Event[], { nodeId, children }: NodeStory): readonly Event[] =>
  events.filter(({ kind, node }) =>
    kind === 'checkpoint' ? node === nodeId : kind === 'step_acked' && children.includes(node ?? ''),
  );

/** Events of nodes that hang together with the run; what stands on nothing counts nowhere. */
function ofRun(events: readonly Event[], { runId, nodes }: RunStory): readonly Event[] {
  const known = new Set(nodes.map(({ nodeId }) => nodeId));
  return events.filter(({ run, node }) => run === runId && known.has(node ?? ''));
}

test(
  'what was used is the sum of what was told, by step, run, session and workflow, on all branches of all clones',
  async () => {
    const seen = { told: 0, forked: 0, rows: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat(), lives, async (seed, life) => {
        const { world, data } = await grow(seed, life);
        try {
          const { people } = world.open(data);
          const byWorkflow = new Map<string, Event[]>();
          const told = new Map<string, UsageTold | undefined>();
          for (const session of sessionFolders(data)) {
            const events = eventsOf(data, session);
            const story = await people.readStory({ session });
            if (!story.ok) throw new Error(story.error.message);
            for (const run of story.value.runs) {
              const own = ofRun(events, run);
              expect(run.usage).toEqual(sumOf(own));
              for (const node of run.nodes) expect(node.usage).toEqual(sumOf(ofNode(events, node)));
              byWorkflow.set(run.workflow.id, [...(byWorkflow.get(run.workflow.id) ?? []), ...own]);
              if (run.usage !== undefined) seen.told += 1;
              if (run.usage !== undefined && run.tips.length > 1) seen.forked += 1;
            }
            const all = [
              ...story.value.runs.flatMap((run) => ofRun(events, run)),
              ...events.filter(({ kind, node }) => kind === 'checkpoint' && node === undefined),
            ];
            expect((story.value as SessionStory).usage).toEqual(sumOf(all));
            told.set(session, sumOf(all));
          }
          seen.rows += await rowsSayTheSame(people, told, byWorkflow);
        } finally {
          await world.close();
        }
      }),
      runs(25),
    );
    expect(Math.min(seen.told, seen.forked, seen.rows)).toBeGreaterThan(3);
  },
  patience,
);

/** Lists, as the page has them from the register and as the command line reads them. */
async function rowsSayTheSame(
  people: ReturnType<Awaited<ReturnType<typeof grow>>['world']['open']>['people'],
  told: ReadonlyMap<string, UsageTold | undefined>,
  byWorkflow: ReadonlyMap<string, readonly Event[]>,
): Promise<number> {
  const lists = [await people.browseSessions({ limit: 100 }), await people.listSessions({ limit: 100 })];
  for (const list of lists) {
    if (!list.ok) throw new Error(list.error.message);
    const { sessions } = list.value as SessionList;
    expect(new Map(sessions.map(({ sessionId, usage }) => [sessionId, usage]))).toEqual(told);
  }
  const library = await people.browseWorkflows({});
  if (!library.ok) throw new Error(library.error.message);
  const { used } = library.value as WorkflowsPage;
  const sums = [...byWorkflow].flatMap(([workflowId, events]) => {
    const usage = sumOf(events);
    return usage === undefined ? [] : [{ workflowId, usage }];
  });
  expect(used?.map(({ workflowId, usage }) => ({ workflowId, usage }))).toEqual(
    sums.toSorted((a, b) => (a.workflowId < b.workflowId ? -1 : 1)),
  );
  return sums.length;
}
