import type { Output } from '../events/event-data.js';
import type { Records } from './folded-session.js';

/** What an output says of the loop its step is in, by loop and iteration: the loop it names where that is around it, else the innermost. */
export function loopControls(output: Output | undefined, path: string): Records['controls'] {
  const told: [string, 'continue' | 'stop'][] = [];
  for (const { kind, decision, loopId } of output?.artifacts ?? []) {
    if (kind !== 'wr.loop_control' || (decision !== 'continue' && decision !== 'stop')) continue;
    const parts = path.split('/');
    const named = typeof loopId === 'string' ? placeOfLoop(parts, loopId) : -1;
    const at = named >= 0 ? named : parts.findLastIndex((part) => part.includes('@'));
    if (at >= 0) told.push([parts.slice(0, at + 1).join('/'), decision]);
  }
  return Object.fromEntries(told);
}

/** Where a path names a loop. It leaves out what the ids of a routine's steps have before them; whoever names the loop may do so or not. */
function placeOfLoop(parts: readonly string[], loopId: string): number {
  const names = parts.map((part) => (part.includes('@') ? part.slice(0, part.indexOf('@')) : undefined));
  const exact = names.lastIndexOf(loopId);
  return exact >= 0 ? exact : names.findLastIndex((name) => name !== undefined && loopId.endsWith(`-${name}`));
}
