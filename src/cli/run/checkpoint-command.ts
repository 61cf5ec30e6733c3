import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import { ask } from '../shell/ask.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { givenOutput } from '../shell/given-output.js';
import { givenValues } from '../shell/given-values.js';
import { tellKept } from '../../render/answers/tell-checkpoint.js';
import { printTelling } from '../print/print-telling.js';

export const runCheckpoint = withRequests('checkpoint', async (command) => {
  const { parsed, misused, environment, tell } = command;
  const output = await givenOutput(parsed, givenValues(environment));
  if (!output.ok) return misused(output.error);
  if (output.value === undefined) return misused('nothing to save: pass --notes, --artifact or --gap');
  const target = await targetOf(command);
  if (!target.ok) return command.reject(target.error);
  const kept = await ask(command, 'checkpoint_workflow', { ...target.value, output: output.value });
  return kept.ok ? tell(kept.value, (page) => printTelling(page, [tellKept(kept.value, 'person')])) : kept.error;
});

/** The token that was given, else one of the session that is meant. */
async function targetOf({ parsed, requests }: RequestsContext): Promise<Result<JsonObject, Rejection>> {
  const [token] = parsed.words;
  if (token !== undefined) return ok(token.startsWith('ss.') ? { sessionToken: token } : { stateToken: token });
  const tip = await requests.people.findTip({ session: parsed.text('session') });
  if (!tip.ok) return tip;
  return ok(
    tip.value.stateToken === undefined
      ? { sessionToken: tip.value.sessionToken }
      : { stateToken: tip.value.stateToken },
  );
}
