import { roomOf } from './architecture.js';
import { numbered, type Place } from './house.js';
import { type Box, type Drawn, element, hint, lineHeight, words, wrapped } from './svg.js';
import { wayOfAnAck } from './way-of-an-ack.js';

const gap = 12;
const pad = 12;

interface Laid extends Box {
  readonly place: Place;
  readonly height: number;
}

export const badge = (x: number, y: number, number: number): string =>
  element('circle', { cx: x, cy: y, r: 9, class: 'badge' }) + words(x, y + 4, String(number), 'number');

const stationsIn = (room: string): readonly number[] =>
  wayOfAnAck.flatMap(({ places }, index) => (places.some(([file]) => roomOf(file) === room) ? [index + 1] : []));

const spanOf = ({ folders }: Place): number => (folders.length > 0 ? 2 : 1);
const folderRows = ({ folders }: Place): number => Math.ceil(folders.length / 2);
const headOf = ({ holds }: Place, width: number): number => 36 + wrapped(holds, width - 2 * pad).length * lineHeight;
const heightOf = (place: Place, width: number): number => headOf(place, width) + 26 + folderRows(place) * 21;

function folders({ place, x, y, width, height }: Laid): readonly string[] {
  const rows = folderRows(place);
  const column = (width - 2 * pad - gap) / 2;
  const head = headOf(place, width);
  const pitch = (height - head - 28) / rows;
  const longest = Math.max(...place.folders.map(({ lines }) => lines));
  return place.folders.map(({ name, holds, lines }, index) => {
    const left = x + pad + (index < rows ? 0 : column + gap);
    const top = y + head + (index % rows) * pitch;
    const bar = { x: left, y: top, height: pitch - 4, rx: 3 };
    const middle = top + (pitch - 4) / 2 + 4;
    return element(
      'g',
      {},
      [
        hint(`${name}: ${holds}`),
        element('rect', { ...bar, width: column, class: 'track' }),
        element('rect', { ...bar, width: Math.max(3, (column * lines) / longest), class: 'bar' }),
        words(left + 6, middle, name.slice(place.name.length + 1), 'code on-bar'),
        words(left + column - 6, middle, numbered(lines), 'on-bar end'),
      ].join(''),
    );
  });
}

function card(laid: Laid, longest: number): string {
  const { place, x, y, width, height } = laid;
  const stations = stationsIn(place.name).toReversed();
  return element(
    'g',
    { class: place.pure ? 'pure' : 'world' },
    [
      element('rect', { x, y, width, height, rx: 8, class: 'card' }),
      words(x + pad, y + 24, place.name, 'code name'),
      ...stations.map((number, index) => badge(x + width - 20 - index * 22, y + 19, number)),
      ...wrapped(place.holds, width - 2 * pad).map((line, index) => words(x + pad, y + 43 + index * lineHeight, line)),
      ...folders(laid),
      words(x + pad, y + height - 13, `${numbered(place.files)} files, ${numbered(place.lines)} lines`, 'small'),
      element('rect', {
        x: x + pad,
        y: y + height - 7,
        width: Math.max(2, ((width - 2 * pad) * place.lines) / longest),
        height: 3,
        class: 'size',
      }),
    ].join('\n'),
  );
}

/** A card of each room, in columns: one with folders takes four cells, any other one, or what is left of its row. */
export function roomCards(places: readonly Place[], at: Box, columns: number, longest: number): Drawn {
  const width = (at.width - gap * (columns - 1)) / columns;
  const wide = (span: number): number => width * span + gap * (span - 1);
  const unit = Math.max(
    ...places.map((place) => (heightOf(place, wide(spanOf(place))) - gap * (spanOf(place) - 1)) / spanOf(place)),
  );
  const taken = new Set<number>();
  const isFree = (cell: number, span: number): boolean =>
    (cell % columns) + span <= columns && cellsOf(cell, span).every((one) => !taken.has(one));
  const cellsOf = (cell: number, span: number): readonly number[] =>
    Array.from({ length: span * span }, (_, index) => cell + Math.trunc(index / span) * columns + (index % span));
  const cells = places.map((place) => {
    let cell = 0;
    while (!isFree(cell, spanOf(place))) cell += 1;
    for (const one of cellsOf(cell, spanOf(place))) taken.add(one);
    return cell;
  });
  const rows = 1 + Math.max(...[...taken].map((cell) => Math.trunc(cell / columns)));
  const drawn = places.map((place, index) => {
    const [cell, span] = [cells[index] ?? 0, spanOf(place)];
    let across = span;
    while (span === 1 && (cell % columns) + across < columns && !taken.has(cell + across)) across += 1;
    const x = at.x + (cell % columns) * (width + gap);
    const y = at.y + Math.trunc(cell / columns) * (unit + gap);
    return card({ place, x, y, width: wide(across), height: unit * span + gap * (span - 1) }, longest);
  });
  return { svg: drawn.join('\n'), height: rows * (unit + gap) - gap };
}
