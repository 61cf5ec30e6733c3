import { command, withCommands } from '../../base/sentence.js';
import type { JsonObject } from '../../base/json-value.js';
import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import type { Finding } from '../../log/port/finding.js';
import type { LogRejection } from '../../log/port/log-rejection.js';

/** Which kind of call met the trouble: it decides whether the same call again is safe. */
export type Attempted = 'read' | 'keyed' | 'start';

/** What the log refused, as an answer that names the next step. */
export function logRejection(error: LogRejection, session: SessionId, attempted: Attempted): Rejection {
  const { code, message, finding, retryAfterMs } = error;
  const context: JsonObject = { sessionId: session, ...(finding !== undefined && findingContext(finding)) };
  const common = { code, message, context, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  switch (code) {
    case 'SESSION_BUSY':
      return { ...common, action: 'make the same call again in a moment', again: [] };
    case 'STORAGE_FAULT':
      return storageFault(error, common, session, attempted);
    case 'SESSION_CHANGED':
      return {
        ...common,
        action:
          'restore the file (git checkout, git stash pop) and make the same call again, which records it once, or look at what is left',
        nextCall: { tool: 'resume_session', arguments: { sessionId: session } },
      };
    case 'SESSION_DAMAGED':
    case 'SESSION_NEWER_FORMAT':
      return {
        ...common,
        action:
          finding === undefined
            ? ['see what is wrong with it: ', command('doctor')]
            : withCommands(finding.remedy, session),
      };
  }
}

function storageFault(
  { inDoubt }: LogRejection,
  common: Omit<Rejection, 'action'>,
  session: SessionId,
  attempted: Attempted,
): Rejection {
  const told = (
    doubt: string,
    action: string,
    next: Pick<Rejection, 'again' | 'nextCall'> = { again: [] },
  ): Rejection => ({
    ...common,
    message: `${common.message}. ${doubt}`,
    action,
    ...next,
  });
  const again = 'fix that, then make the same call again';
  if (inDoubt !== true) return told('Nothing was recorded by this call', again);
  switch (attempted) {
    case 'read':
      return told('Lines of an earlier call are still in doubt, so nothing can be shown', again);
    case 'keyed':
      return told('What was sent may or may not be recorded', `${again} in full, which is safe`);
    case 'start':
      return told(
        'The start may or may not be recorded',
        'fix that, then check whether the session exists before starting again',
        { nextCall: { tool: 'resume_session', arguments: { sessionId: session } } },
      );
  }
}

/** Why a session cannot be worked with: what is amiss with its files, or that some of them are gone. */
export function sessionRejection(
  sessionId: SessionId,
  finding: Finding | undefined,
  message: string,
  next: Pick<Rejection, 'action' | 'nextCall'>,
): Rejection {
  const { level } = finding ?? {};
  return {
    code: level === 'damage' ? 'SESSION_DAMAGED' : level === 'newer' ? 'SESSION_NEWER_FORMAT' : 'SESSION_CHANGED',
    message: finding === undefined ? message : `${message}: ${findingText(finding)}`,
    ...next,
    context: { sessionId, ...(finding !== undefined && findingContext(finding)) },
  };
}

/** Nothing is written to a session whose first line is not here, or cannot be read. */
export function beginningMissing(session: SessionId, findings: readonly Finding[] = []): Rejection {
  const found = unreadableIn(findings) ?? findings[0];
  const remedy = found?.remedy ?? 'restore its files (git checkout, git stash pop)';
  return sessionRejection(session, found, `the beginning of session ${session} is not here`, {
    action: [`${remedy}; see all problems: `, command('doctor')],
  });
}

/** The first finding that keeps a session from being read whole. */
export const unreadableIn = (findings: readonly Finding[]): Finding | undefined =>
  findings.find(({ level }) => level === 'damage' || level === 'newer');

export function findingContext({ file, line, byte }: Finding): JsonObject {
  return { file, ...(line !== undefined && { line }), ...(byte !== undefined && { byte }) };
}

export function findingText({ file, line, byte, message }: Finding): string {
  return `${file}${line === undefined ? '' : ` line ${line}`}${byte === undefined ? '' : ` (byte ${byte})`}: ${message}`;
}

export const unreadablePin = (finding: Finding): string =>
  `the pinned workflow of this run cannot be read: ${findingText(finding)}`;
