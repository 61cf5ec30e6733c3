import { withRequests } from '../shell/with-requests.js';
import { exitCodes } from '../shell/exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';
import { printSessions } from '../print/print-sessions.js';
import { printable } from '../print/printable.js';
import { readCount } from '../shell/read-count.js';

const usualLimit = 20;

export const runSessions = withRequests(
  'sessions',
  async ({ requests, parsed, environment, json, reject, misused }) => {
    const query = parsed.words.join(' ');
    const limit = parsed.has('all')
      ? { ok: true as const, value: Number.MAX_SAFE_INTEGER }
      : readCount(parsed.text('limit'), usualLimit, '--limit');
    if (!limit.ok) return misused(limit.error);
    const found = await requests.people.listSessions({ query, limit: limit.value, cursor: parsed.text('cursor') });
    if (!found.ok) return reject(found.error);
    const list = found.value;
    if (json) {
      environment.out(jsonLine(list));
      return exitCodes.done;
    }
    const page = openPage(environment, { given: parsed });
    printSessions(list, environment, page);
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
    return exitCodes.done;
  },
);
