import { type RefObject, useEffect } from 'react';
import { type Point, zoomAt } from './camera.js';
import type { MapEngine } from './map-engine.js';

interface Gesture {
  x: number;
  y: number;
  moved: boolean;
}

/** Further than this, in pixels, and a press was a drag. */
const slack = 4;

/** Drag or scroll to move, pinch or Ctrl and the wheel to zoom, press to choose. */
export function useMapGestures(
  frame: RefObject<HTMLElement | null>,
  engine: RefObject<MapEngine | undefined>,
  choose: (node: number) => void,
): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const gestures = new Map<number, Gesture>();
    const pointOf = (event: MouseEvent): Point => {
      const { left, top } = element.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const stop = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(
      kind: K,
      listener: (event: HTMLElementEventMap[K]) => void,
      passive = true,
    ): void => element.addEventListener(kind, listener, { signal: stop.signal, passive });
    on('pointerdown', (event) => {
      if (event.button !== 0 && event.button !== 1) return;
      gestures.set(event.pointerId, { ...pointOf(event), moved: false });
      element.setPointerCapture(event.pointerId);
    });
    on('pointermove', (event) => {
      const map = engine.current;
      if (map === undefined) return;
      const point = pointOf(event);
      const gesture = gestures.get(event.pointerId);
      if (gesture === undefined) {
        const node = map.nodeAt(point);
        map.hover(node);
        element.classList.toggle('over-node', node !== undefined);
        return;
      }
      const other = [...gestures.values()].find((one) => one !== gesture);
      drag(map, gesture, point, other);
    });
    const end = (event: PointerEvent, chosen: boolean): void => {
      const gesture = gestures.get(event.pointerId);
      gestures.delete(event.pointerId);
      element.classList.remove('dragged');
      const node = chosen && gesture?.moved === false ? engine.current?.nodeAt(pointOf(event)) : undefined;
      if (node !== undefined) choose(node);
    };
    const drag = (map: MapEngine, gesture: Gesture, point: Point, other: Gesture | undefined): void => {
      const [dx, dy] = [point.x - gesture.x, point.y - gesture.y];
      if (!gesture.moved && Math.hypot(dx, dy) < slack) return;
      const { camera } = map.scene;
      gesture.moved = true;
      element.classList.add('dragged');
      if (other === undefined) map.look({ ...camera, x: camera.x + dx, y: camera.y + dy });
      else {
        const apart = Math.hypot(gesture.x - other.x, gesture.y - other.y);
        const factor = Math.hypot(point.x - other.x, point.y - other.y) / Math.max(1, apart);
        map.look(zoomAt(camera, factor, { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 }));
      }
      [gesture.x, gesture.y] = [point.x, point.y];
    };
    on('pointerup', (event) => end(event, true));
    on('pointercancel', (event) => end(event, false));
    on('pointerleave', () => engine.current?.hover(undefined));
    on(
      'wheel',
      (event) => {
        const map = engine.current;
        if (map === undefined) return;
        event.preventDefault();
        const { camera } = map.scene;
        const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 1;
        if (event.ctrlKey || event.metaKey)
          map.look(zoomAt(camera, Math.exp(-event.deltaY * unit * 0.004), pointOf(event)));
        else
          map.look({
            ...camera,
            x: camera.x - (event.shiftKey ? event.deltaY : event.deltaX) * unit,
            y: camera.y - (event.shiftKey ? 0 : event.deltaY) * unit,
          });
      },
      false,
    );
    return () => stop.abort();
  }, [frame, engine, choose]);
}
