const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #222 }
.small { font-size: 11px; fill: #555 }
.line { stroke: #bbb; stroke-width: 1 }
@media (prefers-color-scheme: dark) { text { fill: #eee } .small { fill: #aaa } .line { stroke: #555 } }
</style>`;
const colours = [
  '#4c6ef5',
  '#12b886',
  '#fab005',
  '#e8590c',
  '#ae3ec9',
  '#1098ad',
  '#868e96',
  '#f06595',
  '#5c940d',
  '#a61e4d',
  '#364fc7',
  '#099268',
  '#d9480f',
  '#495057',
];
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const drawn = (width, height, title, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">\n<title>${escaped(title)}</title>\n${style}\n${parts.join('\n')}\n</svg>\n`;

/** Bars of what the parts of a step cost: the floor, the tool that does nothing, the library and MCP as measured, and the library's own part as the profiler divides it. */
export function stepPicture(figure, measurements) {
  const ms = (name) => figure('steps', name)?.median ?? 0;
  const floor = ms('floor: append and fdatasync of the same bytes, p50');
  const noop = ms('a tool of the SDK that does nothing, p50');
  const library = ms('a step through the library, p50');
  const mcp = ms('a step through MCP, p50');
  const stacks = [
    ['the floor', [['append and sync', floor]]],
    [
      'through the library',
      [
        ['append and sync', floor],
        ['what the library adds', Math.max(0, library - floor)],
      ],
    ],
    [
      'through MCP',
      [
        ['append and sync', floor],
        ['what the library adds', Math.max(0, library - floor)],
        ['a tool of the SDK that does nothing', noop],
        ['longer answers and what else MCP adds', Math.max(0, mcp - library - noop)],
      ],
    ],
  ];
  const names = [...new Set(stacks.flatMap(([, parts]) => parts.map(([name]) => name)))];
  const widest = Math.max(
    ...stacks.map(([, parts]) => parts.reduce((sum, [, value]) => sum + value, 0)),
    Number.EPSILON,
  );
  const out = ['<text x="12" y="22">One step, milliseconds at p50</text>'];
  let y = 40;
  for (const [title, parts] of stacks) {
    out.push(`<text x="12" y="${y + 17}">${escaped(title)}</text>`);
    let x = 160;
    for (const [name, value] of parts) {
      const width = (value / widest) * 500;
      out.push(
        `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="24" fill="${colours[names.indexOf(name)]}"><title>${escaped(name)}: ${value.toFixed(3)} ms</title></rect>`,
      );
      x += width;
    }
    out.push(
      `<text x="${(x + 6).toFixed(1)}" y="${y + 17}">${parts.reduce((sum, [, value]) => sum + value, 0).toFixed(3)}</text>`,
    );
    y += 34;
  }
  names.forEach((name, at) =>
    out.push(
      `<rect x="${160 + (at % 2) * 290}" y="${y + 4 + Math.floor(at / 2) * 18}" width="11" height="11" fill="${colours[at]}"/><text class="small" x="${176 + (at % 2) * 290}" y="${y + 14 + Math.floor(at / 2) * 18}">${escaped(name)}</text>`,
    ),
  );
  y += 30 + Math.ceil(names.length / 2) * 18;
  const parts = (measurements.find(({ name }) => name === 'step-parts')?.figures ?? []).filter(
    ({ median }) => median >= 1,
  );
  const most = Math.max(...parts.map(({ median }) => median), 1);
  out.push(`<text x="12" y="${y + 10}">Of a step through the library, microseconds as the profiler sees them</text>`);
  y += 24;
  parts.forEach(({ name, median }, at) => {
    const width = (median / most) * 420;
    out.push(
      `<text class="small" x="12" y="${y + 12}">${escaped(name)}</text><rect x="220" y="${y}" width="${width.toFixed(1)}" height="15" fill="${colours[at % colours.length]}"/><text class="small" x="${(226 + width).toFixed(1)}" y="${y + 12}">${median.toFixed(0)}</text>`,
    );
    y += 19;
  });
  return drawn(760, y + 8, 'What a step is made of', out);
}

/** The p50 of a hundred steps at each mark of a session that grows to 100,000, above the floor of the same moment. */
export function growthPicture(measurements) {
  const points = (measurements.find(({ name }) => name === 'growth-far')?.figures ?? []).flatMap(
    ({ name, median, floors }) => {
      const from = /^steps ([\d,]+) and on/u.exec(name)?.[1];
      return from === undefined ? [] : [{ from: Number(from.replaceAll(',', '')), step: median, floor: floors[0] }];
    },
  );
  const most = Math.max(...points.map(({ step }) => step), Number.EPSILON) * 1.15;
  const [left, top, width, height] = [60, 40, 640, 200];
  const x = (from) => left + (from / 100_000) * width;
  const y = (value) => top + height - (value / most) * height;
  const out = [
    '<text x="12" y="22">A session that grows to 100,000 steps: milliseconds of a step, p50 of a hundred</text>',
  ];
  for (const share of [0, 0.5, 1])
    out.push(
      `<line class="line" x1="${left}" x2="${left + width}" y1="${y(most * share)}" y2="${y(most * share)}"/><text class="small" x="12" y="${y(most * share) + 4}">${(most * share).toFixed(2)}</text>`,
    );
  const lines = [
    ['step', colours[0], 'a step through the library'],
    ['floor', colours[1], 'the floor at that moment'],
  ];
  lines.forEach(([kind, colour, says], at) => {
    out.push(
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map((point) => `${x(point.from).toFixed(1)},${y(point[kind]).toFixed(1)}`).join(' ')}"/>`,
    );
    for (const point of points)
      out.push(`<circle cx="${x(point.from).toFixed(1)}" cy="${y(point[kind]).toFixed(1)}" r="3" fill="${colour}"/>`);
    out.push(
      `<rect x="${left + at * 240}" y="${top + height + 34}" width="11" height="11" fill="${colour}"/><text class="small" x="${left + 16 + at * 240}" y="${top + height + 44}">${says}</text>`,
    );
  });
  for (let from = 0; from <= 100_000; from += 20_000)
    out.push(
      `<text class="small" text-anchor="middle" x="${x(from)}" y="${top + height + 18}">${from.toLocaleString('en')}</text>`,
    );
  return drawn(760, top + height + 60, 'The cost of a step while a session grows', out);
}
