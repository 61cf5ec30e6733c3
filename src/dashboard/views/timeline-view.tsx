import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { defined } from '../../base/defined.js';
import type { Timeline } from '../../contract/http-api.js';
import { queries } from '../api/queries.js';
import { useKeys } from '../keys/use-keys.js';
import { NotYet, StateNotice } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { navigate } from '../router/navigate.js';
import { EventList, momentWords } from '../timeline/event-list.js';
import { indexOfMoment } from '../timeline/moment.js';
import { RunThen } from '../timeline/run-then.js';
import { TimelineLanes } from '../timeline/timeline-lanes.js';
import { usePlayer } from '../timeline/use-player.js';
import '../session/session.css';
import '../timeline/timeline.css';

export interface TimelineViewProps {
  readonly sessionId: string;
  /** Place in the session's order; the end where there is none. */
  readonly at?: number;
  readonly runId?: string;
}

/** What happened in a session, in lanes, and the graph as it was at any moment of it. */
export function TimelineView(props: TimelineViewProps) {
  const asked = useQuery(queries.timeline(props.sessionId));
  const { data } = asked;
  if (data === undefined) return <NotYet asked={asked} what="the timeline" lines={9} />;
  if (data.marks.length === 0) {
    return (
      <StateNotice kind="empty" title="Nothing has happened yet">
        <p>This session has no readable events.</p>
        <Link to={{ view: 'session', sessionId: props.sessionId }}>Back to session</Link>
      </StateNotice>
    );
  }
  return <Player {...props} timeline={data} />;
}

/** The address follows when somebody has come to rest, in milliseconds. */
const rest = 350;

function keepAddress(place: {
  readonly sessionId: string;
  readonly at: number | undefined;
  readonly runId: string | undefined;
}): void {
  navigate({ view: 'timeline', ...defined<TimelineViewProps>(place) }, { replace: true });
}

function Player({ timeline, sessionId, at: asked, runId }: TimelineViewProps & { readonly timeline: Timeline }) {
  const { marks, lanes } = timeline;
  const last = marks.length - 1;
  // Without a moment it stays at the end, wherever that moves.
  const [moment, setMoment] = useState(asked);
  const at = indexOfMoment(marks, moment);
  const move = useCallback(
    (index: number) => {
      const to = Math.max(0, Math.min(marks.length - 1, index));
      setMoment(to === marks.length - 1 ? undefined : marks[to]?.seq);
    },
    [marks],
  );
  useEffect(() => {
    const timer = window.setTimeout(() => keepAddress({ sessionId, at: moment, runId }), rest);
    return () => window.clearTimeout(timer);
  }, [moment, sessionId, runId]);
  const player = usePlayer(at, last, move);
  useKeys('Timeline', [
    { keys: ' ', says: 'Play or pause', run: player.toggle },
    { keys: 'ArrowLeft', says: 'Previous event', run: () => move(at - 1) },
    { keys: 'ArrowRight', says: 'Next event', run: () => move(at + 1) },
    { keys: 'PageUp', says: 'Back 10 events', run: () => move(at - 10) },
    { keys: 'PageDown', says: 'Forward 10 events', run: () => move(at + 10) },
    { keys: 'Home', says: 'Go to the start', run: () => move(0) },
    { keys: 'End', says: 'Go to the end', run: () => move(last) },
  ]);
  const here = marks[at];
  const lane = marks.slice(0, at + 1).findLast((mark) => mark.lane !== undefined)?.lane;
  const shown = runId ?? (lane === undefined ? undefined : lanes[lane]?.runId) ?? lanes[0]?.runId;
  const choose = (nodeId: string): void => {
    const index = marks.findIndex(
      (mark) => mark.nodeId === nodeId && (mark.kind === 'step_acked' || mark.kind === 'run_started'),
    );
    if (index >= 0) move(index);
  };
  const words = here === undefined ? '' : `${momentWords(timeline, here.at)}: ${here.says}`;
  return (
    <div className="timeline-view">
      <header className="timeline-head">
        <h1>Timeline</h1>
        <Link to={{ view: 'session', sessionId }}>Back to session</Link>
        <p className="quiet small figures" role="status">
          {at === last ? 'Now' : 'At this point'}, {at + 1} of {marks.length} events
        </p>
      </header>
      <div className="timeline-stage stage">
        {shown === undefined ? (
          <StateNotice kind="empty" place="part" title="No run yet">
            <p>This session only has notes.</p>
          </StateNotice>
        ) : (
          <RunThen
            key={shown}
            timeline={timeline}
            runId={shown}
            at={at}
            onChoose={choose}
            onOpen={(nodeId) => navigate({ view: 'session', sessionId, runId: shown, nodeId })}
          />
        )}
      </div>
      <EventList timeline={timeline} at={at} onMove={move} />
      <TimelineLanes
        timeline={timeline}
        at={at}
        onMove={move}
        shown={shown}
        words={words}
        player={player}
        onRun={(run) => keepAddress({ sessionId, at: moment, runId: runId === run ? undefined : run })}
      />
    </div>
  );
}
