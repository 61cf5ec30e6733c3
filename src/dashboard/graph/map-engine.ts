import type { RunGraph } from '../../contract/http-api.js';
import {
  type Camera,
  keeping,
  laneGap,
  opened,
  type Point,
  rowGap,
  type Size,
  type Spot,
  within,
  xOf,
  yOf,
} from './camera.js';
import { layBands } from './lay-bands.js';
import { layTracks, type TrackLayout } from './lay-tracks.js';
import { readMapColours } from './map-colours.js';
import { isAhead, mapNodes } from './map-nodes.js';
import { isHidden, type MapScene, wordsBeside } from './map-scene.js';
import { paintMap } from './paint-map.js';
import { wayTo } from './walk-tracks.js';

/** How long a step that has just come is marked, in milliseconds. */
const welcome = 1800;

/** A map that is painted outside of React: what moves sixty times a second must not pass through it. */
export class MapEngine {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #still = window.matchMedia('(prefers-reduced-motion: reduce)');
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)');
  readonly #came = new Map<number, number>();
  readonly #onPointed: (node: number | undefined) => void;
  #widths: ReadonlyMap<number, number> = new Map();
  #scene: MapScene;
  #frame: number | undefined;
  #opened = false;

  /** `onPointed` hears which node is pointed at, and when none is any more. */
  constructor(canvas: HTMLCanvasElement, graph: RunGraph, onPointed: (node: number | undefined) => void) {
    this.#canvas = canvas;
    this.#onPointed = onPointed;
    this.#context = canvas.getContext('2d');
    const layout = layRun(graph);
    this.#scene = {
      graph,
      layout,
      bands: layBands(graph, layout),
      camera: { zoom: 1, x: 0, y: 0, stretch: 1 },
      size: { width: 0, height: 0 },
      colours: readMapColours(canvas),
      selected: undefined,
      hovered: undefined,
      lit: new Set(),
      focused: false,
      until: undefined,
      fresh: new Map(),
    };
    this.#dark.addEventListener('change', this.#recolour);
  }

  close(): void {
    this.#dark.removeEventListener('change', this.#recolour);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  get scene(): MapScene {
    return this.#scene;
  }

  readonly #recolour = (): void => this.#change({ colours: readMapColours(this.#canvas) });

  #change(part: Partial<MapScene>): void {
    this.#scene = { ...this.#scene, ...part };
    this.#frame ??= requestAnimationFrame(this.#paint);
  }

  #paintNow(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#paint();
  }

  readonly #paint = (): void => {
    this.#frame = undefined;
    const { size } = this.#scene;
    if (this.#context === null || size.width === 0) return;
    const now = performance.now();
    for (const [node, at] of this.#came) if (now - at > welcome) this.#came.delete(node);
    const fresh = new Map(
      [...this.#came].map(([node, at]) => [node, this.#still.matches ? 1 : 1 - (now - at) / welcome]),
    );
    const ratio = window.devicePixelRatio;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#widths = paintMap(this.#context, { ...this.#scene, fresh });
    if (fresh.size > 0) this.#frame = requestAnimationFrame(this.#paint);
  };

  resize(size: Size): void {
    const ratio = window.devicePixelRatio;
    this.#canvas.width = Math.round(size.width * ratio);
    this.#canvas.height = Math.round(size.height * ratio);
    const first = !this.#opened && size.width > 0;
    this.#change({ size });
    if (first) {
      this.#opened = true;
      this.look(opened(this.#scene.layout, size));
      const { selected } = this.#scene;
      if (selected !== undefined && !this.isInView(selected)) this.centre(selected);
    }
    // A canvas is empty when its size changes, and the next frame would show that.
    this.#paintNow();
  }

  look(camera: Camera): void {
    const { layout, size } = this.#scene;
    this.hover(undefined);
    this.#change({ camera: within(camera, layout, size) });
  }

  centre(node: number): void {
    const { camera, layout, size } = this.#scene;
    this.look({
      ...camera,
      x: size.width / 2 - laneGap(camera.zoom) / 2 - (layout.lane[node] ?? 0) * laneGap(camera.zoom),
      y: size.height * 0.6 - (layout.row[node] ?? 0) * rowGap(camera),
    });
  }

  place(node: number): Spot {
    const { layout } = this.#scene;
    return { row: layout.row[node] ?? 0, lane: layout.lane[node] ?? 0 };
  }

  /** Where it is on the screen. */
  pointOf(node: number): Point {
    const { row, lane } = this.place(node);
    return { x: xOf(this.#scene.camera, lane), y: yOf(this.#scene.camera, row) };
  }

  isInView(node: number): boolean {
    const { size } = this.#scene;
    const { x, y } = this.pointOf(node);
    return x >= 0 && x <= size.width - 8 && y >= 0 && y <= size.height - 8;
  }

  /** The node under a point, or beside it as far as its words go. */
  nodeAt(point: Point): number | undefined {
    const { camera, layout } = this.#scene;
    const gap = { row: rowGap(camera), lane: laneGap(camera.zoom) };
    const row = Math.round((point.y - camera.y) / gap.row);
    let found: number | undefined;
    let nearest = Math.max(10, Math.min(gap.lane / 2, 16));
    const near = Math.max(1, Math.ceil(8 / gap.row));
    for (let at = Math.max(0, row - near); at <= Math.min(layout.rows - 1, row + near); at += 1) {
      for (const node of layout.inRow[at] ?? []) {
        if (isHidden(this.#scene, node)) continue;
        const dx = point.x - xOf(camera, layout.lane[node] ?? 0);
        const dy = point.y - yOf(camera, at);
        const reach = wordsBeside + (this.#widths.get(node) ?? 0);
        const words = dx > 0 && dx < reach && reach > wordsBeside && Math.abs(dy) < gap.row / 2;
        const distance = words ? Math.min(9, Math.hypot(dx, dy)) : Math.hypot(dx, dy);
        if (distance < nearest) [found, nearest] = [node, distance];
      }
    }
    return found;
  }

  select(node: number | undefined): void {
    this.#change({ selected: node, lit: wayTo(this.#scene.layout, node) });
  }

  hover(node: number | undefined): void {
    if (node === this.#scene.hovered) return;
    this.#change({ hovered: node });
    this.#onPointed(node);
  }

  focus(focused: boolean): void {
    this.#change({ focused });
  }

  showUntil(until: number | undefined): void {
    this.#change({ until });
  }

  /** The run has gone on. What somebody looks at stays where it is. Answers with what is new. */
  update(graph: RunGraph): readonly number[] {
    const { layout: was, camera, selected, size } = this.#scene;
    if (graph === this.#scene.graph) return [];
    const layout = layRun(graph, was);
    const kept = selected !== undefined && this.isInView(selected) ? selected : this.#middle(was, camera, size);
    const id = kept === undefined ? undefined : was.nodes[kept]?.id;
    const now = id === undefined ? undefined : layout.indexOf.get(id);
    const chosen = selected === undefined ? undefined : layout.indexOf.get(was.nodes[selected]?.id ?? '');
    const at = performance.now();
    const came = layout.nodes.flatMap((node, index) => (was.indexOf.has(node.id) || isAhead(node) ? [] : [index]));
    this.#came.clear();
    for (const node of came) this.#came.set(node, at);
    const moved =
      kept === undefined || now === undefined
        ? camera
        : keeping(camera, this.place(kept), { row: layout.row[now] ?? 0, lane: layout.lane[now] ?? 0 });
    this.hover(undefined);
    this.#change({
      graph,
      layout,
      bands: layBands(graph, layout),
      camera: moved,
      selected: chosen,
      lit: wayTo({ nodes: layout.nodes }, chosen),
    });
    return came;
  }

  /** What the eye rests on where nothing is chosen: the node next to the middle of the view. */
  #middle(layout: TrackLayout, camera: Camera, size: Size): number | undefined {
    const row = Math.min(layout.rows - 1, Math.max(0, Math.round((size.height / 2 - camera.y) / rowGap(camera))));
    const lane = (size.width / 2 - camera.x) / laneGap(camera.zoom);
    const distance = (node: number): number => Math.abs((layout.lane[node] ?? 0) - lane);
    return layout.inRow[row]?.reduce<number | undefined>(
      (best, node) => (best === undefined || distance(node) < distance(best) ? node : best),
      undefined,
    );
  }
}

function layRun(graph: RunGraph, before?: TrackLayout): TrackLayout {
  const { nodes, tips } = mapNodes(graph);
  return layTracks(nodes, tips, before);
}
