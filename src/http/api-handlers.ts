import { err, ok } from '../base/result.js';
import { limits } from '../base/limits.js';
import { downloadBundle } from './download-bundle.js';
import { followAll, followOne } from './live-sources.js';
import type { ApiWorld } from './api-world.js';
import type { ApiHandlers } from './handler-of-route.js';
import { catalogHandlers } from './catalog-handlers.js';
import { stateHandlers } from './state-handlers.js';
import { limited, TooLarge, tooLarge } from './read-body.js';

const dayMs = 24 * 60 * 60 * 1000;

/** What each route does: the people's own requests, and nothing besides. */
export function apiHandlers({ people, about, now, log, live }: ApiWorld): ApiHandlers {
  return {
    about: async () => ok(about),
    sessions: ({ query }) => people.browseSessions(query),
    session: ({ param }) => people.readSessionHead({ session: param('session') }),
    hits: ({ param, query }) => people.readHits({ session: param('session'), query: query.query ?? '' }),
    graph: ({ param }) => people.readRunGraph({ session: param('session'), run: param('run') }),
    documents: ({ param, query }) =>
      people.readDocuments({ session: param('session'), run: param('run'), node: query.node }),
    step: ({ param, query }) => people.readStep({ session: param('session'), node: param('node'), body: query.body }),
    timeline: ({ param }) => people.readTimeline({ session: param('session') }),
    events: ({ param, query }) =>
      people.readEventsPage({ session: param('session'), from: query.from, limit: query.limit ?? limits.apiEvents }),
    diff: ({ param, query }) => people.compareTwoNodes({ session: param('session'), ...query }),
    resume: ({ param, query }) => people.tellResume({ session: param('session'), node: query.node }),
    render: async ({ param, query: { format = 'md' } }) => {
      const rendered = await people.renderSession({ session: param('session'), format });
      if (!rendered.ok) return rendered;
      const { text = '', sessionId } = rendered.value;
      // The document has a style sheet of its own and no script; in a frame of the page it may be printed.
      const headers = {
        'content-type': `${format === 'html' ? 'text/html' : 'text/markdown'}; charset=utf-8`,
        'content-disposition': `inline; filename="${sessionId}.${format}"`,
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-modals",
      };
      return ok(new Response(text, { headers }));
    },
    export: ({ request, param, query }) =>
      downloadBundle(
        people,
        { session: param('session'), allowSecrets: query.allowSecrets ?? false, signal: request.signal },
        log,
      ),
    waiting: () => people.readWaiting({ patienceMs: limits.firstListMs }),
    questions: ({ param }) => people.readQuestions({ session: param('session') }),
    answer: ({ param, body }) => people.answerQuestion({ session: param('session'), ...body }),
    notes: ({ param, body }) => people.addNote({ session: param('session'), ...body }),
    labels: ({ param, body }) => people.labelSession({ session: param('session'), ...body }),
    preferences: () => people.changePreferences({ global: true }),
    choosePreferences: ({ body }) => people.changePreferences({ global: true, asked: body }),
    sessionPreferences: ({ param, query }) =>
      people.changePreferences({ session: param('session'), global: false, ...query }),
    chooseSessionPreferences: ({ param, body: { node, ...asked } }) =>
      people.changePreferences({ session: param('session'), global: false, node, asked }),
    workflows: ({ query }) => people.browseWorkflows(query),
    workflow: ({ param }) => people.readWorkflow({ id: param('workflow') }),
    ...stateHandlers({ people, about, log, live }),
    ...catalogHandlers(people),
    doctor: ({ request, query }) =>
      people.doctor({
        sessions: query.session === undefined ? [] : [query.session],
        repair: false,
        acceptLoss: false,
        signal: request.signal,
      }),
    import: async ({ request, query }) => {
      const bytes = limited(request, limits.importBody);
      if (!bytes.ok) return bytes;
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
      return exceeded && !imported.ok ? err(tooLarge(limits.importBody)) : imported;
    },
    prune: ({ body: { dryRun = true, olderThanDays, keep, unsound, only } }) =>
      people.pruneSessions({
        now: now(),
        dryRun,
        ...(olderThanDays !== undefined && { olderThanMs: olderThanDays * dayMs }),
        ...(keep !== undefined && { keep }),
        ...(unsound !== undefined && { unsound }),
        ...(only !== undefined && { only }),
      }),
    live: async ({ param, query, lastEventId }) => {
      const followed = await followOne(people, param('session'), lastEventId ?? query.from);
      return followed.ok ? ok(live(followed.value)) : followed;
    },
    watch: async ({ query, lastEventId }) => ok(live(followAll(people, lastEventId ?? query.from))),
    openapi: async () => {
      const { openApiDocument } = await import('../contract/openapi-document.js');
      return ok(openApiDocument(about.version));
    },
  };
}
