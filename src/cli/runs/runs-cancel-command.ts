import { jsonLine } from '../print/json-line.js';
import { ask } from '../shell/ask.js';
import { withRequests } from '../shell/with-requests.js';
import { printStanding } from './print-run.js';

export const runRunsCancel = withRequests('runs cancel', async (command) => {
  const { parsed, misused, tell } = command;
  const [runId] = parsed.words;
  if (runId === undefined) return misused('which run? `workrail runs` lists them');
  const reason = parsed.text('reason');
  const told = await ask(command, 'cancel_run', { runId, ...(reason !== undefined && { reason }) });
  return told.ok ? tell(told.value, printStanding, undefined, jsonLine) : told.error;
});
