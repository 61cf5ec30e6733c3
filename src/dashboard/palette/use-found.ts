import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { placedWords } from '../graph/node-words.js';
import type { RunGraph } from '../../contract/http-api.js';
import { tipsToCompare } from '../graph/tips-to-compare.js';
import type { Route } from '../router/route.js';
import { actionsAt } from './actions.js';
import type { Found, FoundGroup } from './found.js';

/** As many of a kind as leave room for the others. */
const ofEach = 6;

const views: readonly Found[] = [
  {
    key: 'sessions',
    title: 'Sessions',
    words: 'home runs work waiting history',
    hint: 'g s',
    to: { view: 'sessions' },
  },
  { key: 'workflows', title: 'Workflows', words: 'library start', hint: 'g w', to: { view: 'workflows' } },
  { key: 'catalogs', title: 'Catalogs', words: 'apis commands openapi import', hint: 'g a', to: { view: 'catalogs' } },
  {
    key: 'preferences',
    title: 'Preferences',
    words: 'settings mode autonomy options defaults configuration',
    hint: 'g p',
    to: { view: 'preferences' },
  },
  {
    key: 'care',
    title: 'Maintenance',
    words: 'health check doctor repair prune retention trash import storage',
    hint: 'g c',
    to: { view: 'care' },
  },
];

/** Everything that some words may mean, from where somebody is: steps of the open run, views, sessions, workflows. */
export function useFound(
  words: string,
  route: Route,
): { readonly groups: readonly FoundGroup[]; /** More may come, or other. */ readonly isOpen: boolean } {
  const asked = words.trim();
  const sessions = useInfiniteQuery(queries.sessions(asked));
  const workflows = useQuery({ ...queries.workflows(asked), enabled: asked !== '' });
  const commands = useInfiniteQuery({ ...queries.commands({ query: asked }), enabled: asked !== '' });
  const graph = useRunHere(route);
  const hasState = useHasState(route);
  const steps = stepsWith(asked, graph);
  const groups: readonly FoundGroup[] = [
    { title: 'Steps of this run', found: steps },
    ...goOrDo(asked, route, { graph, hasState }),
    {
      title: asked === '' ? 'Recent sessions' : 'Sessions',
      found: (sessions.data?.pages[0]?.sessions ?? []).slice(0, ofEach).map((session) => ({
        key: `session ${session.sessionId}`,
        title: visibleTitle(session.title ?? session.about),
        hint: [session.key ?? session.sessionId, session.run?.workflowTitle ?? 'Notes only']
          .map(visibleTitle)
          .join(' · '),
        to: { view: 'session', sessionId: session.sessionId },
      })),
    },
    {
      title: 'Workflows',
      found: (asked === '' ? [] : (workflows.data?.workflows ?? [])).slice(0, ofEach).map(({ id, title }) => ({
        key: `workflow ${id}`,
        title: visibleTitle(title),
        hint: visibleTitle(id),
        to: { view: 'workflow', workflowId: id },
      })),
    },
    {
      title: 'Commands',
      found: (asked === '' ? [] : (commands.data?.pages[0]?.commands ?? []))
        .slice(0, ofEach)
        .map(({ catalog, command, method, path, summary }) => ({
          key: `command ${catalog} ${command}`,
          title: visibleTitle(`${catalog} ${command}`),
          hint: visibleTitle(summary === '' ? `${method} ${path}` : summary),
          to: { view: 'command', catalogId: catalog, command },
        })),
    },
    {
      title: 'Search',
      found:
        asked === ''
          ? []
          : [
              {
                key: 'search',
                title: `Search sessions for “${visibleTitle(asked)}”`,
                hint: 'Notes, steps and branches too',
                to: { view: 'sessions', query: asked },
              },
            ],
    },
  ];
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    isOpen: [sessions, workflows, commands].some(({ isPlaceholderData, isLoading }) => isPlaceholderData || isLoading),
  };
}

/** Views and actions; whoever names no view by its title is after an action. */
function goOrDo(asked: string, route: Route, here: Here): readonly FoundGroup[] {
  const goTo = [...views, ...viewsOfSession(route, asked, here)].filter((view) => isMeant(view, asked));
  const doing = asked === '' ? [] : actionsAt(route).filter((action) => isMeant(action, asked));
  const groups = [
    { title: 'Go to', found: goTo },
    { title: 'Actions', found: doing.slice(0, ofEach) },
  ];
  const isNamed = ({ title }: Found): boolean => matches(title, asked);
  return doing.some(isNamed) && !goTo.some(isNamed) ? groups.toReversed() : groups;
}

interface Here {
  readonly graph: RunGraph | undefined;
  /** The session has a shared state. */
  readonly hasState: boolean;
}

function useHasState(route: Route): boolean {
  const sessionId = 'sessionId' in route ? route.sessionId : undefined;
  const { data } = useQuery({ ...queries.session(sessionId ?? ''), enabled: sessionId !== undefined });
  return data?.states !== undefined;
}

/** The run that somebody has open. */
function useRunHere(route: Route): RunGraph | undefined {
  const { sessionId, runId } = route.view === 'session' ? route : {};
  const here = sessionId !== undefined && runId !== undefined;
  return useQuery({ ...queries.run(sessionId ?? '', runId ?? ''), enabled: here }).data;
}

function stepsWith(asked: string, graph: RunGraph | undefined): readonly Found[] {
  if (asked === '' || graph === undefined) return [];
  const { sessionId, run } = graph;
  const found: Found[] = [];
  // The newest first: that is where somebody is at work.
  for (const node of graph.nodes.toReversed()) {
    const { title, marks } = placedWords(graph, node);
    const path = node.step === undefined ? '' : (graph.steps[node.step]?.path ?? '');
    if (!matches(`${title} ${path}`, asked)) continue;
    const hint = [path, ...marks.map(({ text }) => text)].filter((part) => part !== '').join(' · ');
    found.push({ key: node.id, title, hint, to: { view: 'session', sessionId, runId: run.runId, nodeId: node.id } });
    if (found.length === ofEach) break;
  }
  return found;
}

/** What is of one session; from elsewhere the way to choose one is shown to whoever asks for it. */
function viewsOfSession(route: Route, asked: string, { graph, hasState }: Here): readonly Found[] {
  const sessionId = 'sessionId' in route ? route.sessionId : undefined;
  if (sessionId === undefined)
    return asked === ''
      ? []
      : [
          {
            key: 'compare',
            title: 'Compare branches',
            words: 'difference diff',
            hint: 'Of a session',
            to: { view: 'compare' },
          },
          {
            key: 'export',
            title: 'Export a session',
            words: otherWordsForExport,
            hint: 'Choose one',
            to: { view: 'sessions' },
          },
        ];
  return [
    {
      key: 'timeline',
      title: 'Timeline of this session',
      words: 'history replay log events time',
      hint: '',
      to: { view: 'timeline', sessionId },
    },
    ...(hasState
      ? [
          {
            key: 'state',
            title: 'State of this session',
            words: 'shared document json versions conflicts',
            hint: '',
            to: { view: 'state' as const, sessionId },
          },
        ]
      : []),
    ...(asked === ''
      ? []
      : [
          {
            key: 'compare',
            title: 'Compare branches',
            words: 'difference diff',
            hint: '',
            to: {
              view: 'compare' as const,
              sessionId,
              ...(graph && tipsToCompare(graph, (route.view === 'session' && route.nodeId) || graph.run.preferredTip)),
            },
          },
        ]),
  ];
}

const otherWordsForExport = 'share send bundle save report download html';

const isMeant = ({ title, words = '' }: Found, asked: string): boolean => matches(`${title} ${words}`, asked);

function matches(text: string, asked: string): boolean {
  const within = text.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => within.includes(word));
}
