import type { NextCall, Rejection } from '../base/rejection.js';
import type { JsonObject } from '../base/json-value.js';
import type { SessionId } from '../base/ids.js';
import type { Finding } from '../log/finding.js';
import type { LogRejection } from '../log/log-rejection.js';

/** Which kind of call met the trouble: it decides whether the same call again is safe. */
export type Attempted = 'read' | 'keyed' | 'start';

/** What the log refused, as an answer that names the next step. */
export function logRejection(error: LogRejection, session: SessionId, attempted: Attempted, call: NextCall | undefined): Rejection {
  const { code, message, finding, retryAfterMs } = error;
  const context: JsonObject = { sessionId: session, ...(finding !== undefined && findingContext(finding)) };
  const common = { code, message, context, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  switch (code) {
    case 'SESSION_BUSY':
      return { ...common, action: 'make the same call again in a moment', ...(call !== undefined && { nextCall: call }) };
    case 'STORAGE_FAULT':
      return storageFault(common, session, attempted, call);
    case 'SESSION_CHANGED':
      return { ...common, action: 'look at what is there now', nextCall: { tool: 'resume_session', arguments: { sessionId: session } } };
    case 'SESSION_DAMAGED':
    case 'SESSION_NEWER_FORMAT':
      return { ...common, action: finding?.remedy ?? 'run `workrail doctor`' };
  }
}

function storageFault(common: Pick<Rejection, 'code' | 'message' | 'context'>, session: SessionId, attempted: Attempted, call: NextCall | undefined): Rejection {
  const base = { code: common.code, ...(common.context !== undefined && { context: common.context }) };
  switch (attempted) {
    case 'read':
      return { ...base, message: `${common.message}. What was read may not be on disk yet`, action: 'mend the disk, then make the same call again', ...(call !== undefined && { nextCall: call }) };
    case 'keyed':
      return {
        ...base,
        message: `${common.message}. What was sent may or may not be recorded`,
        action: 'call again with the same tokens and everything again, which is safe',
        ...(call !== undefined && { nextCall: call }),
      };
    case 'start':
      return {
        ...base,
        message: `${common.message}. The start may or may not be recorded`,
        action: 'look whether it is there before starting again',
        nextCall: { tool: 'resume_session', arguments: { sessionId: session } },
      };
  }
}

export function findingContext({ file, line, byte }: Finding): JsonObject {
  return { file, ...(line !== undefined && { line }), ...(byte !== undefined && { byte }) };
}

export function findingText({ file, line, byte, message }: Finding): string {
  return `${file}${line === undefined ? '' : ` line ${line}`}${byte === undefined ? '' : ` (byte ${byte})`}: ${message}`;
}
