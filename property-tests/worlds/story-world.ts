import type { EdgeStory, GapStory, NodeStory, RunStory, SessionStory } from '../../src/contract/session-story.js';
import { modes } from '../../src/base/preferences.js';
import { htmlPieces } from '../../src/render/render-html.js';
import { markdownPieces } from '../../src/render/render-markdown.js';

export const renderHtml = (story: SessionStory): string => Array.from(htmlPieces(story)).join('');
export const renderMarkdown = (story: SessionStory): string => Array.from(markdownPieces(story)).join('');

/** A run for tests, by hand: each node names its parent and what it waits for; null where the run is complete. */
export interface NodeSketch {
  readonly id: string;
  readonly parent?: string;
  readonly pending: string | null;
  readonly path?: string;
  readonly edge?: Partial<EdgeStory>;
  readonly node?: Partial<NodeStory>;
}

export const minute = (count: number): string =>
  `2026-01-02T${String(Math.trunc(count / 60) % 24).padStart(2, '0')}:${String(count % 60).padStart(2, '0')}:00.000Z`;

export function sketchRun(
  sketches: readonly NodeSketch[],
  tips: readonly string[],
  besides: Partial<RunStory> = {},
): RunStory {
  const byId = new Map(sketches.map((sketch) => [sketch.id, sketch]));
  const children = new Map<string, string[]>();
  for (const { id, parent } of sketches)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  const preferred = new Set<string>();
  for (let id = tips[0]; id !== undefined; id = byId.get(id)?.parent) preferred.add(id);
  const depths = new Map<string, number>();
  const nodes = sketches.map((sketch, index): NodeStory => {
    const above = sketch.parent === undefined ? undefined : byId.get(sketch.parent);
    const depth = sketch.parent === undefined ? 0 : (depths.get(sketch.parent) ?? 0) + 1;
    depths.set(sketch.id, depth);
    const below = children.get(sketch.id) ?? [];
    return {
      ...plainNode(sketch, above, index),
      depth,
      isTip: below.length === 0,
      isPreferredTip: sketch.id === tips[0],
      onPreferredPath: preferred.has(sketch.id),
      children: below,
      ...sketch.node,
    };
  });
  return {
    runId: 'run_1',
    workflow: { id: 'wr.sketch', title: 'Sketch', version: '1.0.0', hash: 'abc' },
    startedAt: minute(0),
    lastAt: minute(sketches.length),
    status: 'in_progress',
    openBranches: 0,
    inputs: {},
    slowest: [],
    context: {},
    preferences: modes.guided,
    root: sketches[0]?.id ?? '',
    preferredTip: tips[0] ?? '',
    tips,
    nodes,
    documents: [],
    ledgers: [],
    gaps: [],
    ...besides,
  };
}

function plainNode(
  { id, parent, pending, path, edge }: NodeSketch,
  above: NodeSketch | undefined,
  index: number,
): NodeStory {
  const done = above?.pending ?? 'Lost';
  return {
    nodeId: id,
    ...(parent !== undefined && { parent }),
    depth: 0,
    ...(pending !== null && {
      pending: { stepId: pending.toLowerCase(), path: path ?? pending.toLowerCase(), title: pending },
    }),
    status: pending === null ? 'complete' : 'in_progress',
    isTip: true,
    isPreferredTip: false,
    onPreferredPath: false,
    whole: parent === undefined || above !== undefined,
    children: [],
    cameBy: {
      event: `sum-${id}`,
      at: minute(index),
      kind: parent === undefined ? 'started' : 'acked',
      ...(parent !== undefined && { step: { path: above?.path ?? done.toLowerCase(), title: done } }),
      output: { artifacts: [] },
      context: {},
      confirmed: false,
      gaps: [],
      warnings: [],
      skipped: [],
      ...edge,
    },
    checkpoints: [],
    notes: [],
    blocks: [],
    preferences: modes.guided,
    preferencesChanged: false,
    preferenceChanges: [],
  };
}

export function sketchSession(runs: readonly RunStory[], besides: Partial<SessionStory> = {}): SessionStory {
  return {
    sessionId: 'ses_sketch',
    about: besides.title ?? besides.key ?? 'ses_sketch',
    tags: [],
    keep: false,
    place: 'given',
    startedAt: minute(0),
    lastAt: minute(90),
    eventCount: 1,
    observations: [],
    notes: [],
    checkpoints: [],
    runs,
    findings: [],
    ...besides,
  };
}

export const gap = (besides: Partial<GapStory> = {}): GapStory => ({
  id: 'gap_1',
  category: 'agent_disclosed',
  reason: 'assumed',
  detail: 'a detail',
  severity: 'warning',
  resolved: false,
  path: 'here',
  ...besides,
});
