import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import type { Reply } from '../../contract/reply.js';
import { answerToLook } from '../../respond/execution-answers.js';
import { executionReply } from '../../render/answers/execution-reply.js';
import { sealerFor } from '../../respond/sealer.js';
import { type LookPage, readLookPage } from '../../sessions/look-page.js';
import type { Environment } from '../world/environment.js';
import { withHolder } from '../world/with-holder.js';
import { logRejection } from '../world/log-rejections.js';
import { driftOf } from './drift.js';
import type { NodeInContext } from '../world/node-in-context.js';
import { sessionWarnings } from './session-warnings.js';

/** Shows where a run stands at a node. Appends nothing; what it shows is on disk before it is shown. */
export async function rehydrate(
  env: Environment,
  { log, run, node: id, started, workflow }: NodeInContext,
  pageName: string | undefined,
): Promise<Result<Reply, Rejection>> {
  const page = pageOf(pageName);
  if (!page.ok) return page;
  const fault = await log.confirm();
  if (fault !== undefined) return err(logRejection(fault, log.id, 'read'));
  env.store.retention.noteLook(log);
  const drift = driftOf(env, await env.library.find(started.data.workflowId), started, workflow);
  const sealer = sealerFor(env.keys.all(), log.id);
  const attempt = env.draw().attemptId();
  return log.read(({ state: session, findings }): Result<Reply, Rejection> => {
    const node = session.nodes.get(id);
    if (node === undefined)
      return err({
        code: 'SESSION_CHANGED',
        message: 'the step was removed while being read',
        action: 'look at what is there now',
        nextCall: { tool: 'resume_session', arguments: { sessionId: log.id } },
      });
    const answer = answerToLook({ session, workflow, sealer }, node, {
      attempt,
      readOnly: findings.some(({ level }) => level === 'damage' || level === 'newer'),
      noticed: [...sessionWarnings(findings), ...drift],
      page: page.value,
    });
    return pageName !== undefined && isEmpty(answer)
      ? err(noSuchPage(pageName, 'that page is empty: the previous one was the last'))
      : ok(executionReply(withHolder(env, log, run, answer), env.offered));
  });
}

/** Past the last page a record would seem to end there. */
const isEmpty = ({ known, recap, noted, branches = [], documents = [] }: ExecutionAnswer): boolean =>
  (known?.text ?? '') === '' &&
  [...(recap?.entries ?? []), ...(noted?.entries ?? []), ...branches].length === 0 &&
  documents.every(({ text }) => (text ?? '') === '');

function pageOf(name: string | undefined): Result<LookPage | undefined, Rejection> {
  if (name === undefined) return ok(undefined);
  const page = readLookPage(name);
  if (page !== undefined) return ok(page);
  return err(noSuchPage(name, 'page is not from an answer'));
}

const noSuchPage = (name: string, message: string): Rejection => ({
  code: 'VALIDATION_ERROR',
  message,
  action: 'send the stateToken without it; the answer names the next page',
  again: [{ at: '/page', to: undefined }],
  violations: [
    {
      path: '/page',
      rule: 'page',
      message: 'page is from an earlier answer',
      expected: 'such as "recap.12.0" or "branches.4"',
      actual: name.slice(0, 40),
    },
  ],
});
