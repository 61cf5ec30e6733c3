import type { RunGraph } from '../../contract/http-api.js';
import { branchesOf } from './branch-numbers.js';

/** The tip of the branch that a step is on, and of the others the one with the newest work; undefined where there is one branch. */
export function tipsToCompare(
  graph: Pick<RunGraph, 'nodes' | 'tips'>,
  selected: string,
): { readonly a: string; readonly b: string } | undefined {
  const numbers = branchesOf(graph);
  const number = numbers.get(selected);
  const a = graph.tips.find((tip) => numbers.get(tip) === number) ?? graph.tips[0];
  // Those with the newest work stand first.
  const b = graph.tips.find((tip) => tip !== a);
  return a === undefined || b === undefined ? undefined : { a, b };
}
