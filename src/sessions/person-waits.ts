import { msBetween } from '../base/time-spent.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { answersTo, isSettled } from './person-answers.js';

interface PersonWait {
  readonly from: string;
  readonly until?: string;
}

/** From each draft of a step until it was answered or refused, or other work or the ack came. */
function waitsAt(node: RunNode): readonly PersonWait[] {
  return node.blocks.map((draft, index) => {
    const { attempt } = draft.data;
    const answers = answersTo(node, draft);
    const refused = answers.find(({ data }) => data.answer === 'refused');
    const answered = refused ?? (isSettled(node, draft) ? answers.toSorted(byTime).at(-1) : undefined);
    const next = node.blocks.slice(index + 1).find(({ data }) => data.attempt === attempt);
    const acked = node.acks.find(({ data }) => data.attempt === attempt);
    const [until] = [answered, next, acked]
      .flatMap((end) => (end === undefined || end.at < draft.at ? [] : [end]))
      .toSorted(byTime)
      .map(({ at }) => at);
    return { from: draft.at, ...(until !== undefined && { until }) };
  });
}

const byTime = (a: { readonly at: string }, b: { readonly at: string }): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : 0;

/** Milliseconds that a step waited for a person, by the clocks of those who wrote. */
export const waitedAt = (node: RunNode): number =>
  waitsAt(node).reduce((sum, { from, until }) => sum + (until === undefined ? 0 : (msBetween(from, until) ?? 0)), 0);

/** The same of all steps of a run. */
export function waitedIn({ nodes }: FoldedSession, { id }: Run): number {
  let sum = 0;
  for (const node of nodes.values()) if (node.run === id && node.blocks.length > 0) sum += waitedAt(node);
  return sum;
}
