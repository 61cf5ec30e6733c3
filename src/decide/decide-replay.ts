import type { AttemptId, KeyId } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import type { Event, EventDraft } from '../events/event.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { draftsOf } from '../sessions/drafts.js';
import { answersBySum } from '../sessions/person-answers.js';
import { isFreeAt, withPersonAnswers } from './with-person-answers.js';
import { withDraft } from './as-requested.js';
import type { IdsFromSeed } from './ids-from-seed.js';
import { checkpointData } from './decide-checkpoint.js';
import { broughtDigest, isEmpty, type RequestedOutput, workOf } from './requested-output.js';

export interface Replay {
  readonly attempt: AttemptId;
  readonly output: RequestedOutput | undefined;
  readonly context: JsonObject | undefined;
  readonly confirmed: boolean;
  readonly key: KeyId;
  readonly draw: IdsFromSeed;
}

export interface Replayed {
  readonly record: Event<'step_acked'>;
  /** Digest of what came, where it is other than what is recorded: it is kept, and it is not the step's. */
  readonly other?: string;
  readonly events: readonly EventDraft[];
}

/** The record that answers an attempt, and what of the request must still be kept; undefined for an attempt not acked yet. */
export function decideReplay(session: FoldedSession, node: RunNode, replay: Replay): Replayed | undefined {
  const records = node.acks.filter(({ data }) => data.attempt === replay.attempt);
  if (records.length === 0) return undefined;
  const brought = broughtDigest(asTaken(node, replay, records[0]!));
  // One attempt may be recorded twice, where a lock was lost or two clones used it: each caller gets the answer to what it sent.
  const record = records.find(({ data }) => data.brought === brought) ?? records[0]!;
  const child = record.node === undefined ? undefined : session.nodes.get(record.node);
  if (record.data.brought === brought || isEmpty({ ...replay, output: workOf(replay.output) }) || child === undefined)
    return { record, events: [] };
  const kept = child.checkpoints.some(({ data }) => data.late !== undefined && data.brought === brought);
  return { record, other: brought, events: kept ? [] : [lateCheckpoint(record, replay, brought)] };
}

/** The draft was completed by what came with the user's word: the same call says the same again. */
function asTaken(node: RunNode, replay: Replay, record: Event<'step_acked'>): Pick<Replay, 'output' | 'context'> {
  if (isEmpty(replay)) return replay;
  const drafts = draftsOf(node, replay.attempt, record);
  const answered = withPersonAnswers(
    { ...replay, confirmed: replay.confirmed || undefined },
    drafts,
    () => answersBySum(node, record.data.answers),
    isFreeAt(node),
  );
  for (const completed of [answered, withDraft(replay, drafts)])
    if (completed !== undefined && broughtDigest(completed) === record.data.brought) return completed;
  return replay;
}

/** Output of a replay that says something else is not lost: it stays with the step's result, and steers nothing. */
function lateCheckpoint(record: Event<'step_acked'>, replay: Replay, brought: string): EventDraft {
  const late = { attempt: replay.attempt, ...(replay.context !== undefined && { context: replay.context }) };
  return {
    kind: 'checkpoint',
    ...(record.run !== undefined && { run: record.run }),
    ...(record.node !== undefined && { node: record.node }),
    data: checkpointData(replay, brought, late),
  };
}
