import type { BuiltRequest } from '../catalogs/built-request.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { type AddressRules, listedOnly } from './address-rules.js';
import { type CallProblem, callProblem } from './call-problem.js';
import { type CalledCatalog, type CallsWorld, newBoundary } from './calls-world.js';
import { checkedUrl } from './checked-url.js';
import { type Credentials, tellsWho } from './credentials.js';
import type { Exchanged } from './exchange.js';
import { lostAnswer, networkProblem, tooLong } from './network-problem.js';
import { headerTexts, unpacked } from './read-answer.js';
import { sentBody, withBoundary } from './request-body.js';
import { type Header, headersForStrangers, joinHeaders } from './request-headers.js';

export type TriedOnce =
  | {
      readonly kind: 'answered';
      readonly url: URL;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly bytes: Buffer;
    }
  | {
      readonly kind: 'failed';
      readonly url: URL;
      readonly sent: boolean;
      readonly problem: CallProblem;
      readonly isNetwork: boolean;
      readonly status?: number;
    };

export interface OneTry {
  readonly request: BuiltRequest;
  readonly url: URL;
  /** Undefined where the request does not go to the catalog's own origin. */
  readonly credentials: Credentials | undefined;
  /** Whether it does no harm twice. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal;
  /** Counts until the first byte leaves. */
  readonly unsent?: AbortSignal | undefined;
}

const followed: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Sends a request once, and after it where it is led; nothing is sent again. */
export async function tryCall(world: CallsWorld, catalog: CalledCatalog, one: OneTry): Promise<TriedOnce> {
  let url = withQuery(one.url, one.credentials?.query ?? '');
  let isOwn = one.credentials !== undefined;
  let hasLeft = false;
  let sent = false;
  for (let hop = 0; ; hop += 1) {
    const fail = (
      problem: CallProblem,
      more: { readonly isNetwork?: boolean; readonly status?: number } = {},
    ): TriedOnce => ({
      kind: 'failed',
      url,
      sent,
      problem,
      isNetwork: more.isNetwork ?? false,
      ...(more.status !== undefined && { status: more.status }),
    });
    const exchanged = await sendOnce(world, catalog, {
      ...one,
      url,
      hasLeft,
      credentials: isOwn ? one.credentials : undefined,
    });
    if (!exchanged.ok) return fail(exchanged.error);
    const answer = exchanged.value;
    sent ||= answer.kind === 'answered' || answer.sent;
    if (answer.kind === 'failed')
      return fail(networkProblem(answer.cause, { method: one.request.method, url, sent, repeatable: one.repeatable }), {
        isNetwork: true,
        ...(answer.status !== undefined && { status: answer.status }),
      });
    const headers = headerTexts(answer.headers);
    const { location } = headers;
    if (!followed.has(answer.status) || location === undefined || !isRead(one.request.method))
      return opened(answer, headers, one, url, catalog.answerBytes);
    const next = hop < limits.callRedirects ? redirected(world, catalog, url, location) : err(tooMany(url));
    if (!next.ok) return fail(next.error, { status: answer.status });
    if (next.value.origin !== url.origin) [isOwn, hasLeft] = [false, true];
    url = isOwn ? withQuery(next.value, one.credentials?.query ?? '') : next.value;
  }
}

interface Hop extends OneTry {
  readonly hasLeft: boolean;
}

async function sendOnce(world: CallsWorld, catalog: CalledCatalog, hop: Hop): Promise<Result<Exchanged, CallProblem>> {
  const { request, url, credentials, hasLeft } = hop;
  const boundary = newBoundary();
  const built = await (request.body === undefined ? undefined : sentBody(request.body, world.openFile, boundary));
  if (built !== undefined && !built.ok) return built;
  const given = request.headers.map(([name, value]): Header => {
    const isMultipart = request.body?.kind === 'multipart' && name.toLowerCase() === 'content-type';
    return [name, isMultipart ? withBoundary(value, boundary) : value];
  });
  const headers = joinHeaders(
    [
      ['user-agent', 'workrail'],
      ['accept-encoding', 'gzip, br'],
    ],
    hasLeft ? headersForStrangers(given) : given,
    hasLeft ? [] : (credentials?.headers ?? []),
  );
  if (!headers.ok) return headers;
  const rules = rulesFor(world, catalog, hop, headers.value);
  if (!rules.ok) return rules;
  const length = built?.value.length;
  const exchanged = await world.transport.exchange(
    {
      url,
      method: request.method,
      headers: [...headers.value, ...(length === undefined ? [] : [['content-length', String(length)] as const])],
      body: built?.value.body,
    },
    {
      rules: rules.value,
      isFresh: !isRead(request.method),
      answerBytes: catalog.answerBytes,
      signal: hop.signal,
      unsent: hop.unsent,
    },
  );
  return ok(exchanged);
}

/** Secrets go to the catalog's own origin alone, and nowhere without encryption that is not listed. */
function rulesFor(
  { mask }: CallsWorld,
  { rules, origin }: CalledCatalog,
  { request, url, credentials }: Hop,
  headers: readonly Header[],
): Result<AddressRules, CallProblem> {
  const told = [url.href, ...headers.flat(), request.body === undefined ? '' : JSON.stringify(request.body)];
  const holds = told.some((text) => mask.holds(text));
  if (holds && url.origin !== origin)
    return err(
      callProblem(
        'ADDRESS_REFUSED',
        `A secret of the catalog would be sent to ${url.origin}, which is not where the catalog is.`,
        'Take the secret out, or use a catalog with that address.',
      ),
    );
  const areSecret = holds || credentials?.areSecret === true || headers.some(([name]) => tellsWho(name));
  return ok(areSecret && url.protocol === 'http:' ? listedOnly(rules) : rules);
}

function redirected(
  world: CallsWorld,
  { origin }: CalledCatalog,
  from: URL,
  location: string,
): Result<URL, CallProblem> {
  const next = checkedUrl(location, from);
  if (!next.ok) return err({ ...next.error, message: `${from.host} leads elsewhere: ${next.error.message}` });
  const refuse = (why: string): Result<never, CallProblem> =>
    err(
      callProblem(
        'ADDRESS_REFUSED',
        `${from.host} leads to ${next.value.host}${why}`,
        'Give the address that is meant.',
      ),
    );
  if (from.protocol === 'https:' && next.value.protocol === 'http:') return refuse(', which is not encrypted.');
  if (next.value.origin !== origin && world.mask.holds(next.value.href))
    return refuse(' with a secret of the catalog in the address.');
  return next;
}

const tooMany = (url: URL): CallProblem =>
  callProblem(
    'COMMAND_FAILED',
    `${url.host} leads from one address to the next, more than ${limits.callRedirects} times.`,
    'Check the address of the catalog.',
  );

/** Adds to a query without writing the rest of it anew. */
function withQuery(url: URL, query: string): URL {
  const added = new URL(url);
  if (query !== '' && !url.search.split(/[?&]/u).includes(query))
    added.search = url.search === '' ? query : `${url.search}&${query}`;
  return added;
}

async function opened(
  answer: Extract<Exchanged, { readonly kind: 'answered' }>,
  headers: Readonly<Record<string, string>>,
  { request, repeatable }: OneTry,
  url: URL,
  most: number,
): Promise<TriedOnce> {
  const { status } = answer;
  const bytes = await unpacked(answer.bytes, headers['content-encoding'], most);
  if (bytes.ok) return { kind: 'answered', url, status, headers, bytes: bytes.value };
  const to = `${request.method} ${url.origin}${url.pathname}`;
  const problem =
    bytes.error === 'too long' ? tooLong(to, most) : lostAnswer(to, 'its answer cannot be unpacked', repeatable);
  return { kind: 'failed', url, status, sent: true, problem, isNetwork: bytes.error === 'broken' };
}
