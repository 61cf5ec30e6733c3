import { Button } from '../parts/button.js';
import { nearestTo } from './moment.js';
import { type Player, speeds } from './use-player.js';

export interface MomentBarProps {
  /** Where each moment stands between start and end, from 0 to 1. */
  readonly places: readonly number[];
  readonly at: number;
  readonly onMove: (index: number) => void;
  readonly player: Player;
  /** What is seen at the moment. */
  readonly words: string;
  /** Moments stand by their time, and not one after the other. */
  readonly byTime: boolean;
  readonly onByTime: (byTime: boolean) => void;
}

/** All that moves through time: the player, the slider, and what it stands on. */
export function MomentBar({ places, at, onMove, player, words, byTime, onByTime }: MomentBarProps) {
  const last = places.length - 1;
  const slide = (to: number): void => {
    const nearest = nearestTo(places, to);
    // A key leads to the next moment, however far away it is.
    onMove(nearest === at ? at + Math.sign(to - (places[at] ?? 0)) : nearest);
  };
  return (
    <>
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
        <Button small pressed={byTime} onClick={() => onByTime(!byTime)} title="Space events by time or evenly">
          True time
        </Button>
      </div>
      <input
        className="moment"
        type="range"
        min={0}
        max={byTime ? 1 : Math.max(0, last)}
        step={byTime ? 0.001 : 1}
        value={byTime ? (places[at] ?? 0) : at}
        aria-label="Moment"
        aria-valuetext={words}
        onChange={(event) => (byTime ? slide : onMove)(Number(event.target.value))}
      />
      <p className="moment-words one-line" title={words}>
        {words}
      </p>
    </>
  );
}
