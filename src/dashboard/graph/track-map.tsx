import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { RunGraph } from '../../contract/http-api.js';
import { announce } from '../parts/announcer.js';
import { fitted, type Point, showing, zoomAt } from './camera.js';
import { MapEngine } from './map-engine.js';
import { isAhead } from './map-nodes.js';
import { MapTip, type MapTipProps } from './map-tip.js';
import { spokenNode } from './node-words.js';
import { stepTook } from './step-took.js';
import { useMapGestures } from './use-map-gestures.js';
import { type Direction, walkTracks } from './walk-tracks.js';
import { own } from '../../base/own.js';

/** What somebody outside the map may ask of it. */
export interface TrackMapHandle {
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly show: (nodeId: string) => void;
}

export interface TrackMapProps {
  readonly graph: RunGraph;
  readonly selected: string | undefined;
  readonly onSelect: (nodeId: string) => void;
  /** The selected node is to be read. */
  readonly onOpen: () => void;
  /** Which nodes have come that cannot be seen from here. */
  readonly onNews?: (nodeIds: readonly string[]) => void;
  /** Shown as it was: what came after this place in the session's order is left out. */
  readonly until?: number;
  readonly handle: Ref<TrackMapHandle>;
}

const walks: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'start',
  End: 'end',
};

/** A run as a railway seen from above: tracks for branches, switches where they part, a signal at each tip. */
export function TrackMap({ graph, selected, onSelect, onOpen, onNews, until, handle }: TrackMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const engine = useRef<MapEngine>(undefined);
  const first = useRef(graph);
  const help = useId();
  const [pointed, setPointed] = useState<Omit<MapTipProps, 'graph' | 'until'>>();
  /** How far the keyboard has gone into the steps that are still to come. */
  const walked = useRef<number>(undefined);
  useLayoutEffect(() => {
    const [element, picture] = [frame.current, canvas.current];
    if (element === null || picture === null) return undefined;
    const map = new MapEngine(picture, first.current, (node) =>
      setPointed(
        node === undefined
          ? undefined
          : { node, at: map.pointOf(node), layout: map.scene.layout, size: map.scene.size },
      ),
    );
    engine.current = map;
    return () => {
      map.close();
      engine.current = undefined;
    };
  }, []);
  useLayoutEffect(() => {
    const map = engine.current;
    if (map === undefined) return;
    const came = map.update(graph);
    walked.current = undefined;
    const unseen = came.filter((node) => !map.isInView(node)).flatMap((node) => graph.nodes[node]?.id ?? []);
    if (unseen.length > 0) onNews?.(unseen);
  }, [graph, onNews]);
  useLayoutEffect(() => {
    engine.current?.select(selected === undefined ? undefined : engine.current.scene.layout.indexOf.get(selected));
  }, [selected, graph]);
  useLayoutEffect(() => engine.current?.showUntil(until), [until]);
  // After all that the first picture is painted from, and before the browser shows anything.
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const fit = (): void => engine.current?.resize({ width: element.clientWidth, height: element.clientHeight });
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const choose = useCallback(
    (node: number) => {
      const map = engine.current;
      const chosen = map?.scene.layout.nodes[node];
      walked.current = isAhead(chosen) ? node : undefined;
      // What is still to come has no panel; it is told on the map.
      if (isAhead(chosen)) map?.hover(node);
      else if (chosen !== undefined) onSelect(chosen.id);
    },
    [onSelect],
  );
  useMapGestures(frame, engine, choose);
  useImperativeHandle(handle, () => ({
    fit: () => withMap(engine.current, (map) => map.look(fitted(map.scene.layout, map.scene.size))),
    zoom: (factor) => withMap(engine.current, (map) => map.look(zoomAt(map.scene.camera, factor, anchorOf(map)))),
    show: (nodeId) =>
      withMap(engine.current, (map) => {
        const node = map.scene.layout.indexOf.get(nodeId);
        if (node !== undefined) map.look(showing(map.scene.camera, map.place(node), map.scene.size));
      }),
  }));
  const press = (event: KeyboardEvent): void => {
    const map = engine.current;
    if (map === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onOpen();
      return;
    }
    map.focus(true);
    const direction = own(walks, event.key);
    if (direction === undefined) return;
    event.preventDefault();
    const { scene } = map;
    const from = walked.current ?? scene.selected ?? scene.layout.indexOf.get(graph.run.root) ?? 0;
    const to = scene.selected === undefined ? from : walkTracks(scene.layout, from, direction);
    map.look(showing(scene.camera, map.place(to), scene.size));
    const node = scene.layout.nodes[to];
    if (node === undefined) return;
    const below = scene.layout.children[to]?.length ?? 0;
    announce(spokenNode(scene.graph, node, { below, took: stepTook(scene.layout, to, until) }));
    choose(to);
  };
  return (
    <div
      ref={frame}
      className="track-map"
      role="application"
      aria-label={`Map of ${graph.run.workflow.title}`}
      aria-describedby={help}
      tabIndex={0}
      onKeyDown={press}
      onFocus={(event) => engine.current?.focus(event.currentTarget.matches(':focus-visible'))}
      onBlur={() => engine.current?.focus(false)}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {pointed === undefined ? null : <MapTip graph={graph} until={until} {...pointed} />}
      <p id={help} className="for-readers-only">
        {graph.nodes.length} steps on {graph.tips.length} branches
        {graph.ahead === undefined ? '' : `, ${stepsAhead(graph.ahead)}`}. Up and Down move along a branch, Left and
        Right to the next one, Home and End to its ends; Enter opens the selected step. The list shows the same as text.
      </p>
    </div>
  );
}

function withMap(map: MapEngine | undefined, run: (map: MapEngine) => void): void {
  if (map !== undefined) run(map);
}

/** Zooming by key or button goes to what is chosen, where that can be seen. */
function anchorOf(map: MapEngine): Point {
  const { selected, size } = map.scene;
  return selected !== undefined && map.isInView(selected)
    ? map.pointOf(selected)
    : { x: size.width / 2, y: size.height / 2 };
}

const stepsAhead = ({ steps, more }: NonNullable<RunGraph['ahead']>): string =>
  `${steps.length}${more === 0 ? '' : ` and about ${more} more`} to come`;
