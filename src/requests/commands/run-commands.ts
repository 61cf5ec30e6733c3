import type { NodeId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { type CommandDecision, decideCommand } from '../../decide/decide-command.js';
import { decideTried } from '../../decide/decide-tried.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { settledBelow } from '../../sessions/settled-below.js';
import { logRejection } from '../world/log-rejections.js';
import type { Environment } from '../world/environment.js';
import { sendCommand } from './send-command.js';

/**
 * Does what is WorkRail's to do at a node and below it, until somebody else is next. One at a time drives a run: whoever
 * finds that another does leaves it to them.
 */
export async function runCommands(
  env: Environment,
  log: SessionLog<FoldedSession>,
  { workflow, node, run }: { readonly workflow: CompiledWorkflow; readonly node: NodeId; readonly run: string },
  signal: AbortSignal,
): Promise<Result<'settled' | 'elsewhere', Rejection>> {
  const { running } = env.store;
  const claim = await running.take(log.place, run);
  if (claim === undefined) return ok('elsewhere');
  const mark = env.randomId();
  const began = new Map<string, number>();
  try {
    for (;;) {
      const next = await log.append<CommandDecision, CommandDecision & { readonly at: NodeId }>(
        ({ state }) => {
          const from = state.nodes.get(node);
          const at = from && settledBelow(state, from);
          const answer: CommandDecision =
            at === undefined ? { kind: 'settled' } : decideCommand(state, at, workflow, mark, env.secretAnswers.of);
          return { answer, events: answer.kind === 'stopped' ? answer.events : [] };
        },
        ({ state }, decided) => {
          const from = state.nodes.get(node);
          return { ...decided, at: from === undefined ? node : settledBelow(state, from).id };
        },
      );
      if (!next.ok) return err(logRejection(next.error, log.id, 'keyed'));
      const decided = next.value;
      if (decided.kind !== 'send') return ok('settled');
      const { command, at } = decided;
      const since = began.get(command.call) ?? env.now().getTime();
      began.set(command.call, since);
      if (command.tried > 0 && !(await pauseFor(command.step.everyMs ?? limits.commandPauseMs, signal)))
        return ok('settled');
      if (!(await running.check(log.place, claim))) return ok('elsewhere');
      const sent = await sendCommand(env, command, {
        place: log.place,
        mark,
        signal,
        leftMs: command.step.timeoutMs && command.step.timeoutMs - (env.now().getTime() - since),
      });
      if (signal.aborted) return ok('settled');
      const recorded = await log.append(
        ({ state }) => {
          const here = state.nodes.get(at);
          // Another process went on from here meanwhile: what came is of no use to anybody.
          if (here === undefined || here.children.length > 0 || here.stopped !== undefined)
            return { answer: undefined };
          const sinceMs = env.now().getTime() - since;
          const common = { workflow, command, sent, sinceMs, key: env.keys.current().id, engine: env.version };
          return { answer: undefined, events: decideTried(state, here, { ...common, draw: env.draw() }) };
        },
        () => undefined,
      );
      if (!recorded.ok) return err(logRejection(recorded.error, log.id, 'keyed'));
    }
  } finally {
    await running.letGo(log.place, claim);
  }
}

/** False where the signal ended it. */
function pauseFor(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve(true);
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
