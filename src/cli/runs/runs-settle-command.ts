import { settlements } from '../../base/closed-sets.js';
import { ask } from '../shell/ask.js';
import { givenValues } from '../shell/given-values.js';
import { linesOf } from '../shell/lines-of.js';
import { withRequests } from '../shell/with-requests.js';
import { followRun } from './follow-run.js';

export const runRunsSettle = withRequests('runs settle', async (command) => {
  const { parsed, misused, environment } = command;
  const [runId, call, choice] = parsed.words;
  const reason = parsed.text('reason');
  const known = settlements.find((one) => one === choice);
  if (runId === undefined || call === undefined)
    return misused('which request? `workrail runs show <run>` names the call that waits');
  if (known === undefined) return misused(`what became of it? one of ${settlements.join(', ')}`);
  if (reason === undefined) return misused('how do you know? say it with --reason');
  const written = parsed.text('result');
  if (written !== undefined && known !== 'done') return misused('--result needs done');
  const result = written === undefined ? undefined : await givenValues(environment).json('--result', written);
  if (result?.ok === false) return misused(result.error);
  const since = environment.now();
  const told = await ask(command, 'settle_command', {
    runId,
    call,
    choice: known,
    reason,
    ...(result !== undefined && { result: result.value }),
  });
  if (!told.ok) return told.error;
  const lines = linesOf(environment);
  try {
    return await followRun(command, told.value, { lines, since });
  } finally {
    lines.close();
  }
});
