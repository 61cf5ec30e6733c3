import type { AttemptId } from '../../base/ids.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, type Result } from '../../base/result.js';
import { settlements } from '../../base/closed-sets.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { type Asked, decideCommand, planConfirmed } from '../../decide/commands/decide-command.js';
import type { EventDraft } from '../../events/event.js';
import { standingDraft } from '../../sessions/drafts.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { isRefusedAt } from '../../sessions/person-answers.js';
import { sealerFor } from '../../respond/sealer.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import type { NodeInContext } from '../world/node-in-context.js';
import { here } from './run-commands.js';
import { settledReply } from './settled-reply.js';

type Confirmed = Result<readonly EventDraft[], Rejection>;

/** What an agent says in the user's name at a step that WorkRail does itself: that it may be sent, or what became of it. */
export async function confirmCommand(
  env: Environment,
  standing: NodeInContext,
  request: RequestOf<'continue_workflow'>,
  attempt: AttemptId,
): Promise<Result<Reply, Rejection>> {
  const { log, run, workflow } = standing;
  const mark = env.randomId();
  const confirming = turn<Confirmed, Reply>(
    ({ state }) => {
      const node = state.nodes.get(standing.node);
      if (node === undefined || node.children.length > 0) return { answer: { ok: true, value: [] } };
      const decided = wordOf(env, standing, state, node, { request, attempt, mark });
      return decided.ok ? { answer: decided, events: decided.value } : { answer: decided };
    },
    (_loaded, decided) =>
      decided.ok
        ? {
            next: async () => {
              const reply = await settledReply(env, { log, run, workflow }, standing.node);
              return turn<undefined, Reply>(
                () => ({ answer: undefined }),
                () => ({ done: reply }),
              );
            },
          }
        : { done: decided },
    standing.position,
  );
  return drive(log, confirming, 'keyed');
}

interface Word {
  readonly request: RequestOf<'continue_workflow'>;
  readonly attempt: AttemptId;
  readonly mark: string;
}

function wordOf(
  env: Environment,
  { log, run, workflow }: NodeInContext,
  state: FoldedSession,
  node: RunNode,
  { request, attempt, mark }: Word,
): Confirmed {
  const { pending } = node;
  const block = standingDraft(node);
  const stateToken = sealerFor(env.keys.all(), log.id).state(node.id);
  const refuse = (message: string, action: string): Confirmed =>
    err({
      code: 'PRECONDITION_FAILED',
      message: `${message}; nothing was recorded`,
      action,
      nextCall: { tool: 'continue_workflow', arguments: { stateToken } },
      context: { sessionId: log.id, runId: run, path: pending?.path ?? '' },
    });
  if (block?.data.attempt !== attempt)
    return refuse(`WorkRail does “${pending?.title ?? ''}” itself, and asks nobody for it`, 'look where it stands');
  if (request.output?.notesMarkdown !== undefined || (request.output?.artifacts ?? []).length > 0)
    return refuse(
      `WorkRail does “${pending?.title ?? ''}” itself, and takes no output for it`,
      'send confirmed or the outcome alone',
    );
  const now = here(env, { log, run, workflow }, state, mark);
  const decided = decideCommand(state, node, now);
  if (decided.kind !== 'settled' || decided.asked === undefined) return { ok: true, value: [] };
  const { asked, events = [] } = decided;
  const isOutcome = asked.blocker.code === 'COMMAND_OUTCOME_UNKNOWN';
  // What was shown is not what would be sent now: it is shown anew, and nobody has agreed to that. A request whose outcome
  // is not known may be under way elsewhere: only who drives the run asks about it.
  if (events.length > 0) return { ok: true, value: isOutcome ? [] : events };
  if (isOutcome) {
    const settled = outcomeSaid(node, asked, request);
    return settled === undefined
      ? refuse(asked.blocker.message, 'send "context": {"outcome": "repeat"}, "done" or "failed"')
      : { ok: true, value: [settled] };
  }
  if (isRefusedAt(node))
    return refuse(
      'the user said no to this command themselves, and only they can say yes to it now',
      'tell the user that it waits for them (workrail answer, or the page), or go back to an earlier step',
    );
  if (request.confirmed !== true || asked.writes === undefined)
    return refuse(asked.blocker.message, 'send confirmed: true once the user agrees');
  const { id: plan, writes } = asked;
  return { ok: true, value: [planConfirmed(node, { plan, writes: [...writes], home: now.home, by: 'caller' })] };
}

function outcomeSaid(
  node: RunNode,
  { command }: Asked,
  { context = {} }: RequestOf<'continue_workflow'>,
): EventDraft | undefined {
  const choice = settlements.find((one) => one === own(context, 'outcome'));
  if (choice === undefined || command.try === undefined) return undefined;
  const data = { call: command.call, try: command.try, choice, reason: '' };
  return { kind: 'command_settled', run: node.run, node: node.id, data };
}
