import { command } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { ResumeWords } from '../../contract/http-api.js';
import { nodeRef } from '../../respond/step-detail.js';
import { notesHole } from '../../base/notes-hole.js';
import { sealerFor } from '../../respond/sealer.js';
import { newestTip } from '../../sessions/newest-tip.js';
import { beginningMissing } from '../world/log-rejections.js';
import type { Environment } from '../world/environment.js';
import { nodeIn, readSession } from '../world/session-state.js';

/** What a person pastes so that an agent goes on in a session, at the node that is named or where the work stands. */
export async function resumeAnswer(
  env: Environment,
  asked: { readonly session: string; readonly node?: string | undefined },
): Promise<Result<ResumeWords, Rejection>> {
  return readSession(env, asked.session, ({ state, findings }, { id: sessionId }): Result<ResumeWords, Rejection> => {
    const named = asked.node === undefined ? undefined : nodeIn(sessionId, state, asked.node);
    if (named?.ok === false) return named;
    const node = named === undefined ? newestTip(sessionId, state) : named.value;
    const sealer = sealerFor(env.keys.all(), sessionId);
    if (node === undefined) {
      if (!state.started) return err(beginningMissing(sessionId, findings));
      const sessionToken = sealer.sessionToken();
      return ok({
        sessionId,
        sessionToken,
        words: `Save what is worth remembering in the WorkRail session ${sessionId}: call checkpoint_workflow with sessionToken ${sessionToken}.`,
        call: { tool: 'checkpoint_workflow', arguments: { sessionToken, output: { notesMarkdown: notesHole } } },
        command: env.words([command('note', sessionId, '…')]),
      });
    }
    const stateToken = sealer.state(node.id);
    const { pending } = node;
    const where =
      pending === undefined
        ? 'The run is complete there.'
        : node.children.length === 0
          ? `The next step is “${pending.title}”.`
          : `Go back to “${pending.title}” and do it again, which makes a new branch.`;
    return ok({
      sessionId,
      at: nodeRef(node),
      stateToken,
      words: `Continue the WorkRail session ${sessionId}. ${where} Call continue_workflow with stateToken ${stateToken} and follow its answer.`,
      call: { tool: 'continue_workflow', arguments: { stateToken } },
      command: env.words([command('continue', stateToken)]),
    });
  });
}
