import { plural } from '../../base/plural.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import { openPage, type Page } from '../print/page.js';
import { printable } from '../print/printable.js';
import { exitCodes } from '../shell/exit-codes.js';
import { withRequests } from '../shell/with-requests.js';
import { namedState, namedVersion } from './named-state.js';

export const runStateShow = withRequests(
  'state show',
  async ({ parsed, requests, environment, misused, reject, json }) => {
    const named = namedState(parsed.words[0]);
    if (named === undefined) return misused('which state? name its session, or its id');
    const at = parsed.text('at');
    const version = at === undefined ? undefined : namedVersion(at);
    if (at !== undefined && version === undefined)
      return misused('--at is a number such as 3, or an etag such as v3-0123456789ab');
    const read = await requests.people.readState({ ...named, path: parsed.text('path'), version });
    if (!read.ok) return reject(read.error);
    if (json) environment.out(JSON.stringify(read.value));
    else {
      for (const line of JSON.stringify(read.value.current_data, null, 2).split('\n')) environment.out(printable(line));
      printFacts(openPage(environment, { to: 'err', given: parsed }), read.value);
    }
    return exitCodes.done;
  },
);

/** What a state is, beside its document. */
export function printFacts(page: Page, state: StateAnswer): void {
  const { state_id: id, schema_name: name, schema_version: number, version, etag, status, conflicts, warnings } = state;
  page.say(
    `${id} (${name} ${number}) of session ${state.root_session_name}: version ${version}, ${etag}${status === 'closed' ? ', closed' : ''}`,
  );
  if (conflicts.length > 0)
    page.say(`${plural(conflicts.length, 'change')} could not be merged: ${conflicts.join(', ')}`, page.style.bad);
  for (const warning of warnings) page.say(warning, page.style.bad);
}
