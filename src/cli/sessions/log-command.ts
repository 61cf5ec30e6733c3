import type { EventTold } from '../../contract/event-told.js';
import type { FindingTold } from '../../contract/session-story.js';
import { readMoment } from '../../requests/world/read-moment.js';
import { exitCodes } from '../shell/exit-codes.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { logOfAll } from './log-of-all.js';
import { printLog, refused, tellFindings } from './print-log.js';

export const runLog = withRequests('log', async (command) => {
  const { requests, parsed, environment, misused } = command;
  const [session] = parsed.words;
  const given = parsed.text('since');
  const since = given === undefined ? undefined : readMoment(given, environment.now());
  if (given !== undefined && since === undefined)
    return misused(
      `--since takes a span such as 2h or 3d, or a moment such as 2026-01-31 or 2026-01-31T12:00, not ${JSON.stringify(given)}`,
    );
  const kinds = parsed.list('kind');
  if (parsed.has('all')) {
    if (given === undefined || since === undefined) return misused('--all needs --since, such as --since 2h');
    if (session !== undefined || parsed.has('follow'))
      return misused('--all is of every session: leave out the session and --follow');
    return logOfAll(command, { given, since, kinds });
  }
  if (parsed.has('whole')) return misused('--whole needs --all: the log of one session is always whole');
  if (!parsed.has('follow')) {
    const read = await requests.people.readEvents({ session, since, kinds });
    if (!read.ok) return refused(command, read.error);
    const findings = await printLog(command, read.value.events);
    return tellFindings(command, findings);
  }
  const stop = new AbortController();
  environment.interrupted().addEventListener('abort', () => stop.abort(), { once: true });
  const followed = await requests.people.followEvents({ session, since, kinds, from: 'start', signal: stop.signal });
  if (!followed.ok) return refused(command, followed.error);
  await printLog(command, following(command, followed.value.batches));
  stop.abort();
  return exitCodes.done;
});

async function* following(
  command: RequestsContext,
  batches: AsyncIterable<{
    readonly events: readonly EventTold[];
    readonly findings: readonly FindingTold[];
    readonly gone: boolean;
  }>,
): AsyncGenerator<EventTold, readonly FindingTold[], undefined> {
  for await (const { events, findings, gone } of batches) {
    yield* events;
    tellFindings(command, findings);
    if (gone)
      command.environment.err(
        'workrail log: the session has disappeared (moved, pruned, or removed by a checkout); waiting for it to come back. Press Ctrl-C to stop.',
      );
  }
  return [];
}
