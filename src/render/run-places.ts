import type { GapStory, NodeStory, RunStory } from '../contract/session-story.js';
import { planTracks, type Track, type TrackPlan } from '../contract/plan-tracks.js';

/** Where each step and tip of a run stands on the page, and under which number. */
export interface RunPlaces {
  readonly plan: TrackPlan<NodeStory>;
  /** Of a step by the node it led to, and of a tip by `tip:` and its node. */
  readonly anchors: ReadonlyMap<string, string>;
  readonly gaps: ReadonlyMap<string, GapStory>;
  /** The number of the branch that a node is on. */
  readonly lineOf: ReadonlyMap<string, number>;
  /** Of the step or tip where a gap was disclosed, with words that lead there. */
  readonly ofGap: ReadonlyMap<string, GapPlace>;
}

interface GapPlace {
  readonly anchor: string;
  readonly words: string;
}

export interface StepPlace {
  /** Where the step was awaited; absent where that is not on disk, and for a branch, whose fork is told elsewhere. */
  readonly awaited: NodeStory | undefined;
  /** The node it led to. */
  readonly next: NodeStory;
  readonly number: number;
}

/** The steps of a line, numbered from the start of the run; a branch begins with the step that it did in its own way. */
export function stepsOf({ nodes, leaves }: Track<NodeStory>): readonly StepPlace[] {
  return nodes.flatMap((next, index): readonly StepPlace[] => {
    if (next.cameBy.kind === 'started') return [];
    const number = index === 0 && leaves !== undefined ? leaves.depth + 1 : next.depth;
    return [{ awaited: index === 0 ? undefined : nodes[index - 1], next, number }];
  });
}

export function placesOf(run: RunStory, anchor: string): RunPlaces {
  const plan = planTracks(run);
  const anchors = new Map<string, string>();
  const gaps = new Map<string, GapStory>();
  const ofGap = new Map<string, GapPlace>();
  const disclose = (disclosed: readonly GapStory[], place: GapPlace): void => {
    for (const gap of disclosed) {
      if (gaps.has(gap.id)) continue;
      gaps.set(gap.id, gap);
      ofGap.set(gap.id, place);
    }
  };
  for (const track of plan.tracks) {
    const line = track.number === 1 ? anchor : `${anchor}-branch-${track.number}`;
    for (const { awaited, next, number } of stepsOf(track)) {
      const place = {
        anchor: `${line}-step-${number}`,
        words: `step ${number}${track.number === 1 ? '' : ` of branch ${track.number}`}`,
      };
      anchors.set(next.nodeId, place.anchor);
      disclose(awaited?.checkpoints.flatMap((checkpoint) => checkpoint.gaps) ?? [], place);
      disclose(next.cameBy.gaps, place);
    }
    const [first] = track.nodes;
    if (first?.cameBy.kind === 'started') disclose(first.cameBy.gaps, { anchor: `${line}-start`, words: 'the start' });
    const tip = track.nodes.at(-1);
    if (tip === undefined) continue;
    anchors.set(`tip:${tip.nodeId}`, `${line}-tip`);
    disclose(
      tip.checkpoints.flatMap((checkpoint) => checkpoint.gaps),
      { anchor: `${line}-tip`, words: 'the waiting step' },
    );
  }
  const lineOf = new Map(
    plan.tracks.flatMap(({ number, nodes }) => nodes.map(({ nodeId }): [string, number] => [nodeId, number])),
  );
  return { plan, anchors, gaps, lineOf, ofGap };
}
