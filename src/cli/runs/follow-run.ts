import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import type { RunAnswer } from '../../contract/run-answers.js';
import { harmlessJson, jsonLine } from '../print/json-line.js';
import { openPage, type Page } from '../print/page.js';
import { printCall } from '../print/print-telling.js';
import { ago } from '../print/time-words.js';
import { atTerminal } from '../run/say-answer.js';
import { ask } from '../shell/ask.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import type { Lines } from '../shell/lines-of.js';
import type { RequestsContext } from '../shell/with-requests.js';
import { askUser } from './ask-user.js';
import { printStanding } from './print-run.js';
import { openRunBoard, type RunBoard } from './run-board.js';

export interface Following {
  readonly lines: Lines;
  /** When the command began: what is older was not done by it. */
  readonly since: Date;
  readonly takeOver?: boolean;
  /** What started it. */
  readonly request?: JsonObject;
}

/** Somebody is there who can be asked: what is printed for scripts asks nothing. */
export const asksPerson = ({ environment, json }: RequestsContext): boolean => !json && atTerminal(environment);

/** Follows a run until it is over, or somebody else is next; this process does its steps meanwhile. */
export async function followRun(
  command: RequestsContext,
  begun: RunAnswer,
  { lines, since, takeOver = false, request }: Following,
): Promise<ExitCode> {
  const { environment, parsed, json } = command;
  const isQuiet = json && !environment.stderrIsTerminal;
  const page = openPage(isQuiet ? { ...environment, err: () => undefined } : environment, { to: 'err', given: parsed });
  const board = openRunBoard(isQuiet ? { ...environment, progress: () => undefined } : environment, page);
  const stop = environment.interrupted();
  stop.addEventListener('abort', () => lines.close(), { once: true });
  const isOlder = isOver(begun) && Date.parse(begun.lastAt) < since.getTime();
  try {
    const resume = { runId: begun.run_id, ...(takeOver && { takeOver }) };
    const last = await untilQuiet({ command, page, board, lines, stop }, begun, resume);
    if (!last.ok) return last.error;
    if (isOlder && request?.['workflowId'] !== undefined) printEarlier(command, page, begun, request);
    return endWith(command, page, last.value);
  } finally {
    board.rest();
  }
}

interface Watch {
  readonly command: RequestsContext;
  readonly page: Page;
  readonly board: RunBoard;
  readonly lines: Lines;
  readonly stop: AbortSignal;
}

const isOver = ({ state }: RunAnswer): boolean => state !== 'pending' && state !== 'running';

async function untilQuiet(
  watch: Watch,
  begun: RunAnswer,
  resume: { readonly runId: string; readonly takeOver?: boolean },
): Promise<Result<RunAnswer, ExitCode>> {
  const { command, page, board, lines, stop } = watch;
  let taken = 0;
  for (let told = begun; ;) {
    board.show(told);
    if (isOver(told) || told.waitingFor === 'agent') return ok(told);
    if (stop.aborted) return interrupted(watch, told);
    if (told.waitingFor === 'user') {
      if (!asksPerson(command) || !(await askUser({ command, page, told, lines }))) {
        if (stop.aborted) page.gap();
        return ok(told);
      }
    } else if (told.waitingFor !== 'driver') {
      const asked = { runId: told.run_id, waitMs: limits.runWaitMs };
      const next = await Promise.race([ask(command, 'get_run', asked), aborted(stop)]);
      if (next === undefined) continue;
      if (!next.ok) return next;
      told = next.value;
      continue;
    } else if ((taken += 1) > mostTaken) return ok(told);
    const next = await ask(command, 'run_workflow', resume);
    if (!next.ok) return next;
    told = next.value;
  }
}

/** Somebody who lets a run be each time it is taken up has a reason that the log of the program tells. */
const mostTaken = 5;

async function interrupted({ command, page, board }: Watch, told: RunAnswer): Promise<Result<RunAnswer, ExitCode>> {
  board.rest();
  page.say('Stopping. A request that changes something is waited for; to quit at once, press Ctrl-C again.');
  await command.requests.endRuns();
  const last = await ask(command, 'get_run', { runId: told.run_id });
  if (last.ok) board.show(last.value);
  return last.ok ? ok(last.value) : err(last.error);
}

/** The same plan is run once: whoever sends it again hears of the run that there was. */
function printEarlier(
  { environment }: RequestsContext,
  page: Page,
  { lastAt, run_id: run }: RunAnswer,
  request: JsonObject,
): void {
  page.gap();
  page.say(`The same plan ran before, ${ago(lastAt, environment.now())} (${run}). Nothing was sent now.`);
  printCall(page, 'Run it once more: ', { tool: 'run_workflow', arguments: { ...request, fresh: true } });
}

function endWith({ json, environment }: RequestsContext, page: Page, told: RunAnswer): ExitCode {
  const { state, returned } = told;
  page.gap();
  printStanding(page, told);
  if (json) environment.out(jsonLine(told));
  else if (returned !== undefined) environment.out(harmlessJson(JSON.stringify(returned, undefined, 2)));
  return state === 'succeeded' ? exitCodes.done : exitCodes.rejected;
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
