import { firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import type { CheckpointAnswer, SessionAnswer, WarningTold } from '../contract/answer.js';
import type { Reply } from '../contract/reply.js';
import type { Event } from '../events/event.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { artifactsNotAsked } from './artifacts-not-asked.js';
import type { RunNode } from '../sessions/folded-session.js';
import { tellGap } from './answer-to-step.js';
import { callText } from '../contract/call-text.js';
import { notesHole } from '../base/notes-hole.js';
import { replyWith } from '../contract/reply-with.js';
import type { Sealer } from './sealer.js';

/** The answer to a checkpoint, told from its own event: the same checkpoint again gets the same. */
export function answerToCheckpoint(
  sealer: Sealer,
  node: RunNode | undefined,
  record: Event<'checkpoint'>,
  workflow: CompiledWorkflow | undefined,
): CheckpointAnswer {
  const { output, gaps, warnings } = record.data;
  const at = node === undefined ? `session ${sealer.session}` : (node.pending?.title ?? 'the finished run');
  const notes = output.notes === undefined ? undefined : firstWords(output.notes, limits.echo);
  const artifacts = output.artifacts?.length ?? 0;
  const token = node === undefined ? { sessionToken: sealer.sessionToken() } : { stateToken: sealer.state(node.id) };
  return {
    kind: 'ok',
    ...token,
    session: { sessionId: sealer.session, ...(node !== undefined && { runId: node.run }) },
    recorded: { at, ...(notes !== undefined && { notes }), artifacts },
    gaps: (gaps ?? []).map(tellGap),
    warnings: [...(warnings ?? []), ...artifactsNotAsked(workflow, output)],
    ...(node?.pending !== undefined && {
      nextCall: { tool: 'continue_workflow', arguments: { stateToken: sealer.state(node.id) } },
    }),
  };
}

export function sessionReply(sealer: Sealer, made: boolean, warnings: readonly WarningTold[]): Reply {
  const sessionToken = sealer.sessionToken();
  const answer: SessionAnswer = {
    kind: 'ok',
    sessionToken,
    session: { sessionId: sealer.session },
    warnings,
    nextCall: { tool: 'checkpoint_workflow', arguments: { sessionToken, output: { notesMarkdown: notesHole } } },
  };
  const lines = [
    `${made ? 'Made' : 'Joined'} session ${sealer.session}.`,
    ...warnings.map(({ message }) => `Warning: ${message}.`),
    `Keep notes with ${callText(answer.nextCall)}`,
  ];
  return replyWith(lines.join('\n'), answer, { kind: 'ok', sessionToken, session: answer.session });
}
