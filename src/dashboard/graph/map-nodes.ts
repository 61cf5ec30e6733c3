import type { GraphNode, RunGraph, StepAhead } from '../../contract/http-api.js';

/** What the map has a place for: a node of the run, or a step that is still to come. */
export interface MapNode extends GraphNode {
  /** Index into the steps ahead; one after the last stands for all that follow those. */
  readonly ahead?: number;
}

/** The nodes of a run with the steps that are still to come below the tip that waits. Those stand last. */
export function mapNodes({ nodes, tips, run, ahead }: Pick<RunGraph, 'nodes' | 'tips' | 'run' | 'ahead'>): {
  readonly nodes: readonly MapNode[];
  readonly tips: readonly string[];
} {
  const count = ahead === undefined ? 0 : ahead.steps.length + Number(ahead.more > 0);
  const tip = count === 0 ? -1 : nodes.findIndex(({ id }) => id === run.preferredTip);
  if (tip < 0) return { nodes, tips };
  const coming = Array.from({ length: count }, (_, index): MapNode => ({
    id: `${run.preferredTip}+${index + 1}`,
    up: index === 0 ? tip : nodes.length + index - 1,
    seq: Number.MAX_SAFE_INTEGER,
    at: 0,
    ahead: index,
  }));
  // The line runs straight on to where the run is going.
  return { nodes: [...nodes, ...coming], tips: [coming.at(-1)?.id ?? '', ...tips] };
}

export const isAhead = (node: MapNode | undefined): boolean => node?.ahead !== undefined;

/** The step ahead that a place of the map stands for; undefined for all that follow those that are told. */
export const stepAheadAt = ({ ahead }: Pick<RunGraph, 'ahead'>, node: MapNode): StepAhead | undefined =>
  ahead?.steps[node.ahead ?? -1];
