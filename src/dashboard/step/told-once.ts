import { canonicalJson } from '../../base/canonical-json.js';
import type { BlockStory, GapStory, OutputStory } from '../../contract/session-story.js';

interface WithGaps {
  readonly gaps: readonly GapStory[];
}

/** What of a step may name the same thing twice. */
export interface ToldOfStep {
  readonly node: {
    readonly blocks: readonly BlockStory[];
    readonly checkpoints: readonly WithGaps[];
    readonly cameBy: WithGaps;
  };
  readonly done: readonly { readonly edge: WithGaps & { readonly output: OutputStory } }[];
  readonly openGaps: readonly GapStory[];
}

/**
 * A gap stands where it was disclosed; what is open here besides names only those of earlier steps. What waited for
 * the user and was handed in again is told where it was taken.
 */
export function toldOnce({
  node,
  done,
  openGaps,
}: ToldOfStep): Pick<ToldOfStep, 'openGaps'> & { readonly blocks: readonly BlockStory[] } {
  const taken = done.map(({ edge }) => edge);
  const disclosed = [...taken, ...node.checkpoints, node.cameBy].flatMap(({ gaps }) => gaps);
  const ids = new Set(disclosed.map(({ id }) => id));
  const words = new Set(disclosed.map(wordsOf));
  const outputs = new Set(taken.map(({ output }) => canonicalJson(output)));
  const blocks: BlockStory[] = [];
  // The newest attempt tells it, and not each before it.
  for (const block of node.blocks.toReversed()) {
    const { output, gaps } = block;
    blocks.unshift({
      ...block,
      output: outputs.has(canonicalJson(output)) ? nothing : output,
      gaps: gaps.filter((gap) => !words.has(wordsOf(gap))),
    });
    outputs.add(canonicalJson(output));
    for (const gap of gaps) words.add(wordsOf(gap));
  }
  return { blocks, openGaps: openGaps.filter(({ id }) => !ids.has(id)) };
}

const nothing: OutputStory = { artifacts: [] };

/** An attempt that is made again gives its gaps new ids. */
const wordsOf = ({ severity, reason, detail, assumption = '' }: GapStory): string =>
  [severity, reason, detail, assumption].join('\n');
