import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ChoicesBody } from '../../contract/api-bodies.js';
import type {
  CatalogDetail,
  CatalogsPage,
  ChoicesOffered,
  CommandDetail,
  CommandsPage,
} from '../../contract/catalogs-told.js';
import type { DoctorReport } from '../../contract/doctor-answers.js';
import type {
  AboutServer,
  DocumentsAt,
  NodesCompared,
  ResumeWords,
  RunGraph,
  StepDetail,
  Timeline,
} from '../../contract/http-api.js';
import type { PreferencesTold } from '../../contract/people-answers.js';
import type { QuestionsTold, WaitingHere } from '../../contract/question-told.js';
import type { SessionHead } from '../../contract/session-story.js';
import type { SessionHits, SessionsPage } from '../../contract/session-list.js';
import type { ChangeTold, SchemaTold, StatesOfSession, StateTold, StateVersions } from '../../contract/states-told.js';
import type { WorkflowDetail, WorkflowsPage } from '../../contract/workflow-answers.js';
import { address } from './address.js';
import { ask } from './ask.js';

/** Sessions that one page of the list brings; the first, which comes with each letter, what fills a screen. */
const sessionsPage = 100;
const firstSessions = 60;
/** Versions of a state that are told at once. */
const versionsPage = 500;
/** Commands of one page of a search. */
const commandsPage = 60;

/** No stream tells of workflow files and of the user's configuration: who comes back from an editor sees what was saved, after this many milliseconds. */
const seen = 2000;

const ofSession = (id: string, ...rest: readonly string[]) => ['session', id, ...rest] as const;

const told = <Answer>(
  queryKey: readonly string[],
  parts: readonly string[],
  asked: Parameters<typeof address>[1] = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => ask<Answer>(address(parts, asked), { signal }) });

/** A megabyte is not compared to keep its identity, and not kept for long. */
const asItWas = { staleTime: Infinity, gcTime: 30_000, structuralSharing: false } as const;

const documentAt = (state: string, etag: string) =>
  queryOptions({
    queryKey: ['state document', state, etag],
    queryFn: ({ signal }) => ask<StateTold>(address([state, 'versions', etag], {}, '/workflow-states/'), { signal }),
    ...asItWas,
  });

/** Everything that can be asked, with the key it is kept under: what concerns one session begins with `session` and its id. */
export const queries = {
  about: () => ({ ...told<AboutServer>(['about'], ['about']), staleTime: Infinity }),
  sessions: (query: string) =>
    infiniteQueryOptions({
      queryKey: ['sessions', query],
      queryFn: ({ pageParam, signal }) =>
        ask<SessionsPage>(
          address(['sessions'], {
            query,
            cursor: pageParam,
            limit: pageParam === undefined ? firstSessions : sessionsPage,
          }),
          { signal },
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor,
      placeholderData: keepPreviousData,
    }),
  session: (id: string) => told<SessionHead>(ofSession(id, 'head'), ['sessions', id]),
  waiting: () => told<WaitingHere>(['waiting'], ['waiting']),
  questions: (id: string) => told<QuestionsTold>(ofSession(id, 'questions'), ['sessions', id, 'questions']),
  hits: (id: string, query: string) =>
    told<SessionHits>(ofSession(id, 'hits', query), ['sessions', id, 'hits'], { query }),
  run: (id: string, run: string) => ({
    ...told<RunGraph>(ofSession(id, 'run', run), ['sessions', id, 'runs', run]),
    // Comparing thousands of nodes to keep their identity costs more than drawing them.
    structuralSharing: false,
  }),
  step: (id: string, node: string) => told<StepDetail>(ofSession(id, 'step', node), ['sessions', id, 'nodes', node]),
  wholeAnswer: (id: string, node: string) =>
    told<StepDetail>(ofSession(id, 'step', node, 'whole'), ['sessions', id, 'nodes', node], { body: 'whole' }),
  documents: (id: string, run: string, node: string) =>
    told<DocumentsAt>(ofSession(id, 'documents', run, node), ['sessions', id, 'runs', run, 'documents'], { node }),
  timeline: (id: string) => told<Timeline>(ofSession(id, 'timeline'), ['sessions', id, 'timeline']),
  compared: (id: string, a: string, b: string) =>
    told<NodesCompared>(ofSession(id, 'compared', a, b), ['sessions', id, 'diff'], { a, b }),
  states: (id: string) => told<StatesOfSession>(ofSession(id, 'states'), ['sessions', id, 'states']),
  /** The newest first, as many as somebody goes back to. */
  stateVersions: (id: string, state: string) =>
    infiniteQueryOptions({
      queryKey: ofSession(id, 'state', state, 'versions'),
      queryFn: ({ pageParam, signal }) =>
        ask<StateVersions>(
          address([state, 'versions'], { before: pageParam, limit: versionsPage }, '/workflow-states/'),
          { signal },
        ),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: (last) => last.next,
    }),
  /** A document as it was, and the one that it is compared with. Neither changes any more. */
  stateDocuments: (state: string, etag: string, base: string | undefined) =>
    queryOptions({
      queryKey: ['state documents', state, etag, base ?? ''],
      queryFn: async ({ client }) => {
        const [after, before] = await Promise.all(
          [etag, ...(base === undefined ? [] : [base])].map((one) => client.fetchQuery(documentAt(state, one))),
        );
        return { etag, base, before: before?.current_data, after: after!.current_data };
      },
      placeholderData: keepPreviousData,
      ...asItWas,
    }),
  /** What became of it may change. */
  stateChange: (id: string, state: string, etag: string) =>
    queryOptions({
      queryKey: ofSession(id, 'state', state, 'change', etag),
      queryFn: ({ signal }) =>
        ask<ChangeTold>(address([state, 'versions', etag, 'change'], {}, '/workflow-states/'), { signal }),
    }),
  stateSchema: (state: string, etag: string) =>
    queryOptions({
      queryKey: ['state schema', state, etag],
      queryFn: ({ signal }) =>
        ask<SchemaTold>(address([state, 'schema'], { version: etag }, '/workflow-states/'), { signal }),
    }),
  resume: (id: string, node: string | undefined) =>
    told<ResumeWords>(ofSession(id, 'resume', node ?? ''), ['sessions', id, 'resume'], { node }),
  workflows: (query: string) => ({
    ...told<WorkflowsPage>(['workflows', query], ['workflows'], { query }),
    placeholderData: keepPreviousData,
    staleTime: seen,
  }),
  workflow: (id: string) => ({ ...told<WorkflowDetail>(['workflow', id], ['workflows', id]), staleTime: seen }),
  /** A POST, since values of inputs are nobody's address; what it brings is as good as an answer to GET. */
  choices: (id: string, body: ChoicesBody) =>
    queryOptions({
      queryKey: ['workflow-choices', id, body],
      queryFn: ({ signal }) =>
        ask<ChoicesOffered>(address(['workflows', id, 'choices']), { method: 'POST', body, signal }),
      staleTime: seen,
      // Others are asked by this: only when the person wants to see them, and once.
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  catalogs: () => ({ ...told<CatalogsPage>(['catalogs', 'all'], ['catalogs']), staleTime: seen }),
  catalog: (id: string) => ({ ...told<CatalogDetail>(['catalogs', 'one', id], ['catalogs', id]), staleTime: seen }),
  commands: (asked: { readonly query?: string; readonly catalog?: string; readonly safety?: string }) =>
    infiniteQueryOptions({
      queryKey: ['catalogs', 'commands', asked],
      queryFn: ({ pageParam, signal }) =>
        ask<CommandsPage>(address(['commands'], { ...asked, cursor: pageParam, limit: commandsPage }), { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor,
      placeholderData: keepPreviousData,
      staleTime: seen,
    }),
  command: (catalog: string, command: string) => ({
    ...told<CommandDetail>(['catalogs', 'command', catalog, command], ['catalogs', catalog, 'commands', command]),
    staleTime: seen,
  }),
  preferences: () => ({ ...told<PreferencesTold>(['preferences'], ['preferences']), staleTime: seen }),
  /** Of a session where its work stands, or at one step of it. */
  preferencesIn: (id: string, node?: string) => ({
    ...told<PreferencesTold>(
      ofSession(id, 'preferences', ...(node === undefined ? [] : [node])),
      ['sessions', id, 'preferences'],
      node === undefined ? {} : { node },
    ),
    staleTime: seen,
  }),
  doctor: () => ({ ...told<DoctorReport>(['doctor'], ['doctor']), staleTime: 0 }),
};
