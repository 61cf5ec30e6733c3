import type { NodeId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { limits } from '../../base/limits.js';
import { ok, type Result } from '../../base/result.js';
import { isDoneHere } from '../../sessions/run-status.js';
import { settledBelow } from '../../sessions/settled-below.js';
import type { Environment } from '../world/environment.js';
import { pause, runCommands, type RunToDrive } from './run-commands.js';

/** Has the steps done that WorkRail does itself below a node, and waits a while for that. Whatever is not done by then goes on. */
export async function settleRun(
  env: Environment,
  driven: RunToDrive,
  node: NodeId,
  { patienceMs = limits.runPatienceMs, signal }: { readonly patienceMs?: number; readonly signal?: AbortSignal } = {},
): Promise<Result<void, Rejection>> {
  const { log, run } = driven;
  const limit = new AbortController();
  const late = setTimeout(() => limit.abort(), patienceMs);
  const enough = AbortSignal.any([limit.signal, env.drivers.ended, ...(signal === undefined ? [] : [signal])]);
  try {
    while (!enough.aborted) {
      const isToDo = await log.read(({ state }) => {
        const from = state.nodes.get(node);
        return from !== undefined && isDoneHere(state, settledBelow(state, from));
      });
      if (!isToDo) break;
      const work = env.drivers.drive(`${log.place.name}\n${log.id}\n${run}`, (signals) =>
        runCommands(env, driven, signals),
      );
      const done = await Promise.race([work, aborted(enough)]);
      if (done === undefined) break;
      if (!done.ok) return done;
      // Another process is at it: it is looked at again soon, and done here once that lets go.
      if (done.value === 'elsewhere') await pause(limits.stopLookMs, enough);
    }
    return ok(undefined);
  } finally {
    clearTimeout(late);
  }
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
