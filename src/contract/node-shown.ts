import type { NodeStory, RunStory } from './session-story.js';

/** One step of a run, told whole. */
export interface NodeShown {
  readonly sessionId: string;
  readonly run: Pick<RunStory, 'runId' | 'workflow' | 'status' | 'preferredTip'>;
  readonly node: NodeStory;
  readonly parent?: NodeStory;
  /** Each time the step was done, in the order they were recorded: `cameBy` is what was handed back. */
  readonly children: readonly NodeStory[];
}
