import type { JsonObject } from '../base/json-value.js';
import type { Rejection } from '../base/rejection.js';
import { ok, type Result } from '../base/result.js';
import { ask } from './ask.js';
import { type AtDesk, atDesk } from './at-desk.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { givenOutput } from './given-output.js';
import { givenValues } from './given-values.js';
import { inOwnWords } from './own-words.js';
import { givenAgain, openPage } from './page.js';
import { printCall } from './print-call.js';

export const runCheckpoint = atDesk('checkpoint', checkpoint);

async function checkpoint(desk: AtDesk): Promise<ExitCode> {
  const { parsed, misused, surroundings, json } = desk;
  const output = await givenOutput(parsed, givenValues(surroundings));
  if (!output.ok) return misused(output.error);
  if (output.value === undefined) return misused('nothing to keep: give --notes, --artifact or --gap');
  const target = await targetOf(desk);
  if (!target.ok) return desk.reject(target.error);
  const kept = await ask(desk, 'checkpoint_workflow', { ...target.value, output: output.value });
  if (!kept.ok) return kept.error;
  const { recorded, gaps, warnings, session, nextCall } = kept.value;
  if (json) surroundings.out(JSON.stringify(kept.value));
  else {
    const page = openPage(surroundings, { again: givenAgain(parsed) });
    const what = [
      ...(recorded.notes === undefined ? [] : [`notes “${recorded.notes}”`]),
      ...(recorded.artifacts > 0 ? [`${recorded.artifacts} artifact${recorded.artifacts === 1 ? '' : 's'}`] : []),
      ...gaps.map(({ id, resolves }) => (resolves === undefined ? `gap ${id}` : `${resolves} settled`)),
    ];
    page.say(
      `Kept at ${recorded.at}, in session ${session.sessionId}: ${what.join(', ')}. Nothing was advanced.`,
      page.style.good,
    );
    for (const { message } of warnings) page.say(`Warning: ${inOwnWords(message)}.`, page.style.bad);
    printCall(page, 'The step there is still to do: ', nextCall);
  }
  return exitCodes.done;
}

/** The token that was given, else one of the session that is meant. */
async function targetOf({ parsed, requests }: AtDesk): Promise<Result<JsonObject, Rejection>> {
  const [token] = parsed.words;
  if (token !== undefined) return ok(token.startsWith('ss.') ? { sessionToken: token } : { stateToken: token });
  const tip = await requests.desk.findTip({ session: parsed.text('session') });
  if (!tip.ok) return tip;
  return ok(
    tip.value.stateToken === undefined
      ? { sessionToken: tip.value.sessionToken }
      : { stateToken: tip.value.stateToken },
  );
}
