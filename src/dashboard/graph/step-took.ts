import { tookWords } from '../../base/time-spent.js';
import type { TrackLayout } from './lay-tracks.js';
import { isHidden } from './map-scene.js';
import { isAhead } from './map-nodes.js';

/** From the step being given until it was first done, on whichever branch; what is waited for a person is told apart. Empty where it is not done. */
export function stepTook(layout: TrackLayout, index: number, until?: number): string {
  const { nodes, children } = layout;
  const after = children[index]?.[0] ?? -1;
  const [node, next] = [nodes[index], nodes[after]];
  if (node === undefined || next === undefined || isAhead(next) || isHidden({ until, layout }, after)) return '';
  return tookWords(Math.max(0, next.at - node.at), node.waited ?? 0);
}
