import type { NodeId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { limits } from '../../base/limits.js';
import { ok, type Result } from '../../base/result.js';
import { commandStanding } from '../../sessions/command-standing.js';
import { isDoneHere } from '../../sessions/run-status.js';
import { settledBelow } from '../../sessions/settled-below.js';
import type { Environment } from '../world/environment.js';
import { pause, runCommands, type RunToDrive } from './run-commands.js';

/** Drives that found nothing to do where something seemed to be. */
const vainDrives = 20;

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
  const isToDo = (): Promise<boolean> =>
    log.read(({ state }) => {
      const from = state.nodes.get(node);
      return from !== undefined && isDoneHere(state, settledBelow(state, from));
    });
  const over = aborted(enough);
  let vain = 0;
  try {
    while (!enough.aborted && (await isToDo())) {
      const work = env.drivers.drive(`${log.place.name}\n${log.id}\n${run}`, (signals) =>
        runCommands(env, driven, signals),
      );
      const stop = watchProgress(env, driven, node);
      const done = await Promise.race([work, over]).finally(stop);
      if (done === undefined) break;
      if (!done.ok) return done;
      if (done.value === 'ended') break;
      // Another process is at it, or came between: it is looked at again soon, and done here once that lets go.
      const isStill = await isToDo();
      // What comes to nothing time and again comes to nothing.
      vain = done.value === 'settled' && isStill ? vain + 1 : 0;
      if (vain === vainDrives) break;
      if (done.value === 'elsewhere' || isStill) await pause(limits.stopLookMs, enough);
    }
    return ok(undefined);
  } finally {
    clearTimeout(late);
  }
}

/** Tells whoever waits of each change, and from time to time that it goes on. */
function watchProgress(env: Environment, { log }: RunToDrive, from: NodeId): () => void {
  const { progress } = env;
  if (progress === undefined) return () => undefined;
  let told = '';
  let at = 0;
  const look = (): Promise<void> =>
    log.read(({ state }) => {
      const root = state.nodes.get(from);
      const node = root && settledBelow(state, root);
      if (node?.pending === undefined) return;
      const { tries } = commandStanding(node);
      const message = `${node.pending.title}${tries > 0 ? `, try ${tries + 1}` : ''}`;
      at += limits.stopLookMs;
      if (message === told && at < limits.progressMs) return;
      [told, at] = [message, 0];
      progress(node.depth, message);
    });
  const looking = setInterval(() => void look().catch(() => undefined), limits.stopLookMs);
  void look().catch(() => undefined);
  return () => clearInterval(looking);
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
