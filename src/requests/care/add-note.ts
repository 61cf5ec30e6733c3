import { command } from '../../base/sentence.js';
import { assert } from '../../base/assert.js';
import { byteLength } from '../../base/byte-budget.js';
import type { NodeId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { NoteTold } from '../../contract/people-answers.js';
import { secretWarning } from '../../decide/gap-list.js';
import type { Event } from '../../events/event.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { beginningMissing } from '../world/log-rejections.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { drive, turn } from '../world/drive.js';

export interface NoteAsked {
  readonly session?: string | undefined;
  readonly text: string;
  /** A node's id, or how only one of the session begins. */
  readonly node?: string | undefined;
}

/** Writes down what a person has to say, beside the steps. The same text twice in a row is one note. */
export async function addNote(
  env: Environment,
  { session, text, node: wanted }: NoteAsked,
): Promise<Result<NoteTold, Rejection>> {
  const wrong = unfit(text);
  if (wrong !== undefined) return err(wrong);
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const noted = turn<Result<{ readonly at: NodeId | undefined; readonly added: boolean }, Rejection>, NoteTold>(
    ({ state, findings }) => {
      if (!state.started) return { answer: err(beginningMissing(log.id, findings)) };
      const node = nodeOf(state, wanted);
      if (!node.ok) return { answer: node };
      const at = node.value;
      if (notesAt(state, at?.id).at(-1)?.data.text === text) return { answer: ok({ at: at?.id, added: false }) };
      return {
        answer: ok({ at: at?.id, added: true }),
        events: [{ kind: 'note_added', ...(at !== undefined && { run: at.run, node: at.id }), data: { text } }],
      };
    },
    ({ state }, decided) => {
      if (!decided.ok) return { done: decided };
      const { at, added } = decided.value;
      const node = at && state.nodes.get(at);
      const record = notesAt(state, at).at(-1);
      assert(record !== undefined, 'a note that is recorded is in the fold');
      const secret = secretWarning({ notesMarkdown: text });
      return {
        done: ok({
          sessionId: log.id,
          ...(node !== undefined && { node: { nodeId: node.id, title: node.pending?.title ?? 'the end of the run' } }),
          event: record.sum,
          at: record.at,
          text,
          added,
          warnings: secret === undefined ? [] : [secret],
        }),
      };
    },
  );
  return drive(log, noted, 'keyed');
}

function unfit(text: string): Rejection | undefined {
  if (text.trim() === '')
    return {
      code: 'VALIDATION_ERROR',
      message: 'the note is empty',
      action: ['add some text: ', command('note', '<session>', '…')],
    };
  const bytes = byteLength(text);
  if (bytes <= limits.notes) return undefined;
  return {
    code: 'LIMIT_EXCEEDED',
    message: `the note has ${bytes} bytes, but the limit is ${limits.notes}; nothing was recorded`,
    action: 'put long texts into a file, and its name into the note',
    context: { measured: bytes, allowed: limits.notes },
  };
}

function nodeOf({ nodes }: FoldedSession, wanted: string | undefined): Result<RunNode | undefined, Rejection> {
  if (wanted === undefined) return ok(undefined);
  const begun = [...nodes.values()].filter(({ id }) => id.startsWith(wanted) || id.startsWith(`n_${wanted}`));
  const [only] = begun;
  if (only !== undefined && begun.length === 1) return ok(only);
  return err({
    code: 'NOT_FOUND',
    message:
      begun.length === 0
        ? `no step ${JSON.stringify(wanted.slice(0, limits.echo))} in this session`
        : `${begun.length} steps begin with ${JSON.stringify(wanted)}: ${begun
            .slice(0, 5)
            .map(({ id }) => id)
            .join(', ')}`,
    action: ['list its steps: ', command('show', '<session>')],
    context: { node: wanted.slice(0, limits.echo) },
  });
}

function notesAt(state: FoldedSession, node: NodeId | undefined): readonly Event<'note_added'>[] {
  return node === undefined ? state.notes : (state.nodes.get(node)?.notes ?? []);
}
