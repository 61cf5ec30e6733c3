import { randomBytes } from 'node:crypto';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { errorText } from '../base/error-text.js';
import { isJsonObject, type JsonObject } from '../base/json-value.js';
import type { Result } from '../base/result.js';
import { errorCatalogue } from '../contract/error-catalogue.js';
import { offeredCall } from '../contract/offered-call.js';
import type { Reply } from '../contract/reply.js';
import { tasksExtension } from './asked.js';
import { protocolError } from './protocol-error.js';

/** The wish for a task of a client of 2025-11-25, where there is none to be had. */
export function noTaskHere(
  tool: { readonly name: string; readonly takesTasks: boolean },
  args: unknown,
  offered: boolean,
): Error {
  const why = offered
    ? `${tool.name} gives no task; continue_workflow does`
    : tool.takesTasks
      ? 'tasks are switched off on this server'
      : `${tool.name} gives no task, and tasks are switched off on this server`;
  return refused(ProtocolErrorCode.MethodNotFound, `${why}; nothing was done`, 'send the same call without "task"', {
    nextCall: {
      ...offeredCall(tool.name, {
        ...(isJsonObject(args) ? args : {}),
        ...(tool.name === 'run_workflow' && { detached: true }),
      }),
    },
  });
}

/** A request about tasks, or a call that comes to nothing without one, of a client that does not say that it takes them. */
export function undeclared(method: string): Error {
  const action = `declare tasks with the request, in _meta["io.modelcontextprotocol/clientCapabilities"].extensions["${tasksExtension}"], or call continue_workflow with only the stateToken, which shows what is missing`;
  return refused(
    ProtocolErrorCode.MissingRequiredClientCapability,
    `${method} is for clients that take tasks, and this request does not declare them`,
    action,
    {
      nextCall: { tool: 'continue_workflow', arguments: { stateToken: '<the stateToken of the call>' } },
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    },
  );
}

function refused(code: ProtocolErrorCode, message: string, action: string, besides: JsonObject): Error {
  const { category, retryable } = errorCatalogue.TASK_CAPABILITY_REQUIRED;
  return protocolError(code, `TASK_CAPABILITY_REQUIRED: ${message}.\nNext: ${action}.`, {
    error_code: 'TASK_CAPABILITY_REQUIRED',
    category,
    message,
    context: {},
    retryable,
    suggested_action: action,
    ...besides,
  });
}

/** What the rooms behind refuse, in their words. */
export async function trying<T>(
  method: string,
  log: (line: string) => void,
  ask: () => Promise<Result<T, Reply>>,
): Promise<T> {
  const asked = await unbroken(method, log, ask);
  if (asked.ok) return asked.value;
  const { rejection, text, answer } = asked.error;
  const category = rejection === undefined ? 'internal' : errorCatalogue[rejection.code].category;
  const code =
    category === 'validation' || category === 'not_found'
      ? ProtocolErrorCode.InvalidParams
      : ProtocolErrorCode.InternalError;
  throw protocolError(code, text, answer);
}

/** What is thrown tells nothing of its inside, and has a number to be found by in the log. */
export async function unbroken<T>(method: string, log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const correlationId = randomBytes(4).toString('hex');
    log(`${method} failed (correlation ${correlationId}): ${errorText(cause)}`);
    throw protocolError(
      ProtocolErrorCode.InternalError,
      `${method} failed inside WorkRail; the server's stderr has the details (correlation ${correlationId})`,
    );
  }
}
