import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { sentenceText } from '../../base/sentence.js';
import { buildRequest } from '../../catalogs/build-request.js';
import type { BuiltRequest } from '../../catalogs/built-request.js';
import { operationOfShape } from '../../catalogs/operation-of-shape.js';
import type { AnswerBody, CallOutcome } from '../../calls/call-outcome.js';
import type { CatalogCalls } from '../../calls/open-calls.js';
import type { Retries } from '../../calls/retry-policy.js';
import type { CommandToSend } from '../../decide/commands/command-at.js';
import type { Sent } from '../../decide/commands/decide-tried.js';
import { addressOf } from '../../library/open-catalogs.js';
import { callSettingsOf } from '../world/called-catalog.js';
import type { Environment } from '../world/environment.js';

type Came = Sent['came'];
type Failure = Extract<Came, { readonly error: object }>['error'];

/** Sends a command once, retries of its own included, and says what came of it. */
export async function sendCommand(
  env: Environment,
  command: CommandToSend,
  { mark, signal }: { readonly mark: string; readonly signal: AbortSignal },
): Promise<Sent> {
  const { step, operation } = command;
  const notSent = (error: Failure): Sent => ({
    method: operation.method,
    url: operation.path,
    bytes: 0,
    ms: 0,
    came: { outcome: 'not_sent', error },
  });
  const called = calledAs(env, command);
  if (!called.ok) return notSent(failureOf(called.error));
  const { calls, baseUrl } = called.value;
  const built = requestOf(command, calls, { baseUrl, mark });
  if (!built.ok) return notSent(built.error);
  const outcome = await calls.send(built.value, {
    signal,
    ...((command.writes || step.retry !== undefined) && { retries: retriesOf(step.retry ?? {}, command.writes) }),
    ...(step.repeatable !== undefined && { repeatable: step.repeatable }),
  });
  return { method: operation.method, ...toldOutcome(outcome) };
}

interface Called {
  readonly calls: CatalogCalls;
  readonly baseUrl: string;
}

/** The catalog as it is now: where it is called, and as whom. What is sent there was fixed when the run began. */
function calledAs(env: Environment, { step, operation }: CommandToSend): Result<Called, Rejection> {
  const { catalog: id } = step;
  const missing = (message: string, action: string): Result<never, Rejection> =>
    err({ code: 'PRECONDITION_FAILED', message, action, context: { catalogId: id } });
  const entry = env.catalogs.find(id);
  if (entry === undefined) return missing(`there is no catalog ${id}`, `import ${id} again, then go on with the run`);
  const opened = env.catalogs.open(entry);
  if (!opened.ok) return missing(`the catalog ${id} cannot be used: ${opened.error}`, `mend the catalog ${id}`);
  const baseUrl = operation.baseUrl ?? addressOf(opened.value);
  if (baseUrl === undefined)
    return missing(`nobody says at which address ${id} is called`, `set the address of the catalog ${id}`);
  return ok({ calls: env.calls.of(callSettingsOf(opened.value, baseUrl, env.allowed)), baseUrl });
}

function requestOf(
  { step, operation, with: given, body }: CommandToSend,
  calls: CatalogCalls,
  { baseUrl, mark }: { readonly baseUrl: string; readonly mark: string },
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
  if (built.ok) return built;
  const [first] = built.error;
  return err({
    code: 'VALIDATION_ERROR',
    message: calls.mask(`it was not sent: ${first === undefined ? 'it cannot be built' : sentenceText(first.message)}`),
    action: 'correct what the step is given',
  });
}

const failureOf = ({ code, message, action }: Pick<Rejection, 'code' | 'message' | 'action'>): Failure => ({
  code,
  message,
  action: sentenceText(action),
});

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

function toldOutcome(outcome: CallOutcome): Omit<Sent, 'method'> {
  const { url, ms } = outcome;
  if (outcome.kind === 'answered') {
    const { status, headers, body, bytes, retryAfterMs } = outcome;
    return { url, ms, bytes, retryAfterMs, came: { answer: { status, headers, body: jsonOf(body) } } };
  }
  const { problem } = outcome;
  const status = outcome.kind === 'unknown' ? outcome.status : undefined;
  return {
    url,
    ms,
    bytes: 0,
    came: { outcome: outcome.kind, error: failureOf(problem), ...(status !== undefined && { status }) },
  };
}

/** What expressions read of a body. */
function jsonOf(body: AnswerBody): JsonValue {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      return body.value;
    case 'text':
      return body.text;
    case 'bytes':
      return { bytes: body.bytes.length };
  }
}
