import { useState } from 'react';
import type { SessionHead } from '../../contract/session-story.js';
import { visibleTitle } from '../../render/visible-text.js';
import { useKeys } from '../keys/use-keys.js';
import { Button } from '../parts/button.js';
import { ModeName } from '../preferences/mode-name.js';
import { SessionPreferencesDialog } from '../preferences/session-preferences-dialog.js';
import { Signal } from '../parts/signal.js';
import { TimeTold } from '../parts/time-told.js';
import { Link } from '../router/link.js';
import { closedBy } from './closed-by.js';
import { LabelDialog } from './label-dialog.js';
import { SessionActions } from './session-actions.js';
import { sessionName } from './session-name.js';
import { isStopped, standingRun } from './standing-run.js';

export interface SessionHeaderProps {
  readonly session: SessionHead;
  /** The panel of runs and notes is open where there is no room for it all the time. */
  readonly sideOpen: boolean;
  readonly onSide: () => void;
}

/** What the session is, and what can be done with all of it. */
export function SessionHeader({ session, sideOpen, onSide }: SessionHeaderProps) {
  const [labels, setLabels] = useState(false);
  const [preferences, setPreferences] = useState(false);
  useKeys('Session', [
    { keys: 'l', says: 'Title, tags and retention', run: () => setLabels(!closed) },
    { keys: 'o', says: 'Preferences', run: () => setPreferences(!closed) },
  ]);
  const closed = closedBy(session) !== undefined;
  const seen = session.observations.at(-1);
  const title = sessionName(session);
  const run = standingRun(session);
  const mode = run === undefined || run.pending === null ? session.preferences : run.preferences;
  return (
    <header className="session-header">
      <div className="session-title">
        <h1 className="one-line" title={title}>
          {title}
        </h1>
        {session.tags.map((tag) => (
          <span className="tag one-line" key={tag}>
            {visibleTitle(tag)}
          </span>
        ))}
        {session.keep ? <span className="tag">kept</span> : null}
        {closed ? null : (
          <>
            <Button look="bare" small onClick={() => setLabels(true)}>
              Labels
            </Button>
            <Button look="bare" small onClick={() => setPreferences(true)}>
              Preferences
            </Button>
          </>
        )}
      </div>
      <p className="quiet small facts">
        {run === undefined || !(run.status === 'running' || isStopped(run.status)) ? null : (
          <Signal status={run.status} />
        )}
        <WorkflowIds session={session} />
        {mode === undefined ? null : (
          <span>
            {session.runs.some(({ status }) => !status.startsWith('complete')) ? 'Mode' : 'Mode of new runs'}:{' '}
            <ModeName preferences={mode} />
          </span>
        )}
        {session.key !== undefined && session.key !== title ? <span>{session.key}</span> : null}
        {seen?.branch === undefined ? null : <span>on {seen.branch}</span>}
        {seen?.repository === undefined ? null : <span className="one-line">{seen.repository}</span>}
        {session.eventCount === 0 ? null : (
          <>
            <span>
              started <TimeTold at={session.startedAt} />
            </span>
            <span>
              last activity <TimeTold at={session.lastAt} />
            </span>
          </>
        )}
        <span className="figures">{session.eventCount === 1 ? '1 event' : `${session.eventCount} events`}</span>
      </p>
      <div className="session-actions">
        <Button look="bare" pressed={sideOpen} onClick={onSide}>
          Runs and notes
        </Button>
        <OtherViews session={session} />
        <SessionActions session={session} />
      </div>
      {labels ? <LabelDialog session={session} onClose={() => setLabels(false)} /> : null}
      {preferences ? (
        <SessionPreferencesDialog sessionId={session.sessionId} onClose={() => setPreferences(false)} />
      ) : null}
    </header>
  );
}

/** What it follows; where there are several runs, the one that work goes on with, and how many stand beside it. */
function WorkflowIds({ session }: { readonly session: SessionHead }) {
  const { runs } = session;
  const run = standingRun(session);
  if (run === undefined) return null;
  const { workflow, status, pending } = run;
  return (
    <>
      <code className="one-line">{workflow.id}</code>
      {runs.length < 2 ? null : (
        <span>
          {pending === null || isStopped(status)
            ? `${runs.length} runs, none waits`
            : `${runs.length} runs; “${visibleTitle(workflow.title)}” ${status === 'blocked' ? 'is blocked' : status === 'running' ? 'runs' : 'waits'} at ${visibleTitle(pending)}`}
        </span>
      )}
    </>
  );
}

/** The same session told otherwise. */
const OtherViews = ({ session: { sessionId, states } }: { readonly session: SessionHead }) => (
  <>
    <Link className="button" to={{ view: 'timeline', sessionId }}>
      Timeline
    </Link>
    {states === undefined ? null : (
      <Link className="button" to={{ view: 'state', sessionId }}>
        State
      </Link>
    )}
  </>
);
