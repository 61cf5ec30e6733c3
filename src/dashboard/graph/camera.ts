/** How a map is looked at. Zooming moves rows and lanes closer; signs and words keep their size. */
export interface Camera {
  readonly zoom: number;
  /** Where the first row and lane are drawn, in pixels. */
  readonly x: number;
  readonly y: number;
  /** From far away rows may stand further apart than lanes do, so that a wide run fills the height that there is. */
  readonly stretch: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** On the screen, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** On the map. */
export interface Spot {
  readonly row: number;
  readonly lane: number;
}

/** In rows and lanes. */
export interface Extent {
  readonly rows: number;
  readonly lanes: number;
}

export const zoomRange = { least: 0.02, most: 1.6 } as const;

const rowHeight = 36;
/** Lanes stand far enough apart for words while there are words, and close together from further away. */
const laneStops = [
  [0, 0],
  [0.1, 3.5],
  [0.3, 16],
  [0.5, 150],
  [1, 240],
  [1.6, 320],
] as const;
const margin = { left: 34, top: 34, right: 220, bottom: 48 };

/** Rows any further apart than this have words. */
const wordless = 17;

export const rowGap = ({ zoom, stretch }: Pick<Camera, 'zoom' | 'stretch'>): number =>
  rowHeight * zoom > wordless ? rowHeight * zoom : Math.min(wordless, rowHeight * zoom * stretch);

export function laneGap(zoom: number): number {
  for (const [index, [at, gap]] of laneStops.entries()) {
    const [before, gapBefore] = laneStops[index - 1] ?? [0, 0];
    if (zoom <= at && at > before) return gapBefore + ((zoom - before) / (at - before)) * (gap - gapBefore);
  }
  return laneStops.at(-1)?.[1] ?? 0;
}

/** Rows are far enough apart for a line of words. */
export const hasWords = (camera: Pick<Camera, 'zoom' | 'stretch'>): boolean => rowGap(camera) > wordless;

export const xOf = (camera: Camera, lane: number): number => camera.x + lane * laneGap(camera.zoom);
export const yOf = (camera: Camera, row: number): number => camera.y + row * rowGap(camera);

/** Nearer or further, what lies under a point of the screen staying there. */
export function zoomAt(camera: Camera, factor: number, at: Point): Camera {
  const zoom = Math.min(zoomRange.most, Math.max(zoomRange.least, camera.zoom * factor));
  const lane = (at.x - camera.x) / laneGap(camera.zoom);
  const row = (at.y - camera.y) / rowGap(camera);
  return { ...camera, zoom, x: at.x - lane * laneGap(zoom), y: at.y - row * rowGap({ ...camera, zoom }) };
}

/** All of it, as large as it can be, and no larger than is easy to read. */
export function fitted({ rows, lanes }: Extent, { width, height }: Size): Camera {
  const room = height - margin.top - margin.bottom;
  const fits = (zoom: number): boolean => {
    const words = hasWords({ zoom, stretch: 1 }) ? margin.right : margin.left;
    return (
      (rows - 1) * rowGap({ zoom, stretch: 1 }) <= room && margin.left + (lanes - 1) * laneGap(zoom) + words <= width
    );
  };
  let [least, most]: [number, number] = [zoomRange.least, 1];
  if (fits(most)) least = most;
  for (let turn = 0; turn < 24; turn += 1) {
    const middle = (least + most) / 2;
    if (fits(middle)) least = middle;
    else most = middle;
  }
  const stretch = Math.max(1, room / Math.max(1, (rows - 1) * rowGap({ zoom: least, stretch: 1 })));
  return { zoom: least, x: margin.left, y: margin.top, stretch };
}

/** As somebody first sees a run: all of it where its words can be read then, else as large as is easy to read. */
export function opened(extent: Extent, size: Size): Camera {
  const whole = fitted(extent, size);
  return whole.zoom >= 0.62 ? whole : { ...whole, zoom: 0.9 };
}

/** Moved as little as brings a place well into view. */
export function showing(camera: Camera, place: Spot, { width, height }: Size): Camera {
  const [x, y] = [xOf(camera, place.lane), yOf(camera, place.row)];
  const words = hasWords(camera) ? Math.min(laneGap(camera.zoom), width / 3) : 24;
  const dx = x < margin.left ? margin.left - x : x + words > width ? Math.max(width - words - x, margin.left - x) : 0;
  const dy =
    y < margin.top * 2 ? margin.top * 2 - y : y > height - margin.bottom * 1.5 ? height - margin.bottom * 1.5 - y : 0;
  return dx === 0 && dy === 0 ? camera : { ...camera, x: camera.x + dx, y: camera.y + dy };
}

/** Never so far that nothing of the run is left to see. */
export function within(camera: Camera, { rows, lanes }: Extent, { width, height }: Size): Camera {
  const right = (lanes - 1) * laneGap(camera.zoom);
  const bottom = (rows - 1) * rowGap(camera);
  const x = Math.min(width - margin.left * 2, Math.max(margin.left - right, camera.x));
  const y = Math.min(height - margin.top * 2, Math.max(margin.top - bottom, camera.y));
  return x === camera.x && y === camera.y ? camera : { ...camera, x, y };
}

/** The same place stays where it is on the screen while rows and lanes are counted anew. */
export function keeping(camera: Camera, was: Spot, is: Spot): Camera {
  return {
    ...camera,
    x: camera.x + (was.lane - is.lane) * laneGap(camera.zoom),
    y: camera.y + (was.row - is.row) * rowGap(camera),
  };
}
