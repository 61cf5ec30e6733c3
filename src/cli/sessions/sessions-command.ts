import { err, ok, type Result } from '../../base/result.js';
import type { SessionList } from '../../contract/session-list.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';
import { printSessions } from '../print/print-sessions.js';
import { printable } from '../print/printable.js';

const usualLimit = 20;

export const runSessions = withRequests('sessions', async (command) => {
  const { requests, parsed, environment, reject, misused, tell } = command;
  const query = parsed.words.join(' ');
  const limit = parsed.has('all') ? ok(Number.MAX_SAFE_INTEGER) : readLimit(parsed.text('limit'));
  if (!limit.ok) return misused(limit.error);
  const found = await requests.people.listSessions({ query, limit: limit.value, cursor: parsed.text('cursor') });
  if (!found.ok) return reject(found.error);
  const print = (page: RequestsContext['page'], list: SessionList): void => {
    printSessions(list, environment, page);
    printNotes(command, list, query);
  };
  return tell(found.value, print, undefined, jsonLine);
});

function readLimit(text = String(usualLimit)): Result<number, string> {
  return /^[1-9]\d{0,8}$/u.test(text)
    ? ok(Number(text))
    : err(`--limit takes a number from 1 on, not ${JSON.stringify(text)}`);
}

/** What is said beside the list, and is none of its lines. */
function printNotes({ environment, parsed }: RequestsContext, list: SessionList, query: string): void {
  const notes = openPage(environment, { to: environment.stdoutIsTerminal ? 'out' : 'err', given: parsed });
  if (list.here === 0) {
    notes.say('There are no sessions here yet. An agent that is connected begins one; so does');
    notes.command('  ', ['start', '<workflow>']);
    notes.say('Which workflows there are:');
    notes.command('  ', ['list']);
  } else if (list.found === 0 && query !== '') {
    notes.say(`None of the ${list.here} sessions here holds “${printable(query)}”. All of them:`);
    notes.command('  ', ['sessions', '--all']);
  } else if (list.nextCursor !== undefined) {
    notes.gap();
    notes.command(`${list.found - list.sessions.length} more: `, ['sessions', ...parsed.words, '--all']);
  }
}
