import { writeFilter } from '../../contract/session-search.js';
import type { EventTold } from '../../contract/event-told.js';
import type { SessionListed } from '../../contract/session-list.js';
import type { FindingTold } from '../../contract/session-story.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import type { RequestsContext } from '../shell/with-requests.js';
import { printLog, refused, tellFindings } from './print-log.js';

/** What happened in every session since a moment, the one worked on last at the end. */
export async function logOfAll(
  command: RequestsContext,
  { given, since, kinds }: { readonly given: string; readonly since: string; readonly kinds: readonly string[] },
): Promise<ExitCode> {
  const { requests, reject, environment, json, page, parsed } = command;
  const found = await requests.people.listSessions({
    query: writeFilter('since', given),
    limit: Number.MAX_SAFE_INTEGER,
    cursor: undefined,
  });
  if (!found.ok) return reject(found.error);
  let worst: ExitCode = exitCodes.done;
  for (const session of found.value.sessions.toReversed()) {
    const { sessionId } = session;
    const read = await requests.people.readEvents({ session: sessionId, since, kinds });
    if (!read.ok) return refused(command, read.error);
    const newest = json || parsed.has('whole') ? undefined : await newestOf(read.value.events);
    const events = newest?.events ?? read.value.events;
    if (!json && newest?.count !== 0) page.say(heading(session, environment.stdoutIsTerminal), page.style.bold);
    const before = newest === undefined ? 0 : newest.count - eventsShown;
    if (before > 0) {
      const named = kinds.flatMap((kind) => ['--kind', kind]);
      page.say(`… ${before} more: ${page.inline(['log', sessionId, '--since', given, ...named])}`, page.style.dim);
    }
    const code = tellFindings(command, await printLog(command, events, sessionId));
    if (code !== exitCodes.done) worst = code;
    if (!json && newest?.count !== 0) page.gap();
  }
  return worst;
}

/** By each of its names once. */
const heading = ({ sessionId, about, key }: SessionListed, forTerminal: boolean): string =>
  forTerminal
    ? [...new Set([about, key ?? about, sessionId])].join(' · ')
    : `# ${[...new Set([sessionId, about])].join(' ')}`;

const eventsShown = 20;

/** The last of them, and how many there are: one long session does not drown the others. */
async function newestOf(events: AsyncGenerator<EventTold, readonly FindingTold[], undefined>): Promise<{
  readonly events: AsyncGenerator<EventTold, readonly FindingTold[], undefined>;
  readonly count: number;
}> {
  const kept: EventTold[] = [];
  let count = 0;
  for (;;) {
    const next = await events.next();
    if (next.done === true) return { events: again(kept, next.value), count };
    count += 1;
    kept.push(next.value);
    if (kept.length > eventsShown) kept.shift();
  }
}

async function* again(
  events: readonly EventTold[],
  findings: readonly FindingTold[],
): AsyncGenerator<EventTold, readonly FindingTold[], undefined> {
  yield* events;
  return findings;
}
