import { oncePerObject } from '../base/once-per-object.js';
import { addUsage, isUsage, usageOf, type UsageSum } from '../base/usage.js';
import type { Output } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import type { FoldedSession, RunNode } from './folded-session.js';

/** What agents and conditions go by: to say what a step used changes nothing of what comes after it. */
export const withoutUsage = (output: Output): Output =>
  output.artifacts?.some(isUsage) === true ? stripped(output) : output;

/** The same object for the same output: whoever remembers what was said knows it again. */
const stripped = oncePerObject(({ notes, artifacts = [] }: Output): Output => {
  const others = artifacts.filter((artifact) => !isUsage(artifact));
  return { ...(notes !== undefined && { notes }), ...(others.length > 0 && { artifacts: others }) };
});

/** A checkpoint that says what was used and nothing else: no work is told by it. */
export function saysOnlyUsage({ data: { output, gaps = [] } }: Event<'checkpoint'>): boolean {
  if (output.notes !== undefined || gaps.length > 0 || output.artifacts === undefined) return false;
  return output.artifacts.every(isUsage);
}

/** Of what came late nothing counts: it was sent again with other work. */
export const usedBy = (event: RunNode['madeBy'] | Event<'checkpoint'>): UsageSum | undefined =>
  event.kind === 'run_started' || (event.kind === 'checkpoint' && event.data.late !== undefined)
    ? undefined
    : usageOf(event.data.output?.artifacts);

/** What a step used: each time it was done, on whichever branch, and what was told of it meanwhile. */
export function usedAt({ nodes }: FoldedSession, { children, checkpoints }: RunNode): UsageSum | undefined {
  const done = children.map((id) => {
    const child = nodes.get(id);
    return child && usedBy(child.madeBy);
  });
  return [...done, ...checkpoints.map(usedBy)].reduce(addUsage, undefined);
}

/** All runs, and what was told beside them. */
export function usedIn({ runs, checkpoints }: FoldedSession): UsageSum | undefined {
  const ofRuns = [...runs.values()].map(({ usage }) => usage);
  return [...ofRuns, ...checkpoints.map(usedBy)].reduce(addUsage, undefined);
}
