import type { GraphNode, RunGraph } from '../../contract/http-api.js';
import { plural } from '../../base/plural.js';
import { visibleTitle } from '../../render/visible-text.js';

export interface NodeMark {
  readonly text: string;
  readonly tone: 'quiet' | 'accent' | 'warning' | 'grave';
}

const endWords = { complete: 'Done', complete_with_gaps: 'Done, with gaps', blocked: 'Blocked' } as const;

function nodeTitle({ steps }: Pick<RunGraph, 'steps'>, { step, status }: GraphNode): string {
  if (step !== undefined) return visibleTitle(steps[step]?.title ?? 'Unknown step');
  return status === undefined ? 'In progress' : endWords[status];
}

/** What a node is called, and what there is to know of it, in a few words each. */
export function nodeWords(
  graph: Pick<RunGraph, 'steps'>,
  node: GraphNode,
): { readonly title: string; readonly marks: readonly NodeMark[] } {
  const { blocks = 0, gaps = 0, checkpoints = 0, notes = 0, preferredTip, status, prefs } = node;
  const marks: NodeMark[] = [];
  if (status === 'blocked') marks.push({ text: 'blocked', tone: 'grave' });
  else if (blocks > 0) marks.push({ text: 'was blocked', tone: 'grave' });
  if (gaps > 0) marks.push({ text: plural(gaps, 'gap'), tone: 'warning' });
  if (checkpoints > 0) marks.push({ text: plural(checkpoints, 'checkpoint'), tone: 'accent' });
  if (notes > 0) marks.push({ text: plural(notes, 'note'), tone: 'quiet' });
  if (prefs === true) marks.push({ text: 'preferences', tone: 'quiet' });
  if (preferredTip === true) marks.push({ text: 'preferred tip', tone: 'accent' });
  return { title: nodeTitle(graph, node), marks };
}

/** The same as a sentence, for who cannot see where it stands. */
export function spokenNode(graph: Pick<RunGraph, 'steps'>, node: GraphNode, below: number): string {
  const { title, marks } = nodeWords(graph, node);
  const place = below === 0 ? 'tip of its branch' : below > 1 ? `${below} branches start here` : '';
  return [title, place, ...marks.map(({ text }) => text)].filter((part) => part !== '').join(', ');
}
