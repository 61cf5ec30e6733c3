import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { SessionHead } from '../../contract/session-story.js';
import { queries } from '../api/queries.js';
import { NotYet, StateNotice } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { navigate } from '../router/navigate.js';
import { closedBy } from '../session/closed-by.js';
import { RunStage } from '../session/run-stage.js';
import { RunsList } from '../session/runs-list.js';
import { SessionFindings } from '../session/session-findings.js';
import { SessionHeader } from '../session/session-header.js';
import { sessionName } from '../session/session-name.js';
import { SessionNotes } from '../session/session-notes.js';
import { useFollow } from '../session/use-follow.js';
import { StepDetail } from '../step/step-detail.js';
import { nameTab } from '../waiting/tab-sign.js';
import '../session/session.css';

export interface SessionViewProps {
  readonly sessionId: string;
  readonly runId?: string;
  readonly nodeId?: string;
  readonly tab?: string;
}

/** One session: its runs and notes, one run as a railway, and the chosen step. */
export function SessionView({ sessionId, runId, nodeId, tab = 'step' }: SessionViewProps) {
  const asked = useQuery(queries.session(sessionId));
  const { data: session } = asked;
  const [sideOpen, setSideOpen] = useState(false);
  const [stays, setStays] = useState(false);
  const newest = session === undefined ? undefined : newestRun(session);
  const shown = session === undefined ? undefined : (runId ?? newest?.runId);
  const atTip = session?.runs.some((run) => run.runId === shown && run.preferredTip === nodeId) ?? false;
  const goToRun = useCallback(
    (to: string) => navigate({ view: 'session', sessionId, runId: to, tab }, { replace: true }),
    [sessionId, tab],
  );
  // The address says where somebody is; it goes along with the agent into the next run.
  useFollow({ newest: newest?.runId, shown: runId, off: stays || !atTip, go: goToRun });
  useEffect(() => {
    if (session !== undefined) nameTab(`${sessionName(session)} · WorkRail`);
    return () => {
      nameTab('WorkRail');
    };
  }, [session]);
  if (session === undefined) return <NotYet asked={asked} what="the session" lines={9} />;
  return (
    <div className={sideOpen ? 'session-view side-open' : 'session-view'}>
      <div className="session-top">
        <SessionHeader session={session} sideOpen={sideOpen} onSide={() => setSideOpen((now) => !now)} />
        <SessionFindings session={session} />
      </div>
      <div className="session-side">
        {session.runs.length === 0 ? null : <RunsList session={session} chosen={shown} />}
        <SessionNotes session={session} closed={closedBy(session)} />
      </div>
      {shown === undefined ? (
        <NoRun session={session} />
      ) : (
        <Run
          key={shown}
          sessionId={sessionId}
          runId={shown}
          nodeId={nodeId}
          tab={tab}
          closed={closedBy(session)}
          stays={stays}
          onStays={setStays}
        />
      )}
    </div>
  );
}

const newestRun = ({ runs }: SessionHead): SessionHead['runs'][number] | undefined =>
  runs.reduce<SessionHead['runs'][number] | undefined>(
    (newest, run) => (newest === undefined || run.lastAt >= newest.lastAt ? run : newest),
    undefined,
  );

function NoRun({ session }: { readonly session: SessionHead }) {
  if (session.trouble === 'damage' || (session.eventCount === 0 && session.findings.length > 0)) {
    return (
      <StateNotice
        kind="damaged"
        place="part"
        title={session.eventCount === 0 ? 'This session cannot be read' : 'No run of this session can be read'}
      >
        <p>Its files are on disk, unchanged. What is wrong with each, and what to do, is listed above.</p>
        <Link to={{ view: 'care' }}>See all problems</Link>
      </StateNotice>
    );
  }
  return (
    <StateNotice kind="empty" place="part" title="No run yet">
      <p>This session only has notes. A run appears when an agent starts a workflow.</p>
    </StateNotice>
  );
}

interface RunProps {
  readonly sessionId: string;
  readonly runId: string;
  readonly nodeId: string | undefined;
  readonly tab: string;
  readonly closed: string | undefined;
  /** It does not go along with the agent. */
  readonly stays: boolean;
  readonly onStays: (stays: boolean) => void;
}

function Run({ sessionId, runId, nodeId, tab, closed, stays, onStays }: RunProps) {
  const asked = useQuery(queries.run(sessionId, runId));
  const { data: graph } = asked;
  const go = useCallback(
    (to: { readonly nodeId: string; readonly tab: string }) =>
      navigate(
        { view: 'session', sessionId, runId, nodeId: to.nodeId, ...(to.tab !== 'step' && { tab: to.tab }) },
        { replace: true },
      ),
    [sessionId, runId],
  );
  const select = useCallback((id: string) => go({ nodeId: id, tab }), [go, tab]);
  const preferred = graph?.run.preferredTip;
  const follows = useFollow({ newest: preferred, shown: nodeId, off: stays, go: select });
  const follow = (on: boolean): void => {
    onStays(!on);
    if (on && preferred !== undefined) select(preferred);
  };
  if (graph === undefined) return <NotYet asked={asked} what="the run" lines={9} place="part" />;
  const chosen = nodeId ?? graph.run.preferredTip;
  return (
    <>
      <RunStage
        graph={graph}
        selected={chosen}
        onSelect={select}
        follows={follows}
        onFollow={follow}
        onOpen={() => document.getElementById('step-detail')?.focus()}
      />
      <StepDetail
        graph={graph}
        nodeId={chosen}
        tab={tab}
        onTab={(next) => go({ nodeId: chosen, tab: next })}
        onSelect={select}
        closed={closed}
      />
    </>
  );
}
