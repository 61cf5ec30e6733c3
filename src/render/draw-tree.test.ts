import { describe, expect, it } from 'vitest';
import { gap, minute, sketchRun } from '../../property-tests/worlds/story-world.js';
import { drawTree } from './draw-tree.js';

const drawn = (
  run: Parameters<typeof drawTree>[0],
  width = 60,
  besides: Partial<Parameters<typeof drawTree>[1]> = {},
): string =>
  drawTree(run, { width, ...besides })
    .map(({ text }) => text)
    .join('\n');

const forked = sketchRun(
  [
    { id: 'a', pending: 'Frame the change' },
    {
      id: 'b',
      parent: 'a',
      pending: 'Weigh the risks',
      node: { checkpoints: [{ event: 'e', at: minute(1), output: { artifacts: [] }, gaps: [], late: false }] },
    },
    { id: 'c', parent: 'b', pending: 'Publish', edge: { gaps: [gap()] } },
    { id: 'd', parent: 'b', pending: 'Publish' },
    { id: 'e', parent: 'd', pending: null },
  ],
  ['e', 'c'],
);

describe('drawTree', () => {
  it('draws the preferred branch straight down, and another one beside it from where it leaves', () => {
    expect(drawn(forked)).toBe(
      [
        '╷ Sketch', //
        '│ Frame the change',
        '│ Weigh the risks  ◆ checkpoint',
        '├─╮ branch 2  ▲ open gap',
        '│ ○ branch 2: waits for Publish',
        '│ Publish',
        '● preferred: complete',
      ].join('\n'),
    );
  });

  it('gives the node of each line, and parts that make up the line', () => {
    const lines = drawTree(forked, { width: 60 });
    expect(lines.map(({ kind, nodeId, preferred }) => [kind, nodeId, preferred])).toEqual([
      ['start', undefined, true],
      ['step', 'a', true],
      ['step', 'b', true],
      ['switch', 'b', false],
      ['tip', 'c', false],
      ['step', 'd', true],
      ['tip', 'e', true],
    ]);
    expect(
      lines.map(({ parts }) =>
        parts
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      ),
    ).toEqual(lines.map(({ text }) => text));
  });

  it('numbers branches from the top, whichever was worked on last, and draws the node of a fork once', () => {
    const run = sketchRun(
      [
        { id: 'a', pending: 'One' },
        { id: 'b', parent: 'a', pending: 'Two' },
        { id: 'c', parent: 'b', pending: 'Three' },
        { id: 'd', parent: 'b', pending: 'Three' },
        { id: 'e', parent: 'a', pending: 'Two' },
        { id: 'f', parent: 'e', pending: 'Three' },
        { id: 'g', parent: 'e', pending: 'Three' },
      ],
      ['c', 'd', 'g', 'f'],
    );
    expect(drawn(run).split('\n')).toEqual([
      '╷ Sketch',
      '│ One',
      '├─╮ branch 2',
      '│ │ Two',
      '│ ├─╮ branch 3',
      '│ │ ○ branch 3: waits for Three',
      '│ ○ branch 2: waits for Three',
      '│ Two',
      '├─╮ branch 4',
      '│ ○ branch 4: waits for Three',
      '● preferred: waits for Three',
    ]);
  });

  it('does not speak of branches where there is one only', () => {
    expect(
      drawn(
        sketchRun(
          [
            { id: 'a', pending: 'One' },
            { id: 'b', parent: 'a', pending: 'Two' },
          ],
          ['b'],
        ),
      ),
    ).toBe('╷ Sketch\n│ One\n● waits for Two');
  });

  it('folds the middle of a long straight stretch and counts what stands beside it', () => {
    const long = sketchRun(
      Array.from({ length: 101 }, (_, index) => ({
        id: `n${index}`,
        ...(index > 0 && { parent: `n${index - 1}` }),
        pending: `Step ${index + 1}`,
        ...(index === 50 && { edge: { gaps: [gap()] } }),
      })),
      ['n100'],
    );
    expect(drawn(long).split('\n')).toEqual([
      '╷ Sketch',
      '│ Step 1',
      '│ Step 2',
      '│ Step 3',
      '┊ … 94 steps  ▲ open gap',
      '│ Step 98',
      '│ Step 99',
      '│ Step 100',
      '● waits for Step 101',
    ]);
    expect(drawn(long, 60, { whole: true }).split('\n')).toHaveLength(102);
  });

  it('counts branches beyond what can be read beside each other', () => {
    const wide = sketchRun(
      [
        { id: 'a', pending: 'One' },
        ...Array.from({ length: 20 }, (_, index) => ({ id: `n${index}`, parent: 'a', pending: 'Two' })),
      ],
      Array.from({ length: 20 }, (_, index) => `n${19 - index}`),
    );
    const lines = drawn(wide).split('\n');
    expect(lines.slice(1, 3)).toEqual(['│ One', '├╌ … 12 branches more']);
    expect(lines.filter((line) => line.includes('○'))).toHaveLength(7);
    expect(
      drawn(wide, 60, { whole: true })
        .split('\n')
        .filter((line) => line.includes('○')),
    ).toHaveLength(19);
  });

  it('names the turn of a loop, since its steps have one title', () => {
    const loop = sketchRun(
      [
        { id: 'a', pending: 'Look', path: 'hunt@1/look' },
        { id: 'b', parent: 'a', pending: 'Look', path: 'hunt@2/look' },
      ],
      ['b'],
    );
    expect(drawn(loop)).toBe('╷ Sketch\n│ Look  hunt@1\n● waits for Look  hunt@2');
  });

  it('says where the beginning of a branch is not on disk', () => {
    const lost = sketchRun(
      [
        { id: 'a', pending: 'One' },
        { id: 'x', parent: 'gone', pending: 'Nine' },
      ],
      ['x', 'a'],
    );
    expect(drawn(lost)).toBe(
      '┆ after missing steps: Lost\n● preferred: waits for Nine\n╷ Sketch\n○ branch 2: waits for One',
    );
  });

  it('cuts titles to the width, and keeps the glyphs of marks when their words do not fit', () => {
    const long = 'A title that goes on and on for longer than any line has room';
    const run = sketchRun(
      [
        { id: 'a', pending: long },
        { id: 'b', parent: 'a', pending: 'Two', edge: { gaps: [gap()] } },
      ],
      ['b'],
    );
    expect(drawn(run, 40).split('\n')[1]).toBe('│ A title that goes on and …  ▲ open gap');
    expect(drawn(run, 24).split('\n')[1]).toBe('│ A title that goes o… ▲');
  });

  it('lets no title break its line or steer a terminal', () => {
    expect(drawn(sketchRun([{ id: 'a', pending: 'One\n● two\u001B[2J\u202E' }], ['a']))).toBe(
      '╷ Sketch\n● waits for One ● two␛[2J⟨U+202E⟩',
    );
  });
});
