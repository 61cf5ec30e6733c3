import { hasStrace, traceSteps } from '../frame/traced-steps.mjs';

export const measurement = {
  name: 'step-syscalls',
  says: 'system calls of a step of a bundled workflow, through MCP',
  rounds: 1,
  async run({ figure, lacks }) {
    if (!hasStrace()) return lacks('strace is not here; with it system calls are counted');
    const { acked, steps, replays } = await traceSteps();
    figure('steps watched', acked, '');
    figure('writes into the log a step', steps.writes / acked, '');
    figure('syncs a step', steps.syncs / acked, '');
    figure('files or folders made, renamed or removed in the session', steps.made.length, '');
    figure('writes and syncs of a replay', (replays.writes + replays.syncs) / replays.asked, '');
    return undefined;
  },
};
