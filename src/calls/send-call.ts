import type { BuiltRequest } from '../catalogs/built-request.js';
import { err, ok, type Result } from '../base/result.js';
import type { AnsweredCall, CallOutcome } from './call-outcome.js';
import { type CallProblem, callProblem } from './call-problem.js';
import { type CalledCatalog, type CallsWorld, secretsFor } from './calls-world.js';
import { checkedUrl } from './checked-url.js';
import type { Tokens } from './client-credentials.js';
import { pause, timeLimit, watchOf } from './clock.js';
import { type Credentials, credentialsOf } from './credentials.js';
import { lostAnswer } from './network-problem.js';
import { bodyOf } from './read-answer.js';
import type { OpenFile } from './request-body.js';
import { nextTry, type Retries } from './retry-policy.js';
import { tryCall, type TriedOnce } from './try-call.js';

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** Ends it wherever none of it is under way: before it leaves, and before it would leave again. */
  readonly unsent?: AbortSignal;
  readonly retries?: Retries;
  /** Whether it does no harm twice, where that is more than its method says. */
  readonly repeatable?: boolean;
  /** For all tries and the pauses between them together. */
  readonly withinMs?: number;
  /** Opens the files of this request, where others do than usual. */
  readonly openFile?: OpenFile;
  /** Whoever asks keeps the body from being recorded: it comes back as it is. */
  readonly asItIs?: boolean;
}

/** Sends a request, as often as that is safe and of use. */
export async function sendCall(
  around: CallsWorld,
  tokens: Tokens,
  catalog: CalledCatalog,
  request: BuiltRequest,
  options: SendOptions,
): Promise<CallOutcome> {
  const { signal, unsent, retries, withinMs = Infinity, openFile = around.openFile } = options;
  const { repeatable = /^(?:GET|HEAD|OPTIONS)$/u.test(request.method) } = options;
  const world: CallsWorld = { ...around, openFile };
  const { clock, mask } = world;
  const passed = watchOf(clock);
  const told = (tries: number, url: string): { url: string; ms: number; tries: number } => ({
    url: mask.text(url),
    ms: passed(),
    tries,
  });
  const url = methods.has(request.method) ? checkedUrl(request.url) : err(noMethod);
  if (!url.ok) return { kind: 'not_sent', ...told(0, ''), problem: url.error };
  let mayBeSecond = false;
  let lastSent: TriedOnce | undefined;
  const waits = eitherOf(signal, unsent);
  for (let tries = 1; ; tries += 1) {
    const leftMs = withinMs - passed();
    const asked = { request, url: url.value, repeatable, signal, unsent, leftMs };
    const now = await inTurn(world, tokens, catalog, asked);
    if (hasLeft(now)) lastSent = now;
    const isUnwanted = waits?.aborted === true;
    // What came of it before it was unwanted is what came of it.
    const tried = isUnwanted ? (lastSent ?? now) : now;
    const call = { tries, repeatable, retries, now: clock.now(), chance: world.chance() };
    const next = isUnwanted ? ({ end: true } as const) : nextTry(asCounted(tried), call);
    const hasTime = 'waitMs' in next && next.waitMs < withinMs - passed();
    if (hasTime && (await pause(clock, next.waitMs, waits))) {
      mayBeSecond ||= tried.kind === 'failed' ? tried.sent : tried.status >= 500;
      continue;
    }
    const retryAfterMs = 'end' in next ? next.retryAfterMs : undefined;
    const asItIs = options.asItIs === true;
    return masked(world, asStopped(tried, waits, request.method), {
      ...told(tries, tried.url.href),
      retryAfterMs,
      mayBeSecond,
      asItIs,
    });
  }
}

const hasLeft = (tried: TriedOnce): boolean => tried.kind === 'answered' || tried.sent;

const asCounted = (tried: TriedOnce): Parameters<typeof nextTry>[0] =>
  tried.kind === 'answered' ? tried : { ...tried, retryable: tried.problem.retryable };

/** What never left was stopped, where that is so: why it did not leave before does not matter. */
const asStopped = (tried: TriedOnce, waits: AbortSignal | undefined, method: string): TriedOnce =>
  waits?.aborted === true && !hasLeft(tried) ? canceled(tried.url, false, true, method) : tried;

/** Aborted as soon as one of them is. */
function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);
const noMethod = callProblem('VALIDATION_ERROR', 'Requests of this method are not sent.', 'Use another operation.');

interface Asked {
  readonly request: BuiltRequest;
  readonly url: URL;
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  readonly unsent: AbortSignal | undefined;
  /** For this try and all after it. */
  readonly leftMs: number;
}

/** One try, once as few others are under way as the catalog says. */
async function inTurn(world: CallsWorld, tokens: Tokens, catalog: CalledCatalog, asked: Asked): Promise<TriedOnce> {
  const { request, url, repeatable, leftMs } = asked;
  const { clock, gates } = world;
  const passed = watchOf(clock);
  const waits = eitherOf(asked.signal, asked.unsent);
  const limit = Number.isFinite(leftMs) ? timeLimit(clock, leftMs, waits) : undefined;
  const leave = await gates.enter(url.origin, catalog.atOnce, limit?.signal ?? waits).finally(() => limit?.end());
  if (leave !== undefined)
    return oneTry(world, tokens, catalog, { ...asked, leftMs: leftMs - passed() }).finally(leave);
  const notSent: FailedTry = { ...canceled(url, false, repeatable, request.method) };
  return limit?.isOver() === true ? overTime(notSent, leftMs, repeatable, request.method) : notSent;
}

type FailedTry = Extract<TriedOnce, { kind: 'failed' }>;

/** One try within its time; where a token is refused, once more with another. */
async function oneTry(
  world: CallsWorld,
  tokens: Tokens,
  catalog: CalledCatalog,
  { request, url, repeatable, signal, unsent, leftMs }: Asked,
): Promise<TriedOnce> {
  const timeoutMs = Math.min(catalog.timeoutMs, leftMs);
  const limit = timeLimit(world.clock, timeoutMs, signal);
  const once = async (): Promise<{ readonly tried: TriedOnce; readonly token?: string | undefined }> => {
    const waits = eitherOf(limit.signal, unsent) ?? limit.signal;
    const credentials = await credentialsFor(world, tokens, catalog, url, waits);
    if (!credentials.ok)
      return { tried: { kind: 'failed', url, sent: false, problem: credentials.error, isNetwork: false } };
    const tried = await tryCall(world, catalog, {
      request,
      url,
      repeatable,
      credentials: credentials.value,
      signal: limit.signal,
      unsent,
    });
    return { tried, token: credentials.value?.token };
  };
  try {
    const first = await once();
    let { tried } = first;
    if (tried.kind === 'answered' && tried.status === 401 && first.token !== undefined) {
      tokens.forget(first.token);
      const second = await once();
      // It was refused, and is not wanted any more: that it was refused is what came of it.
      if (hasLeft(second.tried) || unsent?.aborted !== true) ({ tried } = second);
    }
    if (tried.kind === 'answered') return tried;
    if (unsent?.aborted === true && !tried.sent) return canceled(tried.url, false, repeatable, request.method);
    if (!limit.signal.aborted) return tried;
    return limit.isOver()
      ? overTime(tried, timeoutMs, repeatable, request.method)
      : canceled(tried.url, tried.sent, repeatable, request.method);
  } finally {
    limit.end();
  }
}

/** Those for the catalog's own origin; none for another. */
async function credentialsFor(
  world: CallsWorld,
  tokens: Tokens,
  catalog: CalledCatalog,
  url: URL,
  signal: AbortSignal,
): Promise<Result<Credentials | undefined, CallProblem>> {
  const { settings, origin } = catalog;
  if (origin === undefined || url.origin !== origin) return ok(undefined);
  if (signal.aborted) return aborted(signal);
  const asked = credentialsOf(settings.auth, settings.headers ?? {}, secretsFor(world, settings.catalog, origin), {
    askToken: (auth) => tokens.ask(catalog, auth),
    learn: world.mask.learn,
  });
  // A token is asked for on behalf of all who wait for it, and goes on without this one.
  return Promise.race([asked, aborted(signal)]);
}

const aborted = (signal: AbortSignal): Promise<Result<never, CallProblem>> =>
  new Promise((resolve) => {
    const stop = (): void => resolve(err(callProblem('CANCELED', 'The call was stopped.', 'Send it again.')));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

function overTime(tried: FailedTry, ms: number, repeatable: boolean, method: string): FailedTry {
  const to = `${method} ${tried.url.origin}${tried.url.pathname}`;
  const problem = tried.sent
    ? lostAnswer(to, `no complete answer came back within ${ms / 1000} s`, repeatable)
    : callProblem(
        'COMMAND_UNAVAILABLE',
        `${tried.url.host} could not be reached within ${ms / 1000} s. Nothing was sent.`,
        'Check that it runs and that the network is there, then try again.',
      );
  // It had all the time that there is: a further try would take as much.
  return { ...tried, problem, isNetwork: false };
}

function canceled(url: URL, sent: boolean, repeatable: boolean, method: string): FailedTry {
  const to = `${method} ${url.origin}${url.pathname}`;
  const problem = sent
    ? repeatable
      ? callProblem(
          'CANCELED',
          `${to} was stopped before its answer was there.`,
          'Send it again where it is still wanted.',
        )
      : lostAnswer(to, 'stopped before its answer was there', false)
    : callProblem('CANCELED', `${to} was stopped. Nothing was sent.`, 'Send it again where it is still wanted.');
  return { kind: 'failed', url, sent, problem, isNetwork: false };
}

/** What is told of it: no secret that was ever given stands in it. */
function masked(
  { mask }: CallsWorld,
  tried: TriedOnce,
  more: Pick<AnsweredCall, 'url' | 'ms' | 'tries'> & {
    readonly retryAfterMs: number | undefined;
    readonly mayBeSecond: boolean;
    readonly asItIs: boolean;
  },
): CallOutcome {
  const { retryAfterMs, mayBeSecond, asItIs, ...told } = more;
  if (tried.kind === 'failed') {
    const { code, message, action, retryable } = tried.problem;
    const problem = callProblem(code, mask.text(message), mask.text(action), retryable);
    if (code === 'LIMIT_EXCEEDED' && tried.status !== undefined)
      return { kind: 'too_long', ...told, status: tried.status, problem };
    return tried.sent
      ? { kind: 'unknown', ...told, problem, ...(tried.status !== undefined && { status: tried.status }) }
      : { kind: 'not_sent', ...told, problem };
  }
  const body = bodyOf(tried.bytes, tried.headers['content-type']);
  return {
    kind: 'answered',
    ...told,
    status: tried.status,
    headers: Object.fromEntries(
      Object.entries(tried.headers).map(([name, value]) => [mask.text(name), mask.text(value)]),
    ),
    body: asItIs ? body : maskedBody(mask, body),
    bytes: tried.bytes.length,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(mayBeSecond && { mayBeSecond }),
  };
}

function maskedBody(mask: CallsWorld['mask'], body: ReturnType<typeof bodyOf>): ReturnType<typeof bodyOf> {
  switch (body.kind) {
    case 'none':
      return body;
    case 'json':
      return { kind: 'json', value: mask.value(body.value) };
    case 'text':
      return { kind: 'text', text: mask.text(body.text) };
    case 'bytes':
      return { kind: 'bytes', bytes: mask.bytes(body.bytes) };
  }
}
