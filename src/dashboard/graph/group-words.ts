import type { RunGraph, StepGroup } from '../../contract/http-api.js';
import { visibleTitle } from '../../render/visible-text.js';
import { type MapNode, stepAheadAt } from './map-nodes.js';

type Grouped = Pick<RunGraph, 'run' | 'steps' | 'groups' | 'ahead' | 'aheadBeside'>;

/** The groups and rounds around a place of the map, as indexes, outermost first. */
export function groupsAround(graph: Grouped, node: MapNode): readonly number[] {
  const around: number[] = [];
  const own = node.ahead === undefined ? graph.steps[node.step ?? -1]?.in : stepAheadAt(graph, node)?.in;
  for (let at = own; at !== undefined; at = graph.groups[at]?.in) around.unshift(at);
  return around;
}

/** `Build it slice by slice · round 2 of 3` */
export function groupWords({ title, round, of }: StepGroup): string {
  return round === undefined ? visibleTitle(title) : `${visibleTitle(title)} · ${roundWords(round, of)}`;
}

export const roundWords = (round: number, of: number | undefined): string =>
  `round ${round}${of === undefined ? '' : ` of ${of}`}`;
