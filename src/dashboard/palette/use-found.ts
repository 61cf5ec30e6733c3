import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { nodeWords } from '../graph/node-words.js';
import type { Route } from '../router/route.js';

/** Something to go to. */
export interface Found {
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  readonly to: Route;
}

export interface FoundGroup {
  readonly title: string;
  readonly found: readonly Found[];
}

/** As many of a kind as leave room for the others. */
const ofEach = 6;

const views: readonly Found[] = [
  { key: 'sessions', title: 'Sessions', hint: 'g s', to: { view: 'sessions' } },
  { key: 'workflows', title: 'Workflows', hint: 'g w', to: { view: 'workflows' } },
  { key: 'catalogs', title: 'Catalogs', hint: 'g a', to: { view: 'catalogs' } },
  { key: 'preferences', title: 'Preferences', hint: 'g p', to: { view: 'preferences' } },
  { key: 'care', title: 'Maintenance', hint: 'g c', to: { view: 'care' } },
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
  const steps = useSteps(asked, route);
  const groups: readonly FoundGroup[] = [
    { title: 'Steps of this run', found: steps },
    { title: 'Go to', found: [...views, ...viewsOfSession(route)].filter(({ title }) => matches(title, asked)) },
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

function useSteps(asked: string, route: Route): readonly Found[] {
  const { sessionId, runId } = route.view === 'session' ? route : {};
  const here = sessionId !== undefined && runId !== undefined;
  const { data: graph } = useQuery({ ...queries.run(sessionId ?? '', runId ?? ''), enabled: here });
  if (asked === '' || graph === undefined || !here) return [];
  const found: Found[] = [];
  // The newest first: that is where somebody is at work.
  for (const node of graph.nodes.toReversed()) {
    const { title, marks } = nodeWords(graph, node);
    const path = node.step === undefined ? '' : (graph.steps[node.step]?.path ?? '');
    if (!matches(`${title} ${path}`, asked)) continue;
    const hint = [path, ...marks.map(({ text }) => text)].filter((part) => part !== '').join(' · ');
    found.push({ key: node.id, title, hint, to: { view: 'session', sessionId, runId, nodeId: node.id } });
    if (found.length === ofEach) break;
  }
  return found;
}

const viewsOfSession = (route: Route): readonly Found[] =>
  'sessionId' in route && route.sessionId !== undefined
    ? [
        {
          key: 'timeline',
          title: 'Timeline of this session',
          hint: '',
          to: { view: 'timeline', sessionId: route.sessionId },
        },
      ]
    : [];

function matches(text: string, asked: string): boolean {
  const within = text.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => within.includes(word));
}
