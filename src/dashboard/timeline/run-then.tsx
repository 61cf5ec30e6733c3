import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Timeline } from '../../contract/http-api.js';
import { queries } from '../api/queries.js';
import { TrackMap, type TrackMapHandle } from '../graph/track-map.js';
import { NotYet, StateNotice } from '../parts/state-notice.js';
import { graphThen } from './graph-then.js';

export interface RunThenProps {
  readonly timeline: Timeline;
  readonly runId: string;
  readonly at: number;
  readonly onChoose: (nodeId: string) => void;
  readonly onOpen: (nodeId: string) => void;
}

/** The map of a run as it was; places stay where they are, and what had not happened yet is not there. */
export function RunThen({ timeline, runId, at, onChoose, onOpen }: RunThenProps) {
  const { sessionId } = timeline;
  const asked = useQuery(queries.run(sessionId, runId));
  const { data } = asked;
  const map = useRef<TrackMapHandle>(null);
  const then = useMemo(() => (data === undefined ? undefined : graphThen(data, timeline, at)), [data, timeline, at]);
  const node = then?.at;
  useEffect(() => {
    if (node !== undefined) map.current?.show(node);
  }, [node]);
  if (then === undefined) return <NotYet asked={asked} what="the run" lines={7} place="part" />;
  if (node === undefined) {
    return (
      <StateNotice kind="empty" place="part" title="Not started yet">
        <p>At this point the run “{then.graph.run.workflow.title}” had not started.</p>
      </StateNotice>
    );
  }
  return (
    <TrackMap
      key={runId}
      graph={then.graph}
      until={then.until}
      selected={node}
      onSelect={onChoose}
      onOpen={() => onOpen(node)}
      handle={map}
    />
  );
}
