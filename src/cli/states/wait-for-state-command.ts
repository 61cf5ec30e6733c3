import type { JsonValue } from '../../base/json-value.js';
import { type JsonPointer, parsePointer } from '../../base/patch/json-pointer.js';
import { plural } from '../../base/plural.js';
import { err, ok, type Result } from '../../base/result.js';
import { openPage } from '../print/page.js';
import { jsonLine } from '../print/json-line.js';
import { printable } from '../print/printable.js';
import { exitCodes } from '../shell/exit-codes.js';
import { withRequests } from '../shell/with-requests.js';
import { namedState, namedVersion } from './named-state.js';
import { printFacts } from './show-state-commands.js';

export const runStateWait = withRequests(
  'state wait',
  async ({ parsed, requests, environment, misused, reject, json }) => {
    const named = namedState(parsed.words[0]);
    if (named === undefined) return misused('which state? name its session, or its id');
    const [after, condition, seconds] = [parsed.text('since'), parsed.text('until'), parsed.text('timeout')];
    const since = after === undefined ? undefined : namedVersion(after);
    if (after !== undefined && since === undefined)
      return misused('--since is a number such as 3, or an etag such as v3-0123456789ab');
    const until = condition === undefined ? ok(undefined) : readCondition(condition);
    if (!until.ok) return misused(until.error);
    if (seconds !== undefined && !/^[1-9]\d{0,5}$/u.test(seconds))
      return misused('--timeout is a number of seconds such as 60');
    const waited = await requests.people.waitForState({
      ...named,
      since,
      until: until.value,
      ...(seconds !== undefined && { timeoutMs: Number(seconds) * 1000 }),
      signal: environment.interrupted(),
    });
    if (!waited.ok) return reject(waited.error);
    const { state, why } = waited.value;
    if (json) environment.out(jsonLine(waited.value));
    else {
      const page = openPage(environment, { to: 'err', given: parsed });
      const wanted = condition ?? 'a newer version';
      if (why === undefined)
        for (const line of JSON.stringify(state.current_data, null, 2).split('\n')) environment.out(printable(line));
      else
        page.say(
          why === 'closed'
            ? `The state is closed; ${wanted} will not come.`
            : `Waited for ${wanted}: it did not come${seconds === undefined ? '' : ` within ${plural(Number(seconds), 'second')}`}.`,
          page.style.bad,
        );
      printFacts(page, state);
    }
    return why === undefined ? exitCodes.done : exitCodes.rejected;
  },
);

/** `/status=ready`: what stands after the sign is JSON, else text. */
function readCondition(text: string): Result<{ readonly at: JsonPointer; readonly value: JsonValue }, string> {
  const sign = text.indexOf('=');
  const at = parsePointer(text.slice(0, Math.max(sign, 0)));
  if (sign < 0 || !at.ok)
    return err(`--until says where and what, such as /status=ready${at.ok ? '' : `: ${at.error.message}`}`);
  return ok({ at: at.value, value: valueIn(text.slice(sign + 1)) });
}

function valueIn(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
