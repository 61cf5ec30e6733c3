import type { EventData } from '../events/event-data.js';
import type { FoldedSession, RunNode } from './folded-session.js';

type Recorded = NonNullable<EventData<'step_acked'>['command']>;

/** What became of a command, in a line: it leaves no notes of its own. */
export function commandWords(session: FoldedSession, node: RunNode, { call, source }: Recorded): string {
  const parent = node.parent === undefined ? undefined : session.nodes.get(node.parent);
  const done = parent?.tries?.findLast(({ data }) => data.call === call)?.data;
  if (done === undefined) return '';
  const name = `${done.catalog} ${done.command}`;
  switch (source) {
    case 'reused':
      return `${name} was sent on another branch, and not again`;
    case 'settled':
      return `the answer of ${name} was lost; it was said to be ${done.outcome === 'ok' ? 'done' : 'not done'}`;
    case 'skipped':
      return `${name} was sent, and its outcome is unknown`;
    case 'sent':
      return `${name} ${done.outcome === 'ok' ? `answered ${done.status ?? 0}` : `failed${done.status === undefined ? '' : ` with ${done.status}`}`}`;
  }
}
