import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { sentenceText } from '../../base/sentence.js';
import { buildRequest } from '../../catalogs/build-request.js';
import type { BuiltRequest } from '../../catalogs/built-request.js';
import { operationOfShape } from '../../catalogs/operation-of-shape.js';
import type { CatalogCalls } from '../../calls/open-calls.js';
import type { Retries } from '../../calls/retry-policy.js';
import type { SendOptions } from '../../calls/send-call.js';
import type { CommandToSend } from '../../decide/commands/command-at.js';
import type { Came } from '../../decide/commands/decide-tried.js';
import { addressOf } from '../../library/open-catalogs.js';
import type { Place } from '../../log/port/session-ref.js';
import type { StoreRunning } from '../../log/port/store-running.js';
import { calledAddress, callSettingsOf } from '../world/called-catalog.js';
import type { Environment } from '../world/environment.js';
import type { SecretAnswers } from '../world/secret-answers.js';
import { openSentFile } from './open-sent-file.js';

export type NotSent = Extract<Came, { readonly error: object }>;
export type Failure = NotSent['error'];

/** Where commands are sent from. */
export type SendingWorld = Pick<Environment, 'calls' | 'catalogs' | 'allowed' | 'secretAnswers' | 'workspaceFiles'> & {
  readonly store: { readonly running: Pick<StoreRunning, 'blob' | 'putBlob'> };
};

export interface Sending {
  /** Of the session: beside it is kept what is too long for it. */
  readonly place: Place;
  /** Stands in the holes for secrets that the author wrote. */
  readonly mark: string;
  readonly signal: AbortSignal;
  /** Ends it as long as none of it is under way. */
  readonly unsent?: AbortSignal | undefined;
  /** How much of the time of its step is left; undefined where that has no end. */
  readonly leftMs?: number | undefined;
}

/** A command with the catalog as it is now: where it is called, and as whom. What is sent there was fixed when the run began. */
export interface PreparedCommand {
  readonly command: CommandToSend;
  readonly calls: CatalogCalls;
  readonly baseUrl: string;
  /** Stands in the holes for secrets that the author wrote. */
  readonly mark: string;
  readonly options: SendOptions;
  /** The most that one answer may have. */
  readonly answerBytes: number;
  /** Where answers go that do not go into the log. */
  readonly kept: { readonly put: (bytes: Uint8Array) => Promise<string>; readonly secrets: SecretAnswers };
}

export function prepareCommand(
  env: SendingWorld,
  command: CommandToSend,
  { place, mark, signal, unsent, leftMs }: Sending,
): Result<PreparedCommand, NotSent> {
  const { step, operation } = command;
  const { catalog: id } = step;
  const missing = (message: string, action: string): Result<never, NotSent> =>
    err({ outcome: 'not_sent', error: { code: 'PRECONDITION_FAILED', message, action } });
  const entry = env.catalogs.find(id);
  if (entry === undefined) return missing(`there is no catalog ${id}`, `import ${id} again, then go on with the run`);
  const opened = env.catalogs.open(entry);
  if (!opened.ok) return missing(`the catalog ${id} cannot be used: ${opened.error}`, `mend the catalog ${id}`);
  const baseUrl = operation.baseUrl ?? addressOf(opened.value);
  if (baseUrl === undefined)
    return missing(`nobody says at which address ${id} is called`, `set the address of the catalog ${id}`);
  // What was agreed to and recorded is sent to where it was to go, or not at all.
  if (operation.baseUrl === undefined && (calledAddress(opened.value) ?? '') !== command.address)
    return err({ outcome: 'not_sent', error: movedCatalog(id), isAnew: true });
  const settings = callSettingsOf(opened.value, baseUrl, env.allowed);
  const { answerBytes = limits.callAnswer } = settings.limits ?? {};
  if (leftMs !== undefined && leftMs <= 0) return err({ outcome: 'not_sent', error: timeIsOver });
  const { running } = env.store;
  const options = {
    signal,
    ...(unsent !== undefined && { unsent }),
    openFile: openSentFile(env.workspaceFiles, (sha256) => running.blob(place, sha256), command.files),
    asItIs: step.secret === true,
    ...(leftMs !== undefined && { withinMs: leftMs }),
    ...((command.writes || step.retry !== undefined) && { retries: retriesOf(step.retry ?? {}, command.writes) }),
  };
  const kept: PreparedCommand['kept'] = {
    put: (bytes) => running.putBlob(place, bytes),
    secrets: env.secretAnswers,
  };
  return ok({ command, calls: env.calls.of(settings), baseUrl, mark, options, answerBytes, kept });
}

const movedCatalog = (id: string): Failure => ({
  code: 'PRECONDITION_FAILED',
  message: `the address of the catalog ${id} was changed just before this was sent; nothing was sent`,
  action: 'go on with the run: it looks at what is to be sent anew, and asks where the user has to agree to it',
});

/** It is no use to begin what nobody would wait for. */
export const timeIsOver: Failure = {
  code: 'COMMAND_UNAVAILABLE',
  message: 'the `timeout` of the step is over',
  action: 'see what took so long, or give the step a longer `timeout`',
};

/** What changes something is sent again without a record of its own only where nothing of it left. */
function retriesOf(
  { max = limits.callRetries, on, upToMs }: NonNullable<CommandToSend['step']['retry']>,
  writes: boolean,
): Retries {
  const all = on?.flatMap((one): readonly (number | 'network')[] => (one === '5xx' ? serverErrors : [one]));
  const after = writes ? (all ?? ['network']).filter((one) => one === 'network') : all;
  return { max, ...(after !== undefined && { on: after }), ...(upToMs !== undefined && { upToMs }) };
}
const serverErrors: readonly number[] = [500, 502, 503, 504];

/** The request of a command with some parameters, secrets and all. */
export function requestWith(
  { command: { step, operation, body, call, secretParts }, calls, baseUrl, mark }: PreparedCommand,
  given: JsonObject,
): Result<BuiltRequest, Failure> {
  const filled = calls.fill({ with: given, ...(body !== undefined && { body }) }, mark);
  if (!filled.ok) return err(failureOf(filled.error));
  const { with: parameters = {}, body: content } = filled.value as { with?: JsonValue; body?: JsonValue };
  const built = buildRequest(operationOfShape(operation), {
    with: isJsonObject(parameters) ? parameters : {},
    ...(content !== undefined && { body: content }),
    ...(step.content !== undefined && { content: step.content }),
    baseUrl,
  });
  if (built.ok) return ok(withKey(built.value, operation.idempotencyHeader, call));
  const [first] = built.error;
  // What does not fit is told with its value.
  const why =
    secretParts.length > 0
      ? `what it is given does not fit (${built.error.map(({ path }) => path).join(', ')}; not shown, as it has a secret answer)`
      : first && sentenceText(first.message);
  return err({
    code: 'VALIDATION_ERROR',
    message: calls.mask(`it was not sent: ${why ?? 'it cannot be built'}`),
    action: 'correct what the step is given',
  });
}

/** A server that is told a key does the same request once, however often it comes. */
const withKey = (request: BuiltRequest, header: string | undefined, key: string): BuiltRequest =>
  header === undefined ? request : { ...request, headers: [...request.headers, [header, key]] };

export const failureOf = ({ code, message, action }: Pick<Rejection, 'code' | 'message' | 'action'>): Failure => ({
  code,
  message,
  action: sentenceText(action),
});
