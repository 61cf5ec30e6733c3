import ndjson from 'ndjson';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Rejection } from '../../base/rejection.js';
import type { EventTold } from '../../contract/event-told.js';
import type { FindingTold } from '../../contract/session-story.js';
import { harmlessJson } from '../print/json-line.js';
import { openPage } from '../print/page.js';
import { eventPrinter } from '../print/print-events.js';
import { findingText, isReadOnly } from '../print/print-findings.js';
import { writeLines } from '../print/write-lines.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import type { RequestsContext } from '../shell/with-requests.js';

/** Prints as fast as the reader takes it, until the events end or the reader leaves. */
export async function printLog(
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

export function tellFindings({ environment, parsed }: RequestsContext, findings: readonly FindingTold[]): ExitCode {
  const page = openPage(environment, { to: 'err', given: parsed });
  for (const finding of findings) page.say(`workrail log: ${findingText(finding)}`);
  if (!isReadOnly(findings)) return exitCodes.done;
  page.command('Next: ', ['doctor']);
  return exitCodes.damage;
}

/** A kind that there is not is a mistake in the command line. */
export const refused = ({ reject, misused, page }: RequestsContext, rejection: Rejection): ExitCode =>
  rejection.code === 'VALIDATION_ERROR'
    ? misused(`${rejection.message}${rejection.message.endsWith('?') ? ' Or' : ';'} ${page.words(rejection.action)}`)
    : reject(rejection);
