import { lazy } from 'react';
import type { Route } from './router/route.js';
import { SessionsView } from './views/sessions-view.js';

// The list is what the page opens with; everything else comes when somebody goes there.
const SessionView = lazy(async () => ({ default: (await import('./views/session-view.js')).SessionView }));
const TimelineView = lazy(async () => ({ default: (await import('./views/timeline-view.js')).TimelineView }));
const CompareView = lazy(async () => ({ default: (await import('./views/compare-view.js')).CompareView }));
const WorkflowsView = lazy(async () => ({ default: (await import('./views/workflows-view.js')).WorkflowsView }));
const WorkflowView = lazy(async () => ({ default: (await import('./views/workflow-view.js')).WorkflowView }));

/** The view of a place. Each is made anew where it shows something else, so that nothing of the last one stays. */
export function View({ route }: { readonly route: Exclude<Route, { readonly view: 'nowhere' }> }) {
  switch (route.view) {
    case 'sessions':
      return <SessionsView query={route.query ?? ''} />;
    case 'session':
      return <SessionView key={route.sessionId} {...route} />;
    case 'timeline':
      return <TimelineView key={route.sessionId} {...route} />;
    case 'compare':
      return <CompareView key={route.sessionId} {...route} />;
    case 'workflows':
      return <WorkflowsView query={route.query ?? ''} />;
    case 'workflow':
      return <WorkflowView key={route.workflowId} workflowId={route.workflowId} />;
  }
}
