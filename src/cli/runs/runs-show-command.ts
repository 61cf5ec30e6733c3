import type { RunAnswer } from '../../contract/run-answers.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { jsonLine } from '../print/json-line.js';
import type { Page } from '../print/page.js';
import { ago, localTime } from '../print/time-words.js';
import { ask } from '../shell/ask.js';
import { withRequests } from '../shell/with-requests.js';
import { printStanding, stateWords } from './print-run.js';
import { printStep } from './print-steps.js';

export const runRunsShow = withRequests('runs show', async (command) => {
  const { parsed, misused, tell, environment } = command;
  const [runId] = parsed.words;
  if (runId === undefined) return misused('which run? `workrail runs` lists them');
  const told = await ask(command, 'get_run', { runId });
  return told.ok ? tell(told.value, (page, run) => printRun(page, run, environment), undefined, jsonLine) : told.error;
});

function printRun(page: Page, told: RunAnswer, { now, env }: CliEnvironment): void {
  const {
    run_id: run,
    workflow_id: workflow,
    session_id: session,
    startedAt,
    lastAt,
    done,
    doneOmitted,
    returned,
  } = told;
  page.item(`${run}  `, `${workflow}  ·  ${stateWords(told)}`, page.style.bold);
  page.item('  session  ', session);
  page.item('  started  ', `${localTime(startedAt, env['TZ'])}, last active ${ago(lastAt, now())}`);
  page.gap();
  if (doneOmitted !== undefined) page.say(`  … ${doneOmitted} more`, page.style.dim);
  for (const step of done) printStep(page, step);
  page.gap();
  printStanding(page, told);
  if (returned !== undefined) page.item('Returned: ', JSON.stringify(returned, undefined, 2));
}
