import { err, ok, type Result } from '../../base/result.js';
import { isByTime, isByTook, parseSearch, type SearchKey, writeFilter } from '../../contract/session-search.js';
import type { SessionList } from '../../contract/session-list.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';
import { printSessions } from '../print/print-sessions.js';
import { printable } from '../print/printable.js';

const usualLimit = 20;

export const runSessions = withRequests('sessions', async (command) => {
  const { requests, parsed, environment, reject, misused, tell } = command;
  const query = queryOf(parsed);
  const search = parseSearch(query);
  const [wrong] = search.terms.flatMap((term) => (term.kind === 'wrong' ? [term.says] : []));
  if (wrong !== undefined) return misused(wrong);
  const limit = parsed.has('all') ? ok(Number.MAX_SAFE_INTEGER) : readLimit(parsed.text('limit'));
  if (!limit.ok) return misused(limit.error);
  const found = await requests.people.listSessions({ query, limit: limit.value, cursor: parsed.text('cursor') });
  if (!found.ok) return reject(found.error);
  const print = (page: RequestsContext['page'], list: SessionList): void => {
    const byTook = isByTook(search);
    printSessions(list, environment, page, { byDay: isByTime(search), byTook });
    printNotes(command, list, query, byTook);
  };
  return tell(found.value, print, undefined, jsonLine);
});

/** What each option says in a search. */
const filters: readonly (readonly [option: string, key: SearchKey])[] = [
  ['status', 'is'],
  ['workflow', 'workflow'],
  ['branch', 'branch'],
  ['label', 'label'],
  ['since', 'since'],
  ['before', 'before'],
  ['sort', 'sort'],
];

/** The words and options as one search, as the page has it. */
const queryOf = (parsed: RequestsContext['parsed']): string =>
  [
    ...parsed.words,
    ...filters.flatMap(([option, key]) => parsed.list(option).map((value) => writeFilter(key, value))),
  ].join(' ');

const givenAgain = (parsed: RequestsContext['parsed']): readonly string[] => [
  ...parsed.words,
  ...filters.flatMap(([option]) => parsed.list(option).flatMap((value) => [`--${option}`, value])),
];

function readLimit(text = String(usualLimit)): Result<number, string> {
  return /^[1-9]\d{0,8}$/u.test(text)
    ? ok(Number(text))
    : err(`--limit takes a number from 1 on, not ${JSON.stringify(text)}`);
}

/** What is said beside the list, and is none of its lines. */
function printNotes({ environment, parsed }: RequestsContext, list: SessionList, query: string, byTook: boolean): void {
  const notes = openPage(environment, { to: environment.stdoutIsTerminal ? 'out' : 'err', given: parsed });
  if (list.here === 0) {
    notes.say('No sessions yet. Ask a connected agent to start one, or run');
    notes.command('  ', ['start', '<workflow>']);
    notes.say('List workflows:');
    notes.command('  ', ['list']);
  } else if (list.found === 0 && query !== '') {
    notes.say(`No session matches “${printable(query)}”. To see all ${list.here}:`);
    notes.command('  ', ['sessions', '--all']);
  } else if (list.nextCursor !== undefined) {
    notes.gap();
    notes.command(`${list.found - list.sessions.length} more: `, ['sessions', ...givenAgain(parsed), '--all']);
  }
  const step = stepToRead(list, byTook);
  if (environment.stdoutIsTerminal && step !== undefined) {
    notes.gap();
    notes.command('Read a step: ', ['show', ...step]);
  }
  for (const told of list.told ?? []) notes.say(`Note: ${printable(told)}`);
}

/** The first step that the list names. */
function stepToRead({ sessions }: SessionList, byTook: boolean): readonly string[] | undefined {
  for (const { sessionId, longest, hits = [] } of sessions) {
    const nodeId = byTook ? longest?.nodeId : hits.find((hit) => hit.nodeId !== undefined)?.nodeId;
    if (nodeId !== undefined) return [sessionId, '--node', nodeId];
  }
  return undefined;
}
