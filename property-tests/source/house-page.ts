import { drawGraph } from './architecture.js';
import { housePicture } from './house-picture.js';
import { type Figures, houseOf, numbered, type Place, withLengths } from './house.js';
import { joints, lostPlaces, type Station, wayOfAnAck } from './way-of-an-ack.js';

const rowOf = ({ name, pure, holds, files, lines, imports, folders }: Place): readonly string[] => {
  const isRoom = !name.includes('/');
  const called = isRoom && !pure ? `**\`${name}\`**` : `\`${name}\``;
  const used = Object.entries(imports).map(([other, count]) => `\`${other}\` ${count}`);
  return [
    `| ${called} | ${holds} | ${numbered(files)} | ${numbered(lines)} | ${used.join(', ')} |`,
    ...folders.flatMap(rowOf),
  ];
};

/** What a page says of each place, to be kept while it is nearly right. */
export function figuresIn(page: string): ReadonlyMap<string, Figures> {
  const rows = page.matchAll(/^\| \**`([^`]+)`\** \| .* \| ([\d,]+) \| ([\d,]+) \| (.*) \|$/gmu);
  const number = (text: string): number => Number(text.replaceAll(',', ''));
  return new Map(
    [...rows].map(([, name = '', files = '', lines = '', imports = '']) => {
      const used = [...imports.matchAll(/`([^`]+)` (\d+)/gu)].map(([, other = '', count = '']) => [
        other,
        number(count),
      ]);
      return [name, { files: number(files), lines: number(lines), imports: Object.fromEntries(used) }];
    }),
  );
}

const linked = (places: Station['places']): string =>
  places.map(([file, exported]) => `[${file}](../src/${file}) \`${exported}\``).join(', ');

/** The picture in words, and where a newcomer goes from here. */
export function housePage(house: readonly Place[]): string {
  return `# The house

Where what lives, who may import whom, and the way of one step through all of it. \`npm run generate\` writes this page and its picture from [rooms.ts](../property-tests/source/rooms.ts), [way-of-an-ack.ts](../property-tests/source/way-of-an-ack.ts) and the imports of \`src\`. Its figures leave out tests, are rounded, and stay until one is off by more than a fifth.

<picture>
  <source media="(max-width: 700px)" srcset="house-narrow.svg">
  <img src="house.svg" alt="The rooms with their folders and sizes, the way of one step through them, and who imports whom; the same in words below">
</picture>

From here: [CONTRIBUTING](CONTRIBUTING.md) has the rules and the gates, the [glossary](glossary.md) the words, [laws](laws.md) what always holds and which test says so, [decisions](decisions/0000-index.md) why it is as it is.

## The way of one step

${wayOfAnAck.map(({ name, happens, places }, index) => `${index + 1}. **${name}**: ${happens}. ${linked(places)}`).join('\n')}

Joined by ${linked(joints)}. Other requests take the same way with a decision and an answer of their own; one that only reads leaves out 6 to 8.

## The rooms

Those in bold touch the world; the others are pure. Whoever imports stands above what it imports. Behind the name of each room or folder that may be imported stands how many files do.

| room | what lives there | files | lines | imports |
|---|---|---|---|---|
${house.flatMap(rowOf).join('\n')}
`;
}

/** The files of the picture, from the sources inside `root` and what the page said before. */
export async function houseFiles(root: string, before: string): Promise<Readonly<Record<string, string>>> {
  const lost = lostPlaces(root, [...wayOfAnAck.flatMap(({ places }) => places), ...joints]);
  if (lost.length > 0) throw new Error(lost.join('\n'));
  const house = houseOf(withLengths(root, await drawGraph(root)), figuresIn(before));
  return {
    'docs/house.md': housePage(house),
    'docs/house.svg': housePicture(house, true),
    'docs/house-narrow.svg': housePicture(house, false),
  };
}
