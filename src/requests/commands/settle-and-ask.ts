import type { NodeId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import { formOfQuestions } from '../../respond/form-of-questions.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { waitingDraft } from '../../sessions/person-answers.js';
import { isDoneHere } from '../../sessions/run-status.js';
import { settledBelow } from '../../sessions/settled-below.js';
import { recordForm } from '../answers/record-form.js';
import type { Environment } from '../world/environment.js';
import type { RunToDrive } from './run-commands.js';
import { settleRun } from './settle-run.js';

/** Whether the way below a node is WorkRail's: a step of its own is to be done, or waits for a person who can be asked. */
export function isToSettle({ askForm }: Environment, session: FoldedSession, node: RunNode): boolean {
  const at = settledBelow(session, node);
  if (at.pending?.does === undefined) return false;
  return isDoneHere(session, at) || (askForm !== undefined && waitingDraft(at) !== undefined);
}

/** Has them done, and asks the person before the agent's program what they wait for. */
export async function settleAndAsk(
  env: Environment,
  driven: RunToDrive,
  node: NodeId,
): Promise<Result<void, Rejection>> {
  const { log, workflow } = driven;
  let wrong = '';
  for (let asked = 0; ; asked += 1) {
    // Nobody else goes on with it once the process of whoever follows it has ended.
    const patienceMs = env.follows === true ? limits.commandMs : limits.runPatienceMs;
    const done = await settleRun(env, driven, node, { patienceMs });
    if (!done.ok || env.askForm === undefined || asked === limits.formsOfCall) return done;
    const asks = await log.read(({ state }) => {
      const from = state.nodes.get(node);
      const at = from && settledBelow(state, from);
      const draft = at?.pending?.does === undefined ? undefined : waitingDraft(at);
      const form = at && draft && formOfQuestions(workflow, at, draft);
      return draft !== undefined && form !== undefined ? { form, draft } : undefined;
    });
    if (asks === undefined) return ok(undefined);
    const { form, draft } = asks;
    const { name, message, requestedSchema } = form;
    const said = await env.askForm({ name, message: `${wrong}${message}`, requestedSchema });
    if (typeof said !== 'object' || said.action !== 'accept') return ok(undefined);
    const recorded = await recordForm(env, { session: log.id, workflow, draft }, form, said.content);
    if (!recorded.ok && recorded.error.code !== 'VALIDATION_ERROR') return recorded;
    if (recorded.ok && recorded.value.answered === 0) return ok(undefined);
    wrong = recorded.ok ? '' : `${recorded.error.message}.\n\n`;
  }
}
