import { limits } from '../../base/limits.js';
import { pause } from '../commands/run-commands.js';
import type { Environment } from '../world/environment.js';
import type { FoundRun } from './find-run.js';

/** Waits a while until nobody does steps of a run, and says whether that is so. Once a run was stopped, nobody begins again. */
export async function untilLetGo(env: Environment, { log, run }: FoundRun, patienceMs: number): Promise<boolean> {
  const { ended } = env.drivers;
  const began = performance.now();
  for (;;) {
    if (env.store.running.holder(log.place, run) === undefined) return true;
    if (ended.aborted || performance.now() - began >= patienceMs) return false;
    await pause(limits.letGoLookMs, ended);
  }
}
