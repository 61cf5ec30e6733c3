import type { Rejection } from '../base/rejection.js';
import type { Result } from '../base/result.js';
import { limits } from '../base/limits.js';
import type { ApiRouteName } from '../contract/api-routes.js';
import type { AboutServer } from '../contract/http-api.js';
import { openApiDocument } from '../contract/openapi-document.js';
import type { BodyOf, QueryOf } from '../contract/parse-api.js';
import type { PeopleRequests } from '../requests/people-requests.js';
import { rejected } from './api-error.js';
import { downloadBundle } from './download-bundle.js';
import type { LiveMessage } from './live-stream.js';
import { followAll, followOne } from './live-sources.js';
import { limited, TooLarge, tooLarge } from './read-body.js';

export interface ApiWorld {
  readonly people: PeopleRequests;
  readonly about: AboutServer;
  readonly now: () => Date;
  readonly log: (line: string) => void;
  /** A stream of server-sent events, counted among those that are open. */
  readonly live: (source: (signal: AbortSignal) => AsyncIterable<LiveMessage>) => Response;
}

/** A request that has passed the guard and whose form is right. */
export interface Asked<N extends ApiRouteName> {
  readonly request: Request;
  readonly param: (name: string) => string;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  readonly lastEventId: string | undefined;
}

export type ApiHandlers = { readonly [N in ApiRouteName]: (asked: Asked<N>) => Promise<Response> };

const dayMs = 24 * 60 * 60 * 1000;

/** What each route does: the people's own requests, and nothing besides. */
export function apiHandlers({ people, about, now, log, live }: ApiWorld): ApiHandlers {
  const told = async (result: Promise<Result<object, Rejection>>): Promise<Response> => {
    const answer = await result;
    return answer.ok ? Response.json(answer.value) : rejected(answer.error, log);
  };
  return {
    about: async () => Response.json(about),
    sessions: ({ query }) => told(people.browseSessions(query)),
    session: ({ param }) => told(people.readSessionHead({ session: param('session') })),
    graph: ({ param }) => told(people.readRunGraph({ session: param('session'), run: param('run') })),
    documents: ({ param, query }) =>
      told(people.readDocuments({ session: param('session'), run: param('run'), node: query.node })),
    step: ({ param }) => told(people.readStep({ session: param('session'), node: param('node') })),
    timeline: ({ param }) => told(people.readTimeline({ session: param('session') })),
    events: ({ param, query }) =>
      told(
        people.readEventsPage({ session: param('session'), from: query.from, limit: query.limit ?? limits.apiEvents }),
      ),
    diff: ({ param, query }) => told(people.compareTwoNodes({ session: param('session'), ...query })),
    resume: ({ param, query }) => told(people.tellResume({ session: param('session'), node: query.node })),
    render: async ({ param, query: { format = 'md' } }) => {
      const rendered = await people.renderSession({ session: param('session'), format });
      if (!rendered.ok) return rejected(rendered.error, log);
      const { text = '', sessionId } = rendered.value;
      // The document has a style sheet of its own and no script; in a frame of the page it may be printed.
      const headers = {
        'content-type': `${format === 'html' ? 'text/html' : 'text/markdown'}; charset=utf-8`,
        'content-disposition': `inline; filename="${sessionId}.${format}"`,
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-modals",
      };
      return new Response(text, { headers });
    },
    export: ({ request, param, query }) =>
      downloadBundle({
        people,
        session: param('session'),
        allowSecrets: query.allowSecrets ?? false,
        signal: request.signal,
        log,
      }),
    notes: ({ param, body }) => told(people.addNote({ session: param('session'), ...body })),
    labels: ({ param, body }) => told(people.labelSession({ session: param('session'), ...body })),
    workflows: ({ query }) => told(people.browseWorkflows(query)),
    workflow: ({ param }) => told(people.readWorkflow({ id: param('workflow') })),
    doctor: ({ request, query }) =>
      told(
        people.doctor({
          sessions: query.session === undefined ? [] : [query.session],
          repair: false,
          acceptLoss: false,
          signal: request.signal,
        }),
      ),
    import: async ({ request, query }) => {
      const bytes = limited(request, limits.importBody);
      if (!bytes.ok) return rejected(bytes.error, log);
      let exceeded = false;
      const watched = async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield* bytes.value;
        } catch (cause) {
          exceeded = cause instanceof TooLarge;
          throw cause;
        }
      };
      const size = Number(request.headers.get('content-length') ?? NaN);
      const imported = await people.importBundle({
        bytes: watched(),
        ...(Number.isSafeInteger(size) && { size }),
        merge: query.merge ?? false,
        signal: request.signal,
      });
      if (imported.ok) return Response.json(imported.value);
      return rejected(exceeded ? tooLarge(limits.importBody) : imported.error, log);
    },
    prune: ({ body: { dryRun = true, olderThanDays, keep, unsound, only } }) =>
      told(
        people.pruneSessions({
          now: now(),
          dryRun,
          ...(olderThanDays !== undefined && { olderThanMs: olderThanDays * dayMs }),
          ...(keep !== undefined && { keep }),
          ...(unsound !== undefined && { unsound }),
          ...(only !== undefined && { only }),
        }),
      ),
    live: async ({ param, query, lastEventId }) => {
      const followed = await followOne(people, param('session'), lastEventId ?? query.from);
      return followed.ok ? live(followed.value) : rejected(followed.error, log);
    },
    watch: async ({ query, lastEventId }) => live(followAll(people, lastEventId ?? query.from)),
    openapi: async () => Response.json(openApiDocument(about.version)),
  };
}
