import { lazy } from 'react';
import { UnloadedView } from './parts/fault-boundary.js';
import type { Route } from './router/route.js';
import { SessionsView } from './views/sessions-view.js';

// The list is what the page opens with; everything else comes after it.
const views = {
  session: () => import('./views/session-view.js'),
  timeline: () => import('./views/timeline-view.js'),
  state: () => import('./views/state-view.js'),
  compare: () => import('./views/compare-view.js'),
  workflows: () => import('./views/workflows-view.js'),
  workflow: () => import('./views/workflow-view.js'),
  catalogs: () => import('./views/catalogs-view.js'),
  catalog: () => import('./views/catalog-view.js'),
  command: () => import('./views/command-view.js'),
  preferences: () => import('./views/preferences-view.js'),
  care: () => import('./views/care-view.js'),
};

const had = <Module,>(loading: Promise<Module>): Promise<Module> =>
  loading.catch((cause: unknown) => {
    throw new UnloadedView(cause);
  });

const SessionView = lazy(async () => ({ default: (await had(views.session())).SessionView }));
const TimelineView = lazy(async () => ({ default: (await had(views.timeline())).TimelineView }));
const StateView = lazy(async () => ({ default: (await had(views.state())).StateView }));
const CompareView = lazy(async () => ({ default: (await had(views.compare())).CompareView }));
const WorkflowsView = lazy(async () => ({ default: (await had(views.workflows())).WorkflowsView }));
const WorkflowView = lazy(async () => ({ default: (await had(views.workflow())).WorkflowView }));
const CatalogsView = lazy(async () => ({ default: (await had(views.catalogs())).CatalogsView }));
const CatalogView = lazy(async () => ({ default: (await had(views.catalog())).CatalogView }));
const CommandView = lazy(async () => ({ default: (await had(views.command())).CommandView }));
const PreferencesView = lazy(async () => ({ default: (await had(views.preferences())).PreferencesView }));
const CareView = lazy(async () => ({ default: (await had(views.care())).CareView }));

/** Fetches every view before somebody goes there. */
export function fetchViews(): void {
  // One that cannot be had now is asked for again, and its failure shown, when it is wanted.
  for (const load of [...Object.values(views), () => import('./catalogs/import-document.js')])
    load().catch(() => undefined);
}

/** The view of a place. Each is made anew where it shows something else, so that nothing of the last one stays. */
export function View({ route }: { readonly route: Exclude<Route, { readonly view: 'nowhere' }> }) {
  switch (route.view) {
    case 'sessions':
      return <SessionsView query={route.query ?? ''} />;
    case 'session':
      return <SessionView key={route.sessionId} {...route} />;
    case 'timeline':
      return <TimelineView key={route.sessionId} {...route} />;
    case 'state':
      return <StateView key={route.sessionId} {...route} />;
    case 'compare':
      return <CompareView key={route.sessionId} {...route} />;
    case 'workflows':
      return <WorkflowsView query={route.query ?? ''} />;
    case 'workflow':
      return <WorkflowView key={route.workflowId} workflowId={route.workflowId} />;
    case 'catalogs':
      return <CatalogsView {...route} />;
    case 'catalog':
      return <CatalogView key={route.catalogId} catalogId={route.catalogId} />;
    case 'command':
      return <CommandView key={`${route.catalogId} ${route.command}`} {...route} />;
    case 'preferences':
      return <PreferencesView />;
    case 'care':
      return <CareView />;
  }
}
