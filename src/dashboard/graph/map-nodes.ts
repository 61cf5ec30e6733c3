import type { GraphNode, RunGraph, StepAhead, WayAhead } from '../../contract/http-api.js';

/** What the map has a place for: a node of the run, or a step that is still to come. */
export interface MapNode extends GraphNode {
  readonly ahead?: PlaceAhead;
}

interface PlaceAhead {
  readonly tip: string;
  /** Index into the steps below the tip; one after the last stands for all that follow those. */
  readonly index: number;
}

type Ahead = Pick<RunGraph, 'run' | 'ahead' | 'aheadBeside'>;

/** What is still to come below each tip that it is told of, the preferred one first. */
function waysAhead({ run, ahead, aheadBeside = [] }: Ahead): readonly (WayAhead & { readonly tip: string })[] {
  return [...(ahead === undefined ? [] : [{ tip: run.preferredTip, ...ahead }]), ...aheadBeside];
}

/** The nodes of a run with the steps that are still to come below the tips that wait. Those stand last. */
export function mapNodes(graph: Ahead & Pick<RunGraph, 'nodes' | 'tips'>): {
  readonly nodes: readonly MapNode[];
  readonly tips: readonly string[];
} {
  const { nodes, run } = graph;
  const all: MapNode[] = [...nodes];
  let { tips } = graph;
  for (const { tip, steps, more } of waysAhead(graph)) {
    let up = nodes.findIndex(({ id }) => id === tip);
    if (up < 0) continue;
    const count = steps.length + Number(more > 0);
    for (let index = 0; index < count; index += 1) {
      const node = { id: `${tip}+${index + 1}`, up, seq: Number.MAX_SAFE_INTEGER, at: 0, ahead: { tip, index } };
      up = all.push(node) - 1;
    }
    // The line runs straight on to where the run is going.
    if (tip === run.preferredTip && count > 0) tips = [all[up]?.id ?? '', ...tips];
  }
  return { nodes: all, tips };
}

export const isAhead = (node: MapNode | undefined): boolean => node?.ahead !== undefined;

const wayOf = (graph: Ahead, { ahead }: MapNode): WayAhead | undefined =>
  waysAhead(graph).find(({ tip }) => tip === ahead?.tip);

/** The step ahead that a place of the map stands for; undefined for all that follow those that are told. */
export const stepAheadAt = (graph: Ahead, node: MapNode): StepAhead | undefined =>
  wayOf(graph, node)?.steps[node.ahead?.index ?? -1];

/** About how many steps follow those that are told there. */
export const moreAheadAt = (graph: Ahead, node: MapNode): number => wayOf(graph, node)?.more ?? 0;

/** What WorkRail does itself at a place of the map: run a command, or end the run. */
export const doesAt = (graph: Ahead & Pick<RunGraph, 'steps'>, node: MapNode): StepAhead['does'] =>
  isAhead(node) ? stepAheadAt(graph, node)?.does : node.step === undefined ? undefined : graph.steps[node.step]?.does;
