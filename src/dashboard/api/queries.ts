import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
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
import type { EventsPage } from '../../contract/event-told.js';
import type { SessionHead } from '../../contract/session-story.js';
import type { SessionsPage } from '../../contract/session-list.js';
import type { WorkflowDetail, WorkflowsPage } from '../../contract/workflow-answers.js';
import { address } from './address.js';
import { ask } from './ask.js';

/** Sessions that one page of the list brings. */
const sessionsPage = 100;

/** No stream tells of workflow files: who comes back from an editor sees what was saved, after this many milliseconds. */
const seen = 2000;

const ofSession = (id: string, ...rest: readonly string[]) => ['session', id, ...rest] as const;

/** Everything that can be asked, with the key it is kept under: what concerns one session begins with `session` and its id. */
export const queries = {
  about: () =>
    queryOptions({
      queryKey: ['about'],
      queryFn: ({ signal }) => ask<AboutServer>(address(['about']), { signal }),
      staleTime: Infinity,
    }),
  sessions: (query: string) =>
    infiniteQueryOptions({
      queryKey: ['sessions', query],
      queryFn: ({ pageParam, signal }) =>
        ask<SessionsPage>(address(['sessions'], { query, cursor: pageParam, limit: sessionsPage }), { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor,
      placeholderData: keepPreviousData,
    }),
  session: (id: string) =>
    queryOptions({
      queryKey: ofSession(id, 'head'),
      queryFn: ({ signal }) => ask<SessionHead>(address(['sessions', id]), { signal }),
    }),
  run: (id: string, run: string) =>
    queryOptions({
      queryKey: ofSession(id, 'run', run),
      queryFn: ({ signal }) => ask<RunGraph>(address(['sessions', id, 'runs', run]), { signal }),
      // Comparing thousands of nodes to keep their identity costs more than drawing them.
      structuralSharing: false,
    }),
  step: (id: string, node: string) =>
    queryOptions({
      queryKey: ofSession(id, 'step', node),
      queryFn: ({ signal }) => ask<StepDetail>(address(['sessions', id, 'nodes', node]), { signal }),
    }),
  documents: (id: string, run: string, node: string) =>
    queryOptions({
      queryKey: ofSession(id, 'documents', run, node),
      queryFn: ({ signal }) =>
        ask<DocumentsAt>(address(['sessions', id, 'runs', run, 'documents'], { node }), { signal }),
    }),
  timeline: (id: string) =>
    queryOptions({
      queryKey: ofSession(id, 'timeline'),
      queryFn: ({ signal }) => ask<Timeline>(address(['sessions', id, 'timeline']), { signal }),
    }),
  events: (id: string, from: string | undefined, limit: number) =>
    queryOptions({
      queryKey: ofSession(id, 'events', from ?? '', String(limit)),
      queryFn: ({ signal }) => ask<EventsPage>(address(['sessions', id, 'events'], { from, limit }), { signal }),
    }),
  compared: (id: string, a: string, b: string) =>
    queryOptions({
      queryKey: ofSession(id, 'compared', a, b),
      queryFn: ({ signal }) => ask<NodesCompared>(address(['sessions', id, 'diff'], { a, b }), { signal }),
    }),
  resume: (id: string, node: string | undefined) =>
    queryOptions({
      queryKey: ofSession(id, 'resume', node ?? ''),
      queryFn: ({ signal }) => ask<ResumeWords>(address(['sessions', id, 'resume'], { node }), { signal }),
    }),
  workflows: (query: string) =>
    queryOptions({
      queryKey: ['workflows', query],
      queryFn: ({ signal }) => ask<WorkflowsPage>(address(['workflows'], { query }), { signal }),
      placeholderData: keepPreviousData,
      staleTime: seen,
    }),
  workflow: (id: string) =>
    queryOptions({
      queryKey: ['workflow', id],
      queryFn: ({ signal }) => ask<WorkflowDetail>(address(['workflows', id]), { signal }),
      staleTime: seen,
    }),
  doctor: () =>
    queryOptions({
      queryKey: ['doctor'],
      queryFn: ({ signal }) => ask<DoctorReport>(address(['doctor']), { signal }),
      staleTime: 0,
    }),
};
