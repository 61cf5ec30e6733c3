import { useMemo } from 'react';
import type { Timeline } from '../../contract/http-api.js';
import { useRemembered } from '../parts/remembered.js';
import { placesOf } from './moment.js';
import { laneColour } from './lane-colour.js';
import { LaneStrip } from './lane-strip.js';
import { MomentBar } from './moment-bar.js';
import type { Player } from './use-player.js';

export interface TimelineLanesProps {
  readonly timeline: Timeline;
  /** Index of the mark that is shown. */
  readonly at: number;
  readonly onMove: (index: number) => void;
  /** The run whose map is shown. */
  readonly shown: string | undefined;
  readonly onRun: (runId: string) => void;
  readonly player: Player;
  /** What happened at the moment. */
  readonly words: string;
}

/** A lane a run and one for the session, with all that moves through time. */
export function TimelineLanes({ timeline, at, onMove, shown, onRun, player, words }: TimelineLanesProps) {
  const { lanes, marks } = timeline;
  const [byTime, setByTime] = useRemembered('timeline by time');
  const places = useMemo(() => placesOf(marks, byTime), [marks, byTime]);
  return (
    <section className="timeline-lanes" aria-label="Lanes">
      <div className="lane-names">
        <span className="lane-name">
          <LaneMark lane={undefined} />
          The session
        </span>
        {lanes.map(({ runId, title }, lane) => (
          <button
            key={runId}
            type="button"
            className="lane-name one-line"
            aria-pressed={runId === shown}
            title={`Show the run of ${title}`}
            onClick={() => onRun(runId)}
          >
            <LaneMark lane={lane} />
            {title}
          </button>
        ))}
      </div>
      <div className="lane-frame">
        <LaneStrip timeline={timeline} places={places} at={at} onMove={onMove} />
      </div>
      <MomentBar
        places={places}
        at={at}
        onMove={onMove}
        player={player}
        words={words}
        byTime={byTime}
        onByTime={setByTime}
      />
    </section>
  );
}

/** In the colour of the lane, beside its name. */
const LaneMark = ({ lane }: { readonly lane: number | undefined }) => (
  <span className="lane-mark" aria-hidden="true" style={{ background: `var(${laneColour(lane)})` }} />
);
