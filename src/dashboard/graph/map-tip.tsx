import { plural } from '../../base/plural.js';
import type { RunGraph } from '../../contract/http-api.js';
import { TimeTold } from '../parts/time-told.js';
import type { Point, Size } from './camera.js';
import { groupsAround, groupWords } from './group-words.js';
import type { TrackLayout } from './lay-tracks.js';
import { placedWords } from './node-words.js';
import { stepTook } from './step-took.js';

export interface MapTipProps {
  readonly graph: RunGraph;
  readonly layout: TrackLayout;
  readonly node: number;
  /** Of its stop, on the map. */
  readonly at: Point;
  readonly size: Size;
  readonly until: number | undefined;
}

const width = 320;

/** All that there is to know of a step that is pointed at: its whole name, where it stands, what happened, when and how long. */
export function MapTip({ graph, layout, node, at, size, until }: MapTipProps) {
  const told = layout.nodes[node];
  if (told === undefined) return null;
  const { title, marks } = placedWords(graph, told);
  const around = groupsAround(graph, told).flatMap((group) => graph.groups[group] ?? []);
  const took = stepTook(layout, node, until);
  const artifacts = took === '' ? 0 : (layout.nodes[layout.heir[node] ?? -1]?.artifacts ?? 0);
  const below = at.y < size.height * 0.6;
  return (
    <div
      className="map-tip"
      role="tooltip"
      style={{
        left: Math.max(8, Math.min(at.x + 12, size.width - Math.min(width, size.width - 16) - 8)),
        maxWidth: Math.min(width, size.width - 16),
        ...(below ? { top: at.y + 16 } : { bottom: size.height - at.y + 16 }),
      }}
    >
      <strong>{title}</strong>
      {around.length === 0 ? null : <p className="quiet small">{around.map(groupWords).join(' › ')}</p>}
      {marks.length === 0 && artifacts === 0 ? null : (
        <p className="small map-tip-marks">
          {marks.map(({ text, tone }) => (
            <span key={text} className={tone}>
              {text}
            </span>
          ))}
          {artifacts === 0 ? null : <span className="quiet">{plural(artifacts, 'artifact')}</span>}
        </p>
      )}
      <p className="quiet small">
        {told.ahead === undefined ? (
          <>
            <TimeTold at={new Date(Date.parse(graph.run.startedAt) + told.at).toISOString()} />
            {took === '' ? null : `, took ${took}`}
          </>
        ) : (
          'Still to come'
        )}
      </p>
    </div>
  );
}
