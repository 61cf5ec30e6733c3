import type { GraphNode, RunGraph } from '../../contract/http-api.js';
import { plural } from '../../base/plural.js';
import { visibleTitle } from '../../render/visible-text.js';
import { branchesOf } from './branch-numbers.js';
import { groupsAround, groupWords } from './group-words.js';
import { type MapNode, moreAheadAt, stepAheadAt } from './map-nodes.js';

export interface NodeMark {
  readonly text: string;
  readonly tone: 'quiet' | 'accent' | 'warning' | 'grave';
}

const endWords = {
  complete: 'Done',
  complete_with_gaps: 'Done, with gaps',
  blocked: 'Blocked',
  running: 'Running',
  failed: 'Failed',
  canceled: 'Canceled',
} as const;

/** What WorkRail does itself. */
const doesWords = { run: 'command', fail: 'ends the run' } as const;

function nodeTitle({ steps }: Pick<RunGraph, 'steps'>, { step, status }: GraphNode): string {
  if (step !== undefined) return visibleTitle(steps[step]?.title ?? 'Unknown step');
  return status === undefined ? 'In progress' : endWords[status];
}

/** How the run stands there, or stood. */
function standingMark(
  status: GraphNode['status'],
  blocks: number,
  does: keyof typeof doesWords | undefined,
): NodeMark | undefined {
  if (status === 'blocked' || status === 'failed') return { text: status, tone: 'grave' };
  if (status === 'canceled') return { text: status, tone: 'quiet' };
  if (status === 'running') return { text: status, tone: 'accent' };
  if (blocks === 0) return undefined;
  return does === undefined ? { text: 'was blocked', tone: 'grave' } : { text: 'you were asked', tone: 'quiet' };
}

/** What a node is called, and what there is to know of it, in a few words each. */
export function nodeWords(
  graph: Pick<RunGraph, 'run' | 'steps' | 'ahead' | 'aheadBeside'>,
  node: MapNode,
): { readonly title: string; readonly marks: readonly NodeMark[] } {
  if (node.ahead !== undefined) return aheadWords(graph, node);
  const { blocks = 0, gaps = 0, checkpoints = 0, notes = 0, skipped = 0, preferredTip, status, prefs } = node;
  const marks: NodeMark[] = [];
  const does = node.step === undefined ? undefined : graph.steps[node.step]?.does;
  if (does !== undefined) marks.push({ text: doesWords[does], tone: 'quiet' });
  const standing = standingMark(status, blocks, does);
  if (standing !== undefined) marks.push(standing);
  if (gaps > 0) marks.push({ text: plural(gaps, 'gap'), tone: 'warning' });
  if (checkpoints > 0) marks.push({ text: plural(checkpoints, 'checkpoint'), tone: 'accent' });
  if (skipped > 0) marks.push({ text: `${plural(skipped, 'step')} skipped before`, tone: 'quiet' });
  if (notes > 0) marks.push({ text: plural(notes, 'note'), tone: 'quiet' });
  if (prefs === true) marks.push({ text: 'preferences', tone: 'quiet' });
  if (preferredTip === true) marks.push({ text: 'preferred tip', tone: 'accent' });
  return { title: nodeTitle(graph, node), marks };
}

/** The same where nothing beside it says which branch a tip ends. */
export function placedWords(
  graph: Pick<RunGraph, 'run' | 'steps' | 'ahead' | 'aheadBeside' | 'nodes' | 'tips'>,
  node: MapNode,
): ReturnType<typeof nodeWords> {
  const { title, marks } = nodeWords(graph, node);
  const branch = node.tip === true && graph.tips.length > 1 ? branchesOf(graph).get(node.id) : undefined;
  return branch === undefined
    ? { title, marks }
    : { title, marks: [{ text: `branch ${branch}`, tone: 'quiet' }, ...marks] };
}

/** The same of a step that is still to come. */
function aheadWords(
  graph: Pick<RunGraph, 'run' | 'ahead' | 'aheadBeside'>,
  node: MapNode,
): ReturnType<typeof nodeWords> {
  const step = stepAheadAt(graph, node);
  if (step === undefined) return { title: `About ${plural(moreAheadAt(graph, node), 'more step')}`, marks: [] };
  const marks = [
    step.does && doesWords[step.does],
    step.goes,
    step.if === undefined ? undefined : `only if ${step.if}`,
  ];
  return {
    title: visibleTitle(step.title),
    marks: marks.flatMap((text) => (text === undefined ? [] : [{ text: visibleTitle(text), tone: 'quiet' as const }])),
  };
}

/** The same as a sentence, for who cannot see where it stands. */
export function spokenNode(
  graph: Pick<RunGraph, 'run' | 'steps' | 'groups' | 'ahead' | 'aheadBeside' | 'nodes' | 'tips'>,
  node: MapNode,
  { below, took = '' }: { readonly below: number; readonly took?: string },
): string {
  const { title, marks } = placedWords(graph, node);
  const place =
    node.ahead !== undefined ? 'to come' : node.tip === true ? 'tip' : below > 1 ? `${below} branches start here` : '';
  const around = groupsAround(graph, node).flatMap((group) => {
    const told = graph.groups[group];
    return told === undefined ? [] : [groupWords(told)];
  });
  return [title, place, ...marks.map(({ text }) => text), took && `took ${took}`, ...around]
    .filter((part) => part !== '')
    .join(', ');
}
