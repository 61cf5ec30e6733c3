import type { NodeStory, RunStory } from './session-story.js';

/** One step of a run, told whole. */
export interface NodeShown {
  readonly sessionId: string;
  readonly run: Pick<RunStory, 'runId' | 'workflow' | 'status' | 'preferredTip'>;
  readonly node: NodeStory;
  /** The numbers of its branch and of those of its children, by node; absent in a run that has only one. */
  readonly branches?: Readonly<Record<string, number>>;
  readonly parent?: NodeStory;
  /** Each time the step was done, in the order they were recorded: `cameBy` is what was handed back. */
  readonly children: readonly NodeStory[];
}
