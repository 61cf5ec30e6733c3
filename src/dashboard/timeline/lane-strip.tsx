import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Timeline } from '../../contract/http-api.js';
import { readMapColours } from '../graph/map-colours.js';
import { readLaneColours } from './lane-colour.js';
import { nearestTo } from './moment.js';
import { lanesHeight, paintLanes, side } from './paint-lanes.js';

export interface LaneStripProps {
  readonly timeline: Timeline;
  /** Where each mark stands, from 0 to 1. */
  readonly places: readonly number[];
  readonly at: number;
  readonly onMove: (index: number) => void;
}

/** The lanes as a picture; what it says is also in the slider and in the list of events. */
export function LaneStrip({ timeline, places, at, onMove }: LaneStripProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [dark, setDark] = useState(false);
  useLayoutEffect(() => {
    const frame = canvas.current?.parentElement;
    if (frame === null || frame === undefined) return undefined;
    setWidth(frame.clientWidth);
    const observer = new ResizeObserver(() => setWidth(frame.clientWidth));
    observer.observe(frame);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    const recolour = (): void => setDark(scheme.matches);
    recolour();
    scheme.addEventListener('change', recolour);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', recolour);
    };
  }, []);
  useLayoutEffect(() => {
    const [picture, context] = [canvas.current, canvas.current?.getContext('2d')];
    if (picture === null || context === null || context === undefined || width === 0) return;
    const ratio = window.devicePixelRatio;
    const [wide, high] = [Math.round(width * ratio), Math.round(lanesHeight(timeline) * ratio)];
    if (picture.width !== wide) picture.width = wide;
    if (picture.height !== high) picture.height = high;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintLanes(context, {
      timeline,
      places,
      at,
      width,
      colours: readMapColours(picture),
      laneColours: readLaneColours(picture, timeline.lanes.length),
    });
  }, [timeline, places, at, width, dark]);
  const scrub = (event: PointerEvent<HTMLCanvasElement>): void => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - left - side) / Math.max(1, width - side * 2);
    onMove(nearestTo(places, part));
  };
  return (
    <canvas
      ref={canvas}
      className="lane-canvas"
      style={{ height: lanesHeight(timeline) }}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={(event) => (event.currentTarget.hasPointerCapture(event.pointerId) ? scrub(event) : undefined)}
    />
  );
}
