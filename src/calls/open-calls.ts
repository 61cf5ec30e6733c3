import type { BuiltRequest } from '../catalogs/built-request.js';
import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { addressRules } from './address-rules.js';
import { openGates } from './at-once.js';
import type { CallOutcome } from './call-outcome.js';
import { type CallProblem, callProblem } from './call-problem.js';
import type { CallSettings } from './call-settings.js';
import { calledCatalog, type CallsWorld, secretsFor } from './calls-world.js';
import { checkedUrl } from './checked-url.js';
import { openTokens } from './client-credentials.js';
import { type Clock, systemClock, timeLimit } from './clock.js';
import type { Dial, Resolve } from './connect-checked.js';
import { fillSecrets } from './fill-secrets.js';
import { textOf } from './read-answer.js';
import type { OpenFile } from './request-body.js';
import { openMask } from './secret-mask.js';
import type { SecretSource } from './secret-source.js';
import { sendCall, type SendOptions } from './send-call.js';
import { openTransport } from './transport.js';
import { tryCall } from './try-call.js';

export interface CallsOptions {
  readonly secrets: SecretSource;
  /** Where nobody opens files, none is sent. */
  readonly openFile?: OpenFile;
  readonly resolve?: Resolve;
  readonly dial?: Dial;
  readonly clock?: Clock;
  readonly chance?: () => number;
}

export interface CatalogCalls {
  /**
   * Puts secrets in the place of `${{ secrets.NAME }}`, before a request is built. Whoever fills in what agents wrote as
   * well gives a mark that they cannot know: then only `${{ secrets.NAME mark }}` is filled.
   */
  readonly fill: (value: JsonValue, mark?: string) => Result<JsonValue, CallProblem>;
  readonly send: (request: BuiltRequest, options?: SendOptions) => Promise<CallOutcome>;
  /** A text without any secret that was given so far. */
  readonly mask: (text: string) => string;
  /** From now on these are secrets too. */
  readonly learn: (texts: Iterable<string>) => void;
}

export interface FetchedDocument {
  readonly text: string;
  /** Where it was in the end. */
  readonly url: string;
  readonly contentType: string | undefined;
}

export interface Calls {
  /** A value without any secret that was given so far. */
  readonly hidden: <V extends JsonValue>(value: V) => V;
  readonly of: (settings: CallSettings) => CatalogCalls;
  /** Reads an address without showing who asks. */
  readonly fetchDocument: (
    url: string,
    options?: { readonly allow?: readonly string[]; readonly signal?: AbortSignal },
  ) => Promise<Result<FetchedDocument, CallProblem>>;
  readonly close: () => Promise<void>;
}

/** The only way in which this program asks anybody for anything. */
export function openCalls(options: CallsOptions): Calls {
  const world: CallsWorld = {
    transport: openTransport(options),
    gates: openGates(),
    clock: options.clock ?? systemClock,
    chance: options.chance ?? Math.random,
    openFile: options.openFile ?? (() => Promise.resolve(err(noFiles))),
    secrets: options.secrets,
    mask: openMask(),
  };
  const tokens = openTokens(world);
  return {
    of: (settings) => {
      const catalog = calledCatalog(settings);
      return {
        fill: (value, mark) => {
          if (!catalog.ok) return catalog;
          return fillSecrets(value, secretsFor(world, settings.catalog, catalog.value.origin ?? ''), mark);
        },
        send: async (request, sending = {}) => {
          if (!catalog.ok) return { kind: 'not_sent', url: '', ms: 0, tries: 0, problem: catalog.error };
          const { origin = '' } = catalog.value;
          // A server may say back what another program sent: what is a secret does not hang on who used it.
          for (const secret of world.secrets.all({ catalog: settings.catalog, origin })) world.mask.learn(secret);
          return sendCall(world, tokens, catalog.value, request, sending);
        },
        mask: world.mask.text,
        learn: (texts) => {
          for (const text of texts) world.mask.learn(text);
        },
      };
    },
    hidden: <V extends JsonValue>(value: V) => world.mask.value(value) as V,
    fetchDocument: (url, { allow, signal } = {}) => fetchDocument(world, url, allow, signal),
    close: () => world.transport.close(),
  };
}

const noFiles = callProblem('PRECONDITION_FAILED', 'No files can be sent from here.', 'Send the content itself.');

async function fetchDocument(
  world: CallsWorld,
  asked: string,
  allow: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<Result<FetchedDocument, CallProblem>> {
  const url = checkedUrl(asked);
  if (!url.ok) return url;
  const rules = addressRules(allow);
  if (!rules.ok) return err(rules.error);
  const limit = timeLimit(world.clock, limits.apiReadMs, signal);
  const settings = { catalog: '', baseUrl: url.value.origin };
  const catalog = {
    settings,
    origin: undefined,
    rules: rules.value,
    timeoutMs: limits.apiReadMs,
    answerBytes: limits.apiDocument,
    atOnce: limits.callsAtOnce,
  };
  const accept = 'application/vnd.oai.openapi+json, application/json, application/yaml, text/yaml, */*;q=0.5';
  try {
    const tried = await tryCall(world, catalog, {
      request: { method: 'GET', url: url.value.href, headers: [['accept', accept]] },
      url: url.value,
      credentials: undefined,
      repeatable: true,
      signal: limit.signal,
    });
    if (tried.kind === 'failed')
      return err(
        limit.isOver()
          ? callProblem(
              'COMMAND_UNAVAILABLE',
              `${url.value.host} takes longer than ${limits.apiReadMs / 1000} s.`,
              'Download the document, and give the file.',
            )
          : tried.problem,
      );
    const failed = (why: string): Result<never, CallProblem> =>
      err(
        callProblem(
          'COMMAND_FAILED',
          `${tried.url.host} ${why}`,
          'Check the address, or download the document and give the file.',
        ),
      );
    if (tried.status < 200 || tried.status > 299) return failed(`answered ${tried.status}.`);
    const contentType = tried.headers['content-type'];
    const text = textOf(tried.bytes, contentType);
    return text === undefined
      ? failed('answered with bytes that are no text.')
      : ok({ text, url: tried.url.href, contentType });
  } finally {
    limit.end();
  }
}
