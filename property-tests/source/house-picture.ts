import { roomOf } from './architecture.js';
import { badge, roomCards } from './house-cards.js';
import { numbered, type Place } from './house.js';
import { importMatrix } from './import-matrix.js';
import { type Box, type Drawn, element, lineHeight, words, wrapped } from './svg.js';
import { joints, wayOfAnAck } from './way-of-an-ack.js';

function way({ x, y, width }: Box, house: readonly Place[]): Drawn {
  const rails: string[] = [];
  const stations: string[] = [];
  let top = y + 34;
  for (const [index, { name, happens, places }] of wayOfAnAck.entries()) {
    const file = places[0]?.[0] ?? '';
    const isPure = house.find((room) => room.name === roomOf(file))?.pure ?? false;
    const told = wrapped(happens, width - 34);
    const height = 30 + told.length * lineHeight;
    if (index < wayOfAnAck.length - 1) rails.push(element('path', { d: `M${x + 10} ${top}v${height}`, class: 'rail' }));
    stations.push(
      element('g', { class: isPure ? 'pure' : 'world' }, badge(x + 10, top, index + 1)),
      words(x + 32, top + 4, name, 'strong'),
      words(x + width, top + 4, file, 'code small end'),
      ...told.map((line, number) => words(x + 32, top + 22 + number * lineHeight, line, 'muted')),
    );
    top += height;
  }
  const joined = ['Joined by', ...joints.map(([file]) => file)];
  return {
    svg: [
      words(x, y + 6, 'The way of one step', 'heading'),
      ...rails,
      ...stations,
      ...joined.map((line, index) =>
        words(x + 32, top + 2 + index * lineHeight, line, index === 0 ? 'muted' : 'code small'),
      ),
    ].join('\n'),
    height: top + joined.length * lineHeight - y,
  };
}

const look = `
svg { --paper: #fff; --ink: #1f2328; --soft: #59636e; --rule: #d1d9e0; --stripe: #f6f8fa }
.world { --tint: #9a5200; --fill: #fff8ee; --edge: #ecc48f; --bar: #f8dfba; --track: #fdeed8 }
.pure { --tint: #0b6a75; --fill: #f0fafa; --edge: #9fd6d9; --bar: #bfe6e8; --track: #dff3f4 }
@media (prefers-color-scheme: dark) {
svg { --paper: #0d1117; --ink: #e6edf3; --soft: #9ba5b0; --rule: #3d444d; --stripe: #151b23 }
.world { --tint: #f2ae6b; --fill: #221a11; --edge: #6e4a22; --bar: #5a3d1e; --track: #33261a }
.pure { --tint: #66cdd4; --fill: #0f2124; --edge: #23626a; --bar: #1c4f56; --track: #16343a }
}
text { font: 12.5px system-ui, "Segoe UI", Roboto, sans-serif; fill: var(--ink) }
.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.title { font-size: 22px; font-weight: 650 } .heading { font-size: 16px; font-weight: 650 }
.name { font-size: 15px; font-weight: 650; fill: var(--tint) } .strong { font-size: 13.5px; font-weight: 600 }
.small { font-size: 11px; fill: var(--soft) } .on-bar { font-size: 11.5px } .muted { fill: var(--soft) }
.tinted { fill: var(--tint) } .end { text-anchor: end }
.number { font-size: 11px; font-weight: 650; text-anchor: middle; fill: var(--paper) }
.paper { fill: var(--paper) } .card { fill: var(--fill); stroke: var(--edge) } .track { fill: var(--track) }
.bar { fill: var(--bar) } .size, .badge, .dot { fill: var(--tint) } .rail, .self { stroke: var(--rule); stroke-width: 2 }
.stripe { fill: var(--stripe) } .unused { fill: none; stroke: var(--soft); stroke-width: 1.2 }
`;

const linesIn = (places: readonly Place[]): string =>
  `${numbered(Math.round(places.reduce((sum, { lines }) => sum + lines, 0) / 1000) * 1000)} lines`;

/** The rooms with their folders and sizes, the way of one step through them, and who imports whom; for a wide page or a narrow one. */
export function housePicture(house: readonly Place[], isWide: boolean): string {
  const [width, margin] = [isWide ? 1000 : 440, 20];
  const inner = { x: margin, width: width - 2 * margin };
  const longest = Math.max(...house.map(({ lines }) => lines));
  const isImported = ({ name }: Place): boolean => house.some(({ imports }) => name in imports);
  const isDoor = (place: Place): boolean => !place.pure && ('requests' in place.imports || !isImported(place));
  const sections: readonly (readonly [title: string, places: readonly Place[]])[] = [
    ['Doors', house.filter(isDoor)],
    ['Behind the doors', house.filter((place) => !place.pure && !isDoor(place))],
    ['Pure: no files, no clock, no chance', house.filter(({ pure }) => pure)],
  ];

  let y = 46;
  const parts = [
    words(margin, y, 'The house', 'title'),
    words(width - margin, y, `${house.length} rooms, ${linesIn(house)}`, 'muted end'),
  ];
  const about =
    'Each room is a folder of src; amber ones touch the world. The numbers are the way of one step, told at the end.';
  for (const line of wrapped(about, inner.width)) parts.push(words(margin, (y += 20), line, 'muted'));
  for (const [title, places] of sections) {
    y += 36;
    parts.push(words(margin, y, title, 'heading'), words(width - margin, y, linesIn(places), 'muted end'));
    const drawn = roomCards(places, { ...inner, y: y + 14 }, isWide ? 4 : 2, longest);
    parts.push(drawn.svg);
    y += 14 + drawn.height;
  }
  y += 40;
  const half = (inner.width - 40) / 2;
  const steps = way({ x: margin, y, width: isWide ? half : inner.width }, house);
  const at = isWide ? { x: margin + half + 40, y, width: half } : { ...inner, y: y + steps.height + 30 };
  const imports = importMatrix(at, house);
  const height = Math.ceil(Math.max(y + steps.height, at.y + imports.height) + margin);
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' },
    [
      '\n<title>The rooms of WorkRail, the way of one step through them, and who imports whom</title>',
      `<style>${look}</style>`,
      element('rect', { width, height, rx: 12, class: 'paper' }),
      ...parts,
      steps.svg,
      imports.svg,
      '',
    ].join('\n'),
  )}\n`;
}
