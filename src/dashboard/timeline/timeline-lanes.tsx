import { useMemo } from 'react';
import type { Timeline } from '../../contract/http-api.js';
import { useRemembered } from '../parts/remembered.js';
import { nearestTo, placesOf } from './moment.js';
import { Button } from '../parts/button.js';
import { laneColour } from './lane-colour.js';
import { LaneStrip } from './lane-strip.js';
import { type Player, speeds } from './use-player.js';

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
  const last = marks.length - 1;
  const [byTime, setByTime] = useRemembered('timeline by time');
  const places = useMemo(() => placesOf(marks, byTime), [marks, byTime]);
  const slide = (to: number): void => {
    const nearest = nearestTo(places, to);
    // A key leads to the next event, however far away it is.
    onMove(nearest === at ? at + Math.sign(to - (places[at] ?? 0)) : nearest);
  };
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
      <div className="player">
        <Button small onClick={player.toggle} title="Play or pause (Space)">
          {player.playing ? 'Stop' : at === last ? 'Replay' : 'Play'}
        </Button>
        <div className="button-group" role="group" aria-label="Speed">
          {speeds.map((speed) => (
            <Button
              key={speed}
              small
              pressed={player.speed === speed}
              onClick={() => player.setSpeed(speed)}
              label={`${speed}× as fast`}
            >
              {`${speed}×`}
            </Button>
          ))}
        </div>
        <Button small pressed={byTime} onClick={() => setByTime(!byTime)} title="Space events by time or evenly">
          True time
        </Button>
      </div>
      <input
        className="moment"
        type="range"
        min={0}
        max={byTime ? 1 : last}
        step={byTime ? 0.001 : 1}
        value={byTime ? (places[at] ?? 0) : at}
        aria-label="Moment"
        aria-valuetext={words}
        onChange={(event) => (byTime ? slide : onMove)(Number(event.target.value))}
      />
      <p className="moment-words one-line" title={words}>
        {words}
      </p>
    </section>
  );
}

/** In the colour of the lane, beside its name. */
const LaneMark = ({ lane }: { readonly lane: number | undefined }) => (
  <span className="lane-mark" aria-hidden="true" style={{ background: `var(${laneColour(lane)})` }} />
);
