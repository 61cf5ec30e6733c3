import { assert } from '../../base/assert.js';
import { hole } from '../../base/hole.js';
import type { NodeId, SessionId, WorkflowHash } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { checkpointOf, decideCheckpoint } from '../../decide/decide-checkpoint.js';
import { isEmpty, type RequestedOutput } from '../../decide/requested-output.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { JudgingWork } from '../../definitions/contracts/judging-work.js';
import { checkUnasked, kindOf } from '../../definitions/contracts/known-contracts.js';
import { wrongSettlements } from '../../decide/wrong-settlements.js';
import type { SessionLog } from '../../log/port/session-log.js';
import { checkpointReply } from '../../render/answers/tell-checkpoint.js';
import { answerToCheckpoint } from '../../respond/answer-to-checkpoint.js';
import { notesHole } from '../../base/notes-hole.js';
import { sealerFor } from '../../respond/sealer.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { Environment } from '../world/environment.js';
import { drive, turn } from '../world/drive.js';
import { noLongerThere, openSessionToken, openState } from './open-token.js';
import { wrongSettlementRejection } from './wrong-settlement-rejection.js';

export async function checkpointWorkflow(
  env: Environment,
  request: RequestOf<'checkpoint_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const target = await targetOf(env, request);
  if (!target.ok) return target;
  const { log, node: id } = target.value;
  const { output } = request;
  if (isEmpty({ output })) return err(nothingToKeep(request));
  const workflow = await workflowOf(env, log, target.value.hash, output);
  const wrong = illFormed(workflow, output, log.id);
  const draw = env.draw();
  const kept = turn<Result<string, Rejection>, Reply>(
    ({ state, eventCount, findings }) => {
      const node = id === undefined ? undefined : state.nodes.get(id);
      // Moved or taken away while this waited for its turn: it must not begin a session of its own, nor land beside its step.
      if (eventCount === 0 || (id !== undefined && node === undefined))
        return { answer: err(noLongerThere(log.id, findings)) };
      const settling = wrongSettlements(state, node, output, env.caller);
      if (settling.length > 0)
        return { answer: err(wrongSettlementRejection(settling, request.stateToken ?? request.sessionToken ?? '')) };
      const { brought, events } = decideCheckpoint(state, node, {
        output,
        key: env.keys.current().id,
        who: env.caller,
        draw,
      });
      // What was recorded once is answered as it was, whatever is asked of new ones since.
      if (wrong !== undefined && events.length > 0) return { answer: err(wrong) };
      return { answer: ok(brought), events };
    },
    ({ state }, decided) => {
      if (!decided.ok) return { done: decided };
      const node = id === undefined ? undefined : state.nodes.get(id);
      const record = checkpointOf(state, node, decided.value);
      assert(record !== undefined, 'a checkpoint that is recorded is in the fold');
      const sealer = sealerFor(env.keys.all(), log.id, record.data.key);
      return { done: ok(checkpointReply(answerToCheckpoint(sealer, node, record, workflow))) };
    },
  );
  return drive(log, kept, 'keyed');
}

interface Target {
  readonly log: SessionLog<FoldedSession>;
  readonly node: NodeId | undefined;
  /** Of the workflow that its run follows. */
  readonly hash?: WorkflowHash | undefined;
}

/** Only artifacts are judged by it; what cannot be read is no reason to keep nothing. */
async function workflowOf(
  env: Environment,
  log: Target['log'],
  hash: WorkflowHash | undefined,
  output: RequestedOutput,
): Promise<CompiledWorkflow | undefined> {
  if (hash === undefined || (output.artifacts ?? []).length === 0) return undefined;
  const pinned = await env.pinned.of(log, hash);
  return pinned.ok ? pinned.value : undefined;
}

/** An artifact whose kind is known has the form of its kind, or it would be missing from every document. */
function illFormed(
  workflow: CompiledWorkflow | undefined,
  { artifacts = [] }: RequestedOutput,
  sessionId: SessionId,
): Rejection | undefined {
  const work = new JudgingWork();
  const violations = artifacts.flatMap((artifact, index) =>
    checkUnasked(workflow, artifact, work).map(({ pointer, message }) => ({
      path: `/output/artifacts/${index}${pointer}`,
      rule: 'artifact',
      message: `artifact ${kindOf(artifact)}: ${message}`,
    })),
  );
  if (violations.length === 0) return undefined;
  return {
    code: 'VALIDATION_ERROR',
    message: `${violations.length === 1 ? 'an artifact is not of the form' : 'artifacts are not of the form'} that its kind has; nothing was recorded`,
    action: 'fix what is named and send everything again, or put it into the notes',
    again: violations.map(({ path, message }) => ({ at: path, to: hole(message) })),
    violations: violations.slice(0, violationsTold),
    context: { sessionId },
  };
}

const violationsTold = 10;

async function targetOf(
  env: Environment,
  { stateToken, sessionToken }: RequestOf<'checkpoint_workflow'>,
): Promise<Result<Target, Rejection>> {
  if (stateToken !== undefined) {
    const opened = await openState(env, stateToken, ({ state }, { run }) => state.runs.get(run)?.workflowHash);
    return opened.ok ? ok({ ...opened.value, hash: opened.value.taken }) : opened;
  }
  if (!env.offered.has('start_session')) return err(noSessionTokens());
  const opened = await openSessionToken(env, sessionToken ?? '');
  return opened.ok ? ok({ log: opened.value, node: undefined }) : opened;
}

const noSessionTokens = (): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: 'this server accepts no sessionToken: start_session is not enabled',
  action:
    'record at a step, with its stateToken; or ask the user to start the server with --enable start_session (or WORKRAIL_ENABLE=start_session)',
  context: { field: 'sessionToken' },
});

function nothingToKeep({ stateToken, sessionToken }: RequestOf<'checkpoint_workflow'>): Rejection {
  const token = stateToken === undefined ? { sessionToken: sessionToken ?? '' } : { stateToken };
  return {
    code: 'VALIDATION_ERROR',
    message: 'the checkpoint is empty: it has neither notes nor artifacts nor gaps',
    action: 'send what should be kept',
    nextCall: { tool: 'checkpoint_workflow', arguments: { ...token, output: { notesMarkdown: notesHole } } },
    violations: [
      { path: '/output', rule: 'not_empty', message: 'output is empty', expected: 'notesMarkdown, artifacts or gaps' },
    ],
  };
}
