import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { stepNumber } from '../../base/step-number.js';
import type { RunGraph } from '../../contract/http-api.js';
import { TrackList } from '../graph/track-list.js';
import { tipsToCompare } from '../graph/tips-to-compare.js';
import { TrackMap, type TrackMapHandle } from '../graph/track-map.js';
import { useKeys } from '../keys/use-keys.js';
import { Button } from '../parts/button.js';
import { Link } from '../router/link.js';

export interface RunStageProps {
  readonly graph: RunGraph;
  readonly selected: string;
  readonly onSelect: (nodeId: string) => void;
  /** The page goes along with the agent. */
  readonly follows: boolean;
  readonly onFollow: (on: boolean) => void;
  readonly onOpen: () => void;
}

/** One run: its map or the same as a list, and what has come that cannot be seen. */
export function RunStage({ graph, selected, onSelect, follows, onFollow, onOpen }: RunStageProps) {
  const map = useRef<TrackMapHandle>(null);
  const [listed, setListed] = useState(false);
  const [news, setNews] = useState<readonly string[]>([]);
  const tell = useCallback((ids: readonly string[]) => setNews((now) => [...new Set([...now, ...ids])]), []);
  const newest = graph.run.preferredTip;
  useEffect(() => {
    if (!follows) return;
    map.current?.show(newest);
    setNews((now) => (now.includes(newest) ? now.filter((one) => one !== newest) : now));
  }, [follows, newest]);
  const goTo = (id: string): void => {
    map.current?.show(id);
    onSelect(id);
  };
  const showNews = (): void => {
    const newest = news.at(-1);
    setNews([]);
    if (newest !== undefined) goTo(newest);
  };
  const select = (id: string): void => {
    setNews((now) => (now.includes(id) ? now.filter((one) => one !== id) : now));
    onSelect(id);
  };
  const compared = tipsToCompare(graph, selected);
  useKeys('Map', [
    { keys: 'ArrowUp ArrowDown', says: 'Move along the branch, with the map focused' },
    { keys: 'ArrowLeft ArrowRight', says: 'Go to the next branch' },
    { keys: 'Home End', says: 'Go to the ends of the branch' },
    { keys: 'Enter', says: 'Open the selected step' },
    { keys: 'p', says: 'Go to the preferred tip', run: () => goTo(graph.run.preferredTip) },
    {
      keys: 't',
      says: 'Go to the next tip',
      run: () => goTo(graph.tips[(graph.tips.indexOf(selected) + 1) % graph.tips.length] ?? selected),
    },
    { keys: 'f', says: 'Show the whole run', run: () => map.current?.fit() },
    { keys: '+', says: 'Zoom in', run: () => map.current?.zoom(1.25) },
    { keys: '-', says: 'Zoom out', run: () => map.current?.zoom(0.8) },
    { keys: 'm', says: 'Map or list', run: () => setListed((now) => !now) },
    { keys: 'n', says: 'Show new steps', run: showNews },
    { keys: 'l', says: 'Turn Follow on or off', run: () => onFollow(!follows) },
  ]);
  return (
    <section className="run-stage" aria-label={`Run of ${graph.run.workflow.title}`}>
      <div className="stage-bar">
        <div className="button-group" role="group" aria-label="View">
          <Button small pressed={!listed} onClick={() => setListed(false)}>
            Map
          </Button>
          <Button small pressed={listed} onClick={() => setListed(true)}>
            List
          </Button>
        </div>
        <Button small pressed={follows} onClick={() => onFollow(!follows)} title="Go to each new step as it starts (l)">
          Follow
        </Button>
        {compared === undefined ? null : (
          <Link
            className="button small"
            to={{
              view: 'compare',
              sessionId: graph.sessionId,
              ...compared,
            }}
          >
            Compare branches
          </Link>
        )}
        <span className="spread" />
        {graph.run.stepNumber === undefined ? null : (
          <span className="small quiet standing">{stepNumber(graph.run.stepNumber, graph.run.stepsAbout)}</span>
        )}
        {listed ? null : <ZoomButtons map={map} />}
      </div>
      <div className="stage">
        {listed ? (
          <TrackList graph={graph} selected={selected} onSelect={select} onOpen={onOpen} />
        ) : (
          <TrackMap
            key={graph.run.runId}
            graph={graph}
            selected={selected}
            onSelect={select}
            onOpen={onOpen}
            onNews={tell}
            handle={map}
          />
        )}
        {news.length === 0 ? null : (
          <button type="button" className="news-pill floating" onClick={showNews}>
            {news.length === 1 ? '1 new step' : `${news.length} new steps`}
          </button>
        )}
      </div>
    </section>
  );
}

function ZoomButtons({ map }: { readonly map: RefObject<TrackMapHandle | null> }) {
  return (
    <div className="button-group" role="group" aria-label="Zoom">
      <Button small onClick={() => map.current?.zoom(0.8)} label="Zoom out">
        −
      </Button>
      <Button small onClick={() => map.current?.zoom(1.25)} label="Zoom in">
        +
      </Button>
      <Button small onClick={() => map.current?.fit()} title="Show the whole run (f)">
        Fit
      </Button>
    </div>
  );
}
