import { assert } from '../../base/assert.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { decideStart, type Started } from '../../decide/decide-start.js';
import type { Warning } from '../../events/event-data.js';
import { answerToStart } from '../../respond/execution-answers.js';
import { executionReply } from '../../render/answers/execution-reply.js';
import { sealerFor } from '../../respond/sealer.js';
import type { Environment } from '../world/environment.js';
import { findWorkflow, type FoundWorkflow } from './find-workflow.js';
import type { NodeId, RunId } from '../../base/ids.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { isDoneHere } from '../../sessions/run-status.js';
import { settledBelow } from '../../sessions/settled-below.js';
import { settleRun } from '../commands/settle-run.js';
import { whyNotReady } from '../commands/why-not-ready.js';
import { drive, type Turn, turn } from '../world/drive.js';
import { targetSession } from './target-session.js';

export async function startWorkflow(
  env: Environment,
  request: RequestOf<'start_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const found = await findWorkflow(env, request.workflowId);
  if (!found.ok) return found;
  const { entry } = found.value;
  const { pin, workflow } = env.pinned.pinned(found.value.workflow);
  const context = Object.fromEntries(Object.entries(request.context ?? {}).filter(([, value]) => value !== null));
  const unready = whyNotReady(env, workflow, context);
  if (unready !== undefined) return err(unready);
  const target = await targetSession(env, request.session ?? ticketOf(context));
  if (!target.ok) return target;
  const { log, key, observation } = target.value;
  const draw = env.draw();
  const begun = turn<Result<Started, Rejection>, Reply>(
    ({ state }) => {
      const decided = decideStart(state, {
        workflow,
        hash: pin.hash,
        source: entry.sourceDigest,
        context,
        preferences: { ...request.preferences, ...(request.mode !== undefined && { mode: request.mode }) },
        fresh: request.fresh ?? false,
        sessionStart: { ...(key !== undefined && { key }), producer: `workrail ${env.version}` },
        globalPreferences: env.globalPreferences(),
        observation,
        noticed: noticedAtStart(env, found.value),
        key: env.keys.current().id,
        engine: env.version,
        draw,
      });
      return decided.ok ? { answer: decided, events: decided.value.events, pins: [pin] } : { answer: decided };
    },
    ({ state: session }, decided) => {
      if (!decided.ok) return { done: decided };
      const node = session.nodes.get(decided.value.node);
      assert(node?.madeBy.kind === 'run_started', 'a start that is recorded is in the fold');
      if (isDoneHere(session, settledBelow(session, node))) {
        const { id, run } = node;
        return { next: () => settle(run, id) };
      }
      return { done: ok(told(session, node)) };
    },
  );
  const told = (session: FoldedSession, node: RunNode): Reply => {
    assert(node.madeBy.kind === 'run_started', 'a start is told from the event that made the run');
    const sealer = sealerFor(env.keys.all(), log.id, node.madeBy.data.key);
    return executionReply(answerToStart({ session, workflow, sealer }, node), env.offered);
  };
  // The first steps are WorkRail's own: what is answered is where they lead.
  const settle = async (run: RunId, id: NodeId): Promise<Turn<Reply>> => {
    const done = await settleRun(env, { log, run, workflow }, id);
    return turn<undefined, Reply>(
      () => ({ answer: undefined }),
      ({ state }) => {
        const node = state.nodes.get(id);
        assert(node !== undefined, 'a start that is recorded is in the fold');
        return { done: done.ok ? ok(told(state, node)) : done };
      },
    );
  };
  return drive(log, begun, key === undefined ? 'start' : 'keyed');
}

/** A ticket among the facts names the workstream, where nothing else does. */
function ticketOf(context: JsonObject): string | undefined {
  const ticket = context['ticketId'];
  if (typeof ticket === 'number') return String(ticket);
  return typeof ticket === 'string' && ticket.trim() !== '' ? ticket : undefined;
}

function noticedAtStart(env: Environment, { entry, passedOver }: FoundWorkflow): readonly Warning[] {
  const noticed: Warning[] = passedOver.map(({ file, violations }) => ({
    code: 'BROKEN_FILE_PASSED_OVER',
    message: `${file} also defines ${entry.id} and would take precedence, but it has ${violations.length} violation${violations.length === 1 ? '' : 's'}, so ${entry.file} was started; list_workflows lists them`,
  }));
  if (entry.idStatus === 'legacy') {
    noticed.push({
      code: 'LEGACY_ID',
      message: `the id ${entry.id} has no namespace${entry.suggestedId === undefined ? '' : `; better ${entry.suggestedId}`}`,
    });
  }
  if (!env.keys.saved)
    noticed.push({
      code: 'KEY_NOT_SAVED',
      message: 'the signing key could not be written to disk: tokens expire with this process, the work does not',
    });
  return noticed;
}
