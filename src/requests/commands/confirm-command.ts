import type { AttemptId } from '../../base/ids.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, type Result } from '../../base/result.js';
import { settlements } from '../../base/closed-sets.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { planConfirmed } from '../../decide/commands/asks.js';
import type { Asked, CommandHere } from '../../decide/commands/command-decision.js';
import { decideCommand } from '../../decide/commands/decide-command.js';
import { decideCheckpoint } from '../../decide/decide-checkpoint.js';
import { isEmpty } from '../../decide/requested-output.js';
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

type Refuse = (message: string, action: string) => Confirmed;

function wordOf(
  env: Environment,
  { log, run, workflow }: NodeInContext,
  state: FoldedSession,
  node: RunNode,
  { request, attempt, mark }: Word,
): Confirmed {
  const { pending } = node;
  const stateToken = sealerFor(env.keys.all(), log.id).state(node.id);
  const refuse: Refuse = (message, action) =>
    err({
      code: 'PRECONDITION_FAILED',
      message: `${message}; nothing was recorded`,
      action,
      nextCall: { tool: 'continue_workflow', arguments: { stateToken } },
      context: { sessionId: log.id, runId: run, path: pending?.path ?? '' },
    });
  const title = pending?.title ?? '';
  if (standingDraft(node)?.data.attempt !== attempt)
    return refuse(`WorkRail does “${title}” itself, and asks nothing of you there`, 'look where the run is now');
  const now = here(env, { log, run, workflow }, state, mark);
  const decided = decideCommand(state, node, now);
  if (decided.kind !== 'settled' || decided.asked === undefined) return { ok: true, value: [] };
  const { asked, events = [] } = decided;
  const isOutcome = asked.blocker.code === 'COMMAND_OUTCOME_UNKNOWN';
  // What was shown is not what would be sent now: it is shown anew, and nobody has agreed to that. A request whose outcome
  // is not known may be under way elsewhere: only who drives the run asks about it.
  if (events.length > 0) return { ok: true, value: isOutcome ? [] : events };
  const said = isOutcome
    ? outcomeSaid(node, asked, request, refuse)
    : agreed(node, asked, request, { here: now, refuse });
  return said.ok ? { ok: true, value: [...notesKept(state, node, request, now), ...said.value] } : said;
}

/** WorkRail does the step itself; what comes along with the user's word is kept beside it. */
function notesKept(
  state: FoldedSession,
  node: RunNode,
  { output }: RequestOf<'continue_workflow'>,
  { key, draw }: Pick<CommandHere, 'key' | 'draw'>,
): readonly EventDraft[] {
  return output === undefined || isEmpty({ output }) ? [] : decideCheckpoint(state, node, { output, key, draw }).events;
}

function agreed(
  node: RunNode,
  { id: plan, writes, blocker }: Asked,
  { confirmed }: RequestOf<'continue_workflow'>,
  { here, refuse }: { readonly here: CommandHere; readonly refuse: Refuse },
): Confirmed {
  const { home } = here;
  if (isRefusedAt(node))
    return refuse(
      'the user said no to this command themselves, and only they can say yes to it now',
      'tell the user that it waits for them (workrail answer, or the page), or go back to an earlier step',
    );
  if (confirmed === false)
    return refuse(
      'nothing was sent, and nothing is until the user agrees',
      'if they want something else, go back to an earlier step and change it; to see where the run waits',
    );
  if (confirmed !== true || writes === undefined)
    return refuse(blocker.message, 'once the user agrees, send both tokens and "confirmed": true; to see what is sent');
  return { ok: true, value: [planConfirmed(node, { plan, writes: [...writes], home, by: 'caller' }, here)] };
}

function outcomeSaid(
  node: RunNode,
  { command, blocker }: Asked,
  { context = {}, output }: RequestOf<'continue_workflow'>,
  refuse: Refuse,
): Confirmed {
  const choice = settlements.find((one) => one === own(context, 'outcome'));
  if (choice === undefined || command.try === undefined)
    return refuse(
      blocker.message,
      'send both tokens and "context": {"outcome": "done"}, "repeat" or "failed"; to see what was sent',
    );
  const data = { call: command.call, try: command.try, choice, reason: output?.notesMarkdown ?? '' };
  return { ok: true, value: [{ kind: 'command_settled', run: node.run, node: node.id, data }] };
}
