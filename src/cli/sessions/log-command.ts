import ndjson from 'ndjson';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Rejection } from '../../base/rejection.js';
import { writeFilter } from '../../contract/session-search.js';
import type { EventTold } from '../../contract/event-told.js';
import type { FindingTold } from '../../contract/session-story.js';
import { readMoment } from '../../requests/world/read-moment.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { openPage } from '../print/page.js';
import { eventPrinter } from '../print/print-events.js';
import { harmlessJson } from '../print/json-line.js';
import { findingText, isReadOnly } from '../print/print-findings.js';
import { writeLines } from '../print/write-lines.js';

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
  if (!parsed.has('follow')) {
    const read = await requests.people.readEvents({ session, since, kinds });
    if (!read.ok) return refused(command, read.error);
    const findings = await print(command, read.value.events);
    return tellFindings(command, findings);
  }
  const stop = new AbortController();
  environment.interrupted().addEventListener('abort', () => stop.abort(), { once: true });
  const followed = await requests.people.followEvents({ session, since, kinds, from: 'start', signal: stop.signal });
  if (!followed.ok) return refused(command, followed.error);
  await print(command, following(command, followed.value.batches));
  stop.abort();
  return exitCodes.done;
});

/** What happened in every session since a moment, the one worked on last at the end. */
async function logOfAll(
  command: RequestsContext,
  { given, since, kinds }: { readonly given: string; readonly since: string; readonly kinds: readonly string[] },
): Promise<ExitCode> {
  const { requests, reject, environment, json, page } = command;
  const found = await requests.people.listSessions({
    query: writeFilter('since', given),
    limit: Number.MAX_SAFE_INTEGER,
    cursor: undefined,
  });
  if (!found.ok) return reject(found.error);
  let worst: ExitCode = exitCodes.done;
  for (const { sessionId, about, key } of found.value.sessions.toReversed()) {
    const read = await requests.people.readEvents({ session: sessionId, since, kinds });
    if (!read.ok) return refused(command, read.error);
    if (!json && environment.stdoutIsTerminal) {
      page.say([about, ...(key === undefined || key === about ? [] : [key]), sessionId].join(' · '), page.style.bold);
    } else if (!json) page.say(`# ${sessionId} ${about}`);
    const code = tellFindings(command, await print(command, read.value.events, sessionId));
    if (code !== exitCodes.done) worst = code;
    if (!json) page.gap();
  }
  return worst;
}

/** A kind that there is not is a mistake in the command line. */
const refused = ({ reject, misused, page }: RequestsContext, rejection: Rejection): ExitCode =>
  rejection.code === 'VALIDATION_ERROR'
    ? misused(`${rejection.message}${rejection.message.endsWith('?') ? ' Or' : ';'} ${page.words(rejection.action)}`)
    : reject(rejection);

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

/** Prints as fast as the reader takes it, until the events end or the reader leaves. */
async function print(
  { environment, json }: RequestsContext,
  events: AsyncGenerator<EventTold, readonly FindingTold[], undefined>,
  /** Said with each event, where those of several are printed. */
  sessionId?: string,
): Promise<readonly FindingTold[]> {
  const writer = writeLines(environment.stdout);
  let findings: readonly FindingTold[] = [];
  const until = async function* (): AsyncGenerator<EventTold, void, undefined> {
    for (let next = await events.next(); ; next = await events.next()) {
      if (next.done !== true) yield next.value;
      else {
        findings = next.value;
        return;
      }
    }
  };
  if (json) {
    let left = false;
    await pipeline(
      Readable.from(sessionId === undefined ? until() : named(until(), sessionId), {
        objectMode: true,
        highWaterMark: 1,
      }),
      ndjson.stringify(),
      async (lines: AsyncIterable<Buffer | string>) => {
        for await (const text of lines) {
          left = !(await writer.write(harmlessJson(String(text))));
          if (left) return;
        }
      },
    ).catch((cause: unknown) => {
      // Whoever reads has gone, and the events that nobody wants were not read to their end.
      if (!left) throw cause;
    });
    return findings;
  }
  const line = eventPrinter(environment);
  for await (const event of until()) if (!(await writer.write(line(event)))) return findings;
  return findings;
}

async function* named(
  events: AsyncGenerator<EventTold, void, undefined>,
  sessionId: string,
): AsyncGenerator<EventTold & { readonly sessionId: string }, void, undefined> {
  for await (const event of events) yield { sessionId, ...event };
}

function tellFindings({ environment, parsed }: RequestsContext, findings: readonly FindingTold[]): ExitCode {
  const page = openPage(environment, { to: 'err', given: parsed });
  for (const finding of findings) page.say(`workrail log: ${findingText(finding)}`);
  if (!isReadOnly(findings)) return exitCodes.done;
  page.command('Next: ', ['doctor']);
  return exitCodes.damage;
}
