import type { Place } from './house.js';
import { type Box, type Drawn, element, hint, words } from './svg.js';

const dots: readonly { readonly atLeast: number; readonly radius: number; readonly says: string }[] = [
  { atLeast: 30, radius: 6.5, says: '30 or more' },
  { atLeast: 10, radius: 5, says: '10' },
  { atLeast: 3, radius: 3.5, says: '3' },
  { atLeast: 1, radius: 2.2, says: '1' },
];
const labels = 84;

/** Who imports whom: a row imports the columns where it has dots. */
export function importMatrix({ x, y, width }: Box, house: readonly Place[]): Drawn {
  const cell = (width - labels) / house.length;
  const top = y + 112;
  const end = top + cell * house.length;
  const across = (index: number): number => x + labels + cell * (index + 0.5);
  const down = (index: number): number => top + cell * (index + 0.5);
  const lookOf = ({ pure }: Place): string => (pure ? 'pure' : 'world');

  const rows = house.map((place, index) => [
    ...(index % 2 === 0 ? [element('rect', { x, y: top + cell * index, width, height: cell, class: 'stripe' })] : []),
    element(
      'g',
      { class: lookOf(place) },
      [
        words(x + labels - 8, down(index) + 4, place.name, 'code small end tinted'),
        element(
          'g',
          { transform: `translate(${Math.round(across(index)) + 3} ${top - 6}) rotate(-60)` },
          words(0, 0, place.name, 'code small tinted'),
        ),
        element('path', { d: `M${Math.round(across(index)) - 3} ${Math.round(down(index))}h6`, class: 'self' }),
      ].join(''),
    ),
  ]);
  const uses = house.flatMap((place, from) =>
    house.flatMap((other, to) => {
      const count = place.imports[other.name];
      if (count === undefined) return [];
      const radius = dots.find(({ atLeast }) => count >= atLeast)?.radius;
      const told =
        radius === undefined
          ? `${place.name} may import ${other.name}, and does not`
          : `${place.name} imports ${other.name} in about ${count} files`;
      const look = radius === undefined ? { r: 3, class: 'unused' } : { r: radius, class: `dot ${lookOf(other)}` };
      return [element('circle', { cx: across(to), cy: down(from), ...look }, hint(told))];
    }),
  );
  let next = x + labels + 4;
  const legend = [...dots.toReversed(), { radius: undefined, says: 'allowed, unused' }].map(({ radius, says }) => {
    const look = radius === undefined ? { r: 3, class: 'unused' } : { r: radius, class: 'dot world' };
    const drawn = element('circle', { cx: next, cy: end + 18, ...look }) + words(next + 10, end + 22, says, 'small');
    next += says.length * 6 + 28;
    return drawn;
  });
  return {
    svg: [
      words(x, y + 6, 'Who imports whom', 'heading'),
      words(x, y + 28, 'A room imports the columns in which it has a dot.', 'muted'),
      ...rows.flat(),
      ...uses,
      words(x + labels - 8, end + 22, 'files', 'small end'),
      ...legend,
    ].join('\n'),
    height: end + 30 - y,
  };
}
