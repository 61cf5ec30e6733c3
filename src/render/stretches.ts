import type { NodeStory } from '../contract/session-story.js';
import { type MarkCounts, markCounts, sumOfMarks } from './node-marks.js';

/** A step of a line with the node after it, or many that are only counted. */
export type Stretch =
  | { readonly folded?: undefined; readonly node: NodeStory; readonly next: NodeStory | undefined }
  | {
      readonly folded: readonly { readonly node: NodeStory; readonly next: NodeStory | undefined }[];
      readonly marks: MarkCounts;
    };

/** So many steps in a row are told one by one before their middle is folded; at both ends of a fold some stay. */
const longest = 14;
const ends = 3;

/** A line cut at what must be shown. Long straight stretches between fold; their marks are counted. */
export function stretchesOf(
  nodes: readonly NodeStory[],
  mustShow: (node: NodeStory) => boolean,
  whole: boolean,
): readonly Stretch[] {
  const steps = nodes.map((node, index) => ({ node, next: nodes[index + 1] }));
  if (whole) return steps;
  const told: Stretch[] = [];
  let straight: (typeof steps)[number][] = [];
  const close = (): void => {
    if (straight.length <= longest) told.push(...straight);
    else {
      const middle = straight.slice(ends, -ends);
      told.push(
        ...straight.slice(0, ends),
        { folded: middle, marks: sumOfMarks(middle.map(({ node, next }) => markCounts(node, next))) },
        ...straight.slice(-ends),
      );
    }
    straight = [];
  };
  for (const step of steps) {
    if (step.next === undefined || mustShow(step.node)) {
      close();
      told.push(step);
    } else straight.push(step);
  }
  close();
  return told;
}
