import type { AttemptId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import type { Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { Event } from '../../events/event.js';
import { formOfQuestions, type QuestionForm } from '../../respond/form-of-questions.js';
import { draftOf } from '../../sessions/drafts.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { waitingDraft } from '../../sessions/person-answers.js';
import type { Environment } from '../world/environment.js';
import type { NodeInContext } from '../world/node-in-context.js';
import { recordForm } from '../answers/record-form.js';

/** Asks the person before the agent's program what a call is blocked by, and makes the call once more with what they answered. Whatever else they do leaves the step as it is. */
export async function askInClient(
  env: Environment,
  standing: NodeInContext,
  attempt: AttemptId,
  call: () => Promise<Result<Reply, Rejection>>,
): Promise<Result<Reply, Rejection>> {
  let reply = await call();
  let wrong = '';
  for (let asked = 0; asked < limits.formsOfCall && env.askForm !== undefined; asked += 1) {
    if (!reply.ok || reply.value.answer['kind'] !== 'blocked') return reply;
    const { log, workflow } = standing;
    const asks = await log.read(({ state }) => askedAt(state, standing, attempt));
    if (asks === undefined) return reply;
    const { form, draft } = asks;
    const { name, message, requestedSchema } = form;
    const said = await env.askForm({ name, message: `${wrong}${message}`, requestedSchema });
    if (typeof said !== 'object' || said.action !== 'accept') return reply;
    const recorded = await recordForm(env, { session: log.id, workflow, draft }, form, said.content);
    const isMisfit = !recorded.ok && ['VALIDATION_ERROR', 'LIMIT_EXCEEDED'].includes(recorded.error.code);
    if (!recorded.ok && !isMisfit) return recorded;
    if (recorded.ok && recorded.value.answered === 0) return reply;
    wrong = recorded.ok ? '' : `${recorded.error.message}.\n\n`;
    if (recorded.ok) reply = await call();
  }
  return reply;
}

/** What an attempt waits for, as a form; undefined where nobody can be asked by one. */
function askedAt(
  { nodes }: FoldedSession,
  { node: id, workflow }: Pick<NodeInContext, 'node' | 'workflow'>,
  attempt: AttemptId,
): { readonly form: QuestionForm; readonly draft: Event<'step_blocked'> } | undefined {
  const node: RunNode | undefined = nodes.get(id);
  const draft = node && waitingDraft(node);
  if (node === undefined || draft === undefined || draft !== draftOf(node, attempt)) return undefined;
  const form = formOfQuestions(workflow, node, draft);
  return form && { form, draft };
}
