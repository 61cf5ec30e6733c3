import { Hono } from 'hono';
import type { Rejection } from '../base/rejection.js';
import { ok, type Result } from '../base/result.js';
import { limits } from '../base/limits.js';
import { errorText } from '../base/error-text.js';
import { type ApiRoute, type ApiRouteName, apiRoutes } from '../contract/api-routes.js';
import { parseApiBody, parseApiQuery } from '../contract/parse-api.js';
import { traceOfHeaders } from '../contract/trace-context.js';
import { inTrace, tracedLog } from '../requests/world/trace.js';
import { type DoorRefusal, methodRefusal, refusal, rejected } from './api-error.js';
import { apiHandlers } from './api-handlers.js';
import type { ApiWorld } from './api-world.js';
import type { Asked } from './handler-of-route.js';
import { liveStream } from './live-stream.js';
import { pageFiles, pagePolicy } from './page-files.js';
import { readJson } from './read-body.js';

export interface HttpAppOptions extends Omit<ApiWorld, 'live'> {
  readonly mcp: (request: Request) => Promise<Response>;
  /** Where the built page lies. */
  readonly pageFolder: string;
  /** Aborted when the server ends. */
  readonly stop: AbortSignal;
  readonly keepAliveMs?: number;
  readonly slowReaderMs?: number;
}

/** Everything that is served, behind the guard. */
export function httpApp(given: HttpAppOptions): (request: Request) => Promise<Response> {
  const options = { ...given, log: tracedLog(given.log) };
  const { log, mcp, pageFolder } = options;
  const app = new Hono({ strict: false });
  const handlers = apiHandlers({ ...options, live: liveStreams(options) });
  for (const name of Object.keys(apiRoutes) as ApiRouteName[]) {
    const route: ApiRoute = apiRoutes[name];
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/gu, ':$1'), async (context) => {
      const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
      if (route.types?.includes(type) === false) return wrongType(route.types);
      const asked = await askedOf(name, context.req.raw, (parameter) => context.req.param(parameter) ?? '');
      const answer = asked.ok ? await handle(handlers, name, asked.value) : asked;
      if (!answer.ok) return rejected(answer.error, options);
      return answer.value instanceof Response ? answer.value : Response.json(answer.value);
    });
  }
  app.all('/mcp', async (context) => mcp(context.req.raw));
  app.all('/ws', (context) =>
    context.req.method === 'GET'
      ? refusal(426, noWebSocket, { upgrade: 'websocket', connection: 'Upgrade' })
      : methodRefusal('only GET is allowed here'),
  );
  for (const path of ['/api/*', '/workflow-schemas/*', '/workflow-states/*', '/sessions/:session/workflow-state'])
    app.all(path, (context) => unknownRoute(context.req.path));
  const page = pageFiles(pageFolder);
  app.get('*', (context) => page(context.req.raw));
  app.notFound(() => methodRefusal('only GET is allowed here'));
  app.onError((cause) => {
    log(`a request failed: ${errorText(cause)}`);
    return rejected(
      {
        code: 'INTERNAL',
        message: 'WorkRail has a bug; nothing was recorded by this call',
        action: 'make the same call again; if it repeats, report it with the correlation id',
      },
      options,
    );
  });
  return async (request) => {
    // A stream must not begin for somebody who only wants its head.
    if (
      request.method === 'HEAD' &&
      /^\/(?:api|mcp|workflow-(?:schema|state)s?)(?:\/|$)|^\/sessions\/[^/]+\/workflow-state$/u.test(
        new URL(request.url).pathname,
      )
    )
      return secured(methodRefusal('HEAD is not allowed here'));
    const response = secured(await inTrace(traceOfHeaders(request.headers), () => app.fetch(underOneName(request))));
    // What is left of a refused body is not read; the connection cannot carry another request.
    if (request.body !== null && response.status >= 400) response.headers.set('connection', 'close');
    return response;
  };
}

/** Clients know the routes of shared states by two names. */
function underOneName(request: Request): Request {
  const url = new URL(request.url);
  const plural = url.pathname.replace(/^\/workflow-(schema|state)(?=\/|$)/u, '/workflow-$1s');
  return plural === url.pathname ? request : new Request(new URL(`${plural}${url.search}`, url), request);
}

function handle<N extends ApiRouteName>(
  handlers: ReturnType<typeof apiHandlers>,
  name: N,
  asked: Asked<N>,
): Promise<Result<unknown, Rejection>> {
  return handlers[name](asked);
}

async function askedOf<N extends ApiRouteName>(
  name: N,
  request: Request,
  param: (name: string) => string,
): Promise<Result<Asked<N>, Rejection>> {
  const route: ApiRoute = apiRoutes[name];
  const query = parseApiQuery(name, new URL(request.url).searchParams);
  if (!query.ok) return query;
  const wantsJson = route.body !== undefined && typeof route.body !== 'string';
  const sent = wantsJson ? await readJson(request, route) : ok(undefined);
  if (!sent.ok) return sent;
  const body = parseApiBody(name, sent.value);
  if (!body.ok) return body;
  return ok({
    request,
    param,
    query: query.value,
    body: body.value,
    lastEventId: request.headers.get('last-event-id') ?? undefined,
  });
}

const wrongType = (types: readonly string[]): Response =>
  refusal(415, {
    error_code: 'VALIDATION_ERROR',
    category: 'validation',
    message: 'the body must be JSON',
    suggested_action: `send it with Content-Type: ${types.join(' or ')}`,
  });

const noWebSocket: DoorRefusal = {
  error_code: 'VALIDATION_ERROR',
  category: 'validation',
  message: 'only WebSocket connections are accepted here',
  suggested_action: 'connect with a WebSocket client, or use GET /workflow-states/{state}/stream',
};

function unknownRoute(path: string): Response {
  const methods = Object.values<ApiRoute>(apiRoutes).filter((route) =>
    new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}/?$`, 'u').test(path),
  );
  if (methods.length === 0)
    return refusal(404, {
      error_code: 'NOT_FOUND',
      category: 'not_found',
      message: 'the API has no such route',
      suggested_action: 'see /api/openapi.json for its routes',
    });
  const allow = methods.map(({ method }) => method).join(', ');
  return methodRefusal(`only ${allow} is allowed here`, allow);
}

function liveStreams({
  stop,
  log,
  keepAliveMs = limits.keepAliveMs,
  slowReaderMs = limits.slowReaderMs,
}: HttpAppOptions): ApiWorld['live'] {
  let open = 0;
  return (source) => {
    if (open >= limits.liveStreams)
      return refusal(503, {
        error_code: 'TOO_MANY_STREAMS',
        category: 'execution',
        message: `${open} live streams are open already`,
        suggested_action: 'close a page that you do not need, then try again',
        retryable: true,
      });
    open += 1;
    const stream = liveStream({ source, stop, keepAliveMs, slowReaderMs, log, ended: () => (open -= 1) });
    return new Response(stream, {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
    });
  };
}

const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** On every answer, whatever it is; what an answer says of itself stays. */
export function secured(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(always)) headers.set(name, value);
  if (!headers.has('content-security-policy'))
    headers.set(
      'content-security-policy',
      headers.get('content-type')?.startsWith('text/html') === true
        ? pagePolicy
        : "default-src 'none'; frame-ancestors 'none'",
    );
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return new Response(response.body, { status: response.status, headers });
}
