import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { RunAnswer } from '../../contract/run-answers.js';
import { openPage } from '../print/page.js';
import { givenInputs } from '../run/given-inputs.js';
import { askInputs } from '../run/pick-inputs.js';
import { tryToAsk } from '../shell/ask.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { givenValues } from '../shell/given-values.js';
import { type Lines, linesOf } from '../shell/lines-of.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { asksPerson, followRun } from './follow-run.js';
import { printPlan } from './print-plan.js';

export const runRun = withRequests('run', async (command) => {
  const lines = linesOf(command.environment);
  try {
    const request = await requestOf(command, lines);
    if (!request.ok) return request.error;
    const since = command.environment.now();
    const begun = await begin(command, request.value, lines);
    return begun.ok
      ? await followRun(command, begun.value, {
          lines,
          since,
          takeOver: command.parsed.has('take-over'),
          request: request.value,
        })
      : begun.error;
  } finally {
    lines.close();
  }
});

const ofNewRuns = ['input', 'confirm', 'mode', 'session', 'repairs', 'fresh'] as const;

async function requestOf(command: RequestsContext, lines: Lines): Promise<Result<JsonObject, ExitCode>> {
  const { parsed, misused, environment } = command;
  const [workflowId] = parsed.words;
  const resumed = parsed.text('resume');
  if (resumed !== undefined) {
    const given = ofNewRuns.filter((name) => parsed.has(name)).map((name) => `--${name}`);
    const extra = workflowId === undefined ? given : [workflowId, ...given];
    if (extra.length > 0) return err(misused(`--resume continues a run as it began; leave out ${extra.join(', ')}`));
    return ok({ runId: resumed, ...(parsed.has('take-over') && { takeOver: true }) });
  }
  if (parsed.has('take-over')) return err(misused('--take-over needs --resume <run>'));
  if (workflowId === undefined)
    return err(misused('which workflow? `workrail list` shows them; to continue a run, pass --resume <run>'));
  const preferences = askedPreferences(parsed);
  if (!preferences.ok) return err(misused(preferences.error));
  const inputs = await givenInputs(command, workflowId, givenValues(environment));
  if (!inputs.ok) return inputs;
  const asked = asksPerson(command) ? await askInputs(command, workflowId, inputs.value, lines) : inputs.value;
  const texts = (['confirm', 'session', 'repairs'] as const).flatMap((name) => {
    const text = parsed.text(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return ok({
    workflowId,
    ...(Object.keys(asked).length > 0 && { inputs: asked }),
    ...Object.fromEntries(texts),
    ...preferences.value,
    ...(parsed.has('fresh') && { fresh: true }),
  });
}

/** Starts it; what changes something outside once the user has agreed to its plan. */
async function begin(
  command: RequestsContext,
  request: JsonObject,
  lines: Lines,
): Promise<Result<RunAnswer, ExitCode>> {
  const { parsed, environment, json, reject } = command;
  const begun = await tryToAsk(command, 'run_workflow', request);
  if (begun.ok) return begun;
  const plan = begun.error.code === 'CONFIRMATION_REQUIRED' ? begun.error.context?.['plan'] : undefined;
  if (typeof plan !== 'string') return err(reject(begun.error));
  const confirmed = { ...request, confirm: plan };
  const refused: Rejection = {
    ...begun.error,
    action: 'if you agree to what it sends, run:',
    nextCall: { tool: 'run_workflow', arguments: confirmed },
  };
  if (json) return err(reject(refused));
  const page = openPage(environment, { to: 'err', given: parsed });
  await printPlan(command, page, request, plan);
  if (!asksPerson(command)) {
    const message = request['confirm'] === undefined ? 'this changes something outside; nothing was sent' : undefined;
    return err(reject({ ...refused, ...(message !== undefined && { message }) }));
  }
  if (request['confirm'] !== undefined) page.say(`${begun.error.message}.`, page.style.bad);
  if (!/^y(?:es)?$/iu.test(await lines.ask('Send it? [y/N] '))) {
    page.say('Nothing was sent.');
    return err(exitCodes.rejected);
  }
  const agreed = await tryToAsk(command, 'run_workflow', confirmed);
  return agreed.ok ? agreed : err(reject(agreed.error));
}
