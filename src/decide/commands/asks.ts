import { assert } from '../../base/assert.js';
import type { EventData } from '../../events/event-data.js';
import type { EventDraft } from '../../events/event.js';
import { standingDraft } from '../../sessions/drafts.js';
import type { RunNode } from '../../sessions/folded-session.js';
import { answersTo, isSettled } from '../../sessions/person-answers.js';
import { shortDigest } from '../requested-output.js';
import type { Asked, CommandDecision, CommandHere } from './command-decision.js';

/** Asks, once; where the person said yes themselves, that is recorded as their word. */
export function asks(node: RunNode, here: CommandHere, asked: Asked): CommandDecision {
  const { id, command, writes, blocker, shows } = asked;
  const request = shortDigest([id, here.home]);
  const block = standingDraft(node);
  // What was asked before something else was is asked anew: the last question is the one that is answered.
  if (block?.data.request === request) {
    const isTheirs = isSettled(node, block) && answersTo(node, block).every(({ data }) => here.isAnswerSealed(data));
    if (writes === undefined || !isTheirs) return { kind: 'settled', asked };
    return {
      kind: 'recorded',
      events: [planConfirmed(node, { plan: id, writes: [...writes], home: here.home, by: 'asked' }, here)],
    };
  }
  const { pending } = node;
  assert(pending !== undefined, 'a command is pending');
  const step = { id: pending.id, path: pending.path, title: pending.title };
  const data: EventData<'step_blocked'> = {
    attempt: here.draw.attemptId(),
    step,
    request,
    blockers: [blocker],
    output: { notes: shows },
    command,
    preferences: node.preferences,
    key: here.key,
    engine: here.engine,
  };
  return { kind: 'settled', asked, events: [{ kind: 'step_blocked', run: node.run, node: node.id, data }] };
}

export const planConfirmed = (
  node: RunNode,
  data: Omit<EventData<'plan_confirmed'>, 'seal'>,
  { seal }: Pick<CommandHere, 'seal'>,
): EventDraft => ({
  kind: 'plan_confirmed',
  run: node.run,
  node: node.id,
  data: { ...data, seal: seal(node.run, data) },
});
