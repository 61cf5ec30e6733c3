import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { defined } from '../../base/defined.js';
import type { Timeline } from '../../contract/http-api.js';
import { queries } from '../api/queries.js';
import { NotYet, StateNotice } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { navigate } from '../router/navigate.js';
import type { Route } from '../router/route.js';
import { useKeptAddress } from '../router/use-kept-address.js';
import { EventList, momentWords } from '../timeline/event-list.js';
import { indexOfMoment } from '../timeline/moment.js';
import { RunThen } from '../timeline/run-then.js';
import { TimelineLanes } from '../timeline/timeline-lanes.js';
import { useMomentKeys } from '../timeline/use-moment-keys.js';
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

function Player({ timeline, sessionId, at: asked, runId }: TimelineViewProps & { readonly timeline: Timeline }) {
  const { marks, lanes } = timeline;
  const last = marks.length - 1;
  // Without a moment it stays at the end, wherever that moves.
  const [moment, setMoment] = useState(asked);
  // Clones may have written two events at one place.
  const [event, setEvent] = useState<string>();
  const named = event === undefined ? -1 : marks.findIndex((mark) => mark.event === event);
  const at = named < 0 ? indexOfMoment(marks, moment) : named;
  const move = useCallback(
    (index: number) => {
      const to = Math.max(0, Math.min(marks.length - 1, index));
      const mark = to === marks.length - 1 ? undefined : marks[to];
      setMoment(mark?.seq);
      setEvent(mark?.event);
    },
    [marks],
  );
  const place = (run: string | undefined): Route => ({
    view: 'timeline',
    ...defined<TimelineViewProps>({ sessionId, at: moment, runId: run }),
  });
  useKeptAddress(place(runId));
  const player = usePlayer(at, last, move);
  useMomentKeys('Timeline', { at, last, onMove: move, toggle: player.toggle, one: 'event' });
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
        <StateThen sessionId={sessionId} at={at === last ? undefined : here?.seq} />
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
        onRun={(run) => navigate(place(runId === run ? undefined : run), { replace: true })}
      />
    </div>
  );
}

/** The shared state at the same moment. */
function StateThen({ sessionId, at }: { readonly sessionId: string; readonly at: number | undefined }) {
  const { data } = useQuery(queries.session(sessionId));
  return data?.states === undefined ? null : (
    <Link to={{ view: 'state', sessionId, ...(at !== undefined && { at }) }}>State at this point</Link>
  );
}
