import type { RunGraph } from '../../contract/http-api.js';
import { groupsAround } from './group-words.js';
import type { TrackLayout } from './lay-tracks.js';

/** The heading of a group or round, or a step in it. */
export type ListLine =
  | {
      readonly kind: 'group';
      readonly group: number;
      readonly level: number;
      readonly node: number;
      readonly first: boolean;
    }
  | {
      readonly kind: 'step';
      readonly node: number;
      /** Its branch begins with this line. */
      readonly first: boolean;
      readonly level: number;
      /** The groups and rounds that begin with it, outermost first. */
      readonly opens: readonly number[];
      /** Which of the steps it is, from 1. */
      readonly place: number;
    };

/** A run in lines: branch after branch, each from where it parts to its tip, under headings for groups and rounds. */
export function listLines(
  graph: Pick<RunGraph, 'run' | 'steps' | 'groups' | 'ahead' | 'aheadBeside'>,
  { nodes, heir, children }: TrackLayout,
): readonly ListLine[] {
  const lines: ListLine[] = [];
  const open = nodes.flatMap(({ up }, index) => (up === undefined ? [index] : [])).toReversed();
  let place = 0;
  for (let start = open.pop(); start !== undefined; start = open.pop()) {
    const leaving: number[] = [];
    let before: readonly number[] = [];
    for (let node = start; node >= 0; node = heir[node] ?? -1) {
      const told = nodes[node];
      const around = told === undefined ? [] : groupsAround(graph, told);
      const opens = around.filter((group, level) => before[level] !== group);
      let first = node === start;
      for (const group of opens) {
        lines.push({ kind: 'group', group, level: around.indexOf(group), node, first });
        first = false;
      }
      place += 1;
      lines.push({ kind: 'step', node, first, level: around.length, opens, place });
      before = around;
      for (const child of children[node] ?? []) if (child !== heir[node]) leaving.push(child);
    }
    open.push(...leaving.toReversed());
  }
  return lines;
}
