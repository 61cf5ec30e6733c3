import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { WarningTold } from '../../contract/answer.js';
import type { Reply } from '../../contract/reply.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { workflowDifference } from '../../definitions/compiled/workflow-difference.js';
import { answerToLook } from '../../respond/execution-answers.js';
import { executionReply } from '../../render/execution-reply.js';
import { sealerFor } from '../../respond/sealer.js';
import { type LookPage, readLookPage } from '../../sessions/look-page.js';
import type { Event } from '../../events/event.js';
import type { Environment } from '../world/environment.js';
import { logRejection } from '../world/log-rejections.js';
import type { NodeInContext } from './node-in-context.js';
import { sessionWarnings } from './session-warnings.js';

/** Shows where a run stands at a node. Appends nothing; what it shows is on disk before it is shown. */
export async function rehydrate(
  env: Environment,
  { log, node: id, started, workflow }: NodeInContext,
  pageName: string | undefined,
): Promise<Result<Reply, Rejection>> {
  const page = pageOf(pageName);
  if (!page.ok) return page;
  const fault = await log.confirm();
  if (fault !== undefined) return err(logRejection(fault, log.id, 'read'));
  const drift = await driftOf(env, started, workflow);
  const sealer = sealerFor(env.keys.all(), log.id);
  const attempt = env.draw().attemptId();
  return log.read(({ state: session, findings }): Result<Reply, Rejection> => {
    const node = session.nodes.get(id);
    if (node === undefined)
      return err({
        code: 'SESSION_CHANGED',
        message: 'the step was taken away while it was read',
        action: 'look at what is there now',
        nextCall: { tool: 'resume_session', arguments: { sessionId: log.id } },
      });
    const answer = answerToLook({ session, workflow, sealer }, node, {
      attempt,
      readOnly: findings.some(({ level }) => level === 'damage' || level === 'newer'),
      noticed: [...sessionWarnings(findings), ...drift],
      page: page.value,
    });
    return ok(executionReply(answer, env.offered));
  });
}

function pageOf(name: string | undefined): Result<LookPage | undefined, Rejection> {
  if (name === undefined) return ok(undefined);
  const page = readLookPage(name);
  if (page !== undefined) return ok(page);
  return err({
    code: 'VALIDATION_ERROR',
    message: 'page is not one that an answer named',
    action: 'send the stateToken without it; the answer names the next page',
    again: [{ at: '/page', to: undefined }],
    violations: [
      {
        path: '/page',
        rule: 'page',
        message: 'page is one that an earlier answer named',
        expected: 'such as "recap.12.0" or "branches.4"',
        actual: name.slice(0, 40),
      },
    ],
  });
}

const differencesTold = 6;

/** The run goes on with its pin, whatever became of the file; a reader should know that they differ, and in what. */
async function driftOf(
  env: Environment,
  started: Event<'run_started'>,
  pinned: CompiledWorkflow,
): Promise<readonly WarningTold[]> {
  const { workflowId, source, workflowHash } = started.data;
  const found = await env.library.find(workflowId);
  const onward = 'this run goes on with the version it started with, and a new run would take the file as it is';
  if (found === undefined)
    return [
      changed(`no workflow file here gives ${workflowId} any more; this run goes on with the version it started with`),
    ];
  const { entry, workflow } = found;
  const same = entry.sourceDigest === source;
  if (workflow === undefined)
    return [
      changed(
        `${entry.file} ${same ? 'calls something that has changed' : 'has changed'} since this run started, and has ${entry.violations.length} violation${entry.violations.length === 1 ? '' : 's'} now; this run goes on with the version it started with, and no new run can start until the file is mended`,
      ),
    ];
  // Another formatting, or a comment, is no other workflow; another routine is, where it is called.
  if (env.pinned.hashOf(workflow) === workflowHash) return [];
  const changes = workflowDifference(pinned, workflow);
  if (changes.length === 0) return [];
  const more = changes.length - differencesTold;
  const what = same ? `what ${entry.file} calls has changed` : `${entry.file} has changed`;
  return [
    changed(
      `${what} since this run started (${changes.slice(0, differencesTold).join('; ')}${more > 0 ? `; and ${more} more` : ''}); ${onward}`,
    ),
  ];
}

function changed(message: string): WarningTold {
  return { code: 'WORKFLOW_CHANGED', message };
}
