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

export const runStateLog = withRequests(
  'state log',
  async ({ parsed, requests, environment, misused, reject, tell }) => {
    const named = namedState(parsed.words[0]);
    if (named === undefined) return misused('which state? name its session, or its id');
    const before = parsed.text('before');
    if (before !== undefined && !/^[1-9]\d{0,8}$/u.test(before)) return misused('--before is a number such as 100');
    const listed = await requests.people.listVersions({
      ...named,
      before: before === undefined ? undefined : Number(before),
    });
    if (!listed.ok) return reject(listed.error);
    return tell(listed.value, (page, { versions, next }) => {
      for (const { etag, at, made, bytes, agent, door, step, run, conflict } of versions) {
        const who = agent ?? door ?? '';
        const from = step === undefined ? '' : `step ${step} of ${run ?? ''}`;
        const what = [
          at,
          made,
          plural(bytes, 'byte'),
          who,
          from,
          conflict === true ? 'could not be merged' : '',
        ].filter((part) => part !== '');
        if (environment.stdoutIsTerminal) page.item(`${etag}  `, what.join(' · '), page.style.bold);
        else environment.out([etag, ...what].map((field) => printable(field)).join('\t'));
      }
      if (next !== undefined && environment.stdoutIsTerminal)
        page.command('Earlier ones: ', ['state', 'log', parsed.words[0] ?? '', '--before', String(next)]);
    });
  },
);

export const runStateDiff = withRequests(
  'state diff',
  async ({ parsed, requests, environment, misused, reject, json }) => {
    const [word, first, second] = parsed.words;
    const named = namedState(word);
    const a = first === undefined ? undefined : namedVersion(first);
    const b = second === undefined ? undefined : namedVersion(second);
    if (named === undefined || a === undefined || (second !== undefined && b === undefined))
      return misused('say the session and a version or two: numbers such as 3, or etags such as v3-0123456789ab');
    const compared = await requests.people.compareVersions({ ...named, a, b });
    if (!compared.ok) return reject(compared.error);
    if (json) environment.out(JSON.stringify(compared.value));
    else
      for (const line of JSON.stringify(compared.value.operations, null, 2).split('\n'))
        environment.out(printable(line));
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
