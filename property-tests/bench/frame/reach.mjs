/** What is to be reached, and which figures say whether it is. `of` gets a figure by its measurement and name. */
export const reach = [
  ...['p50', 'p99'].map((name) => ({
    what: `one durable step through MCP stdio against the least durable tool of the same SDK, both eras, ${name}`,
    reach: '≤ 1.5 ×',
    of: (figure) =>
      mostOf(
        ['2025-11-25', '2026-07-28'].map((revision) =>
          figure('least-durable', `a step against that tool, ${revision}, ${name}`),
        ),
        1.5,
      ),
  })),
  {
    what: 'one durable step through MCP stdio, p50',
    reach: '≤ 3 × the floor',
    of: (figure) => ratio(figure('steps', 'a step through MCP, p50'), 3),
  },
  {
    what: 'the same, beyond the floor and a tool that does nothing',
    reach: '≤ 0.1 ms',
    of: (figure) => most(figure('steps', 'MCP beyond the floor and the tool that does nothing'), 0.1),
  },
  {
    what: 'one durable step through the library, p50',
    reach: '≤ 1.3 × the floor',
    of: (figure) => ratio(figure('steps', 'a step through the library, p50'), 1.3),
  },
  {
    what: 'system calls of a step',
    reach: '1 write, 1 fdatasync, nothing made, renamed or removed',
    of: (figure) => {
      const [writes, syncs, made] = [
        'writes into the log a step',
        'syncs a step',
        'files or folders made, renamed or removed in the session',
      ].map((name) => figure('step-syscalls', name)?.median);
      return writes === undefined
        ? undefined
        : { text: `${writes} write, ${syncs} sync, ${made} made`, holds: writes === 1 && syncs === 1 && made === 0 };
    },
  },
  ...[
    { one: 'a read', what: 'a GET through undici and one append', times: 2.5 },
    { one: 'a write', what: 'a POST through undici and two appends', times: 3 },
  ].map(({ one, what, times }) => ({
    what: `a step of a run that is ${one}, against ${what}, p50`,
    reach: `≤ ${times} ×`,
    of: (figure) => ratio(figure('command-steps', `a step that is ${one}, p50`), times),
  })),
  ...[
    { size: '10 KB', times: 3 },
    { size: '100 KB', times: 6 },
  ].map(({ size, times }) => ({
    what: `a write to a shared document of ${size} through MCP stdio, p50`,
    reach: `≤ ${times} × the floor`,
    of: (figure) => ratio(figure('state-patch', `${size}: a write, p50`), times),
  })),
  {
    what: 'the same of 1 MB, beyond the floor',
    reach: '≤ 4 ms',
    of: (figure) => most(figure('state-patch', '1 MB: beyond the floor'), 4),
  },
  {
    what: 'the log of 10,000 versions of a document of 100 KB',
    reach: '≤ 7 MB',
    of: (figure) => most(figure('state-history', 'the log'), 7),
  },
  {
    what: 'p50 of its last writes against those to a new one',
    reach: '≤ 1.10',
    of: (figure) => most(figure('state-history', 'last against first'), 1.1),
  },
  ...[
    { how: 'without a snapshot', least: 200 },
    { how: 'with its snapshot', least: 25 },
  ].map(({ how, least: bound }) => ({
    what: `that document opened cold ${how}, in a process that is warm`,
    reach: `≤ ${bound} ms`,
    of: (figure) => most(figure('state-history', `opened cold ${how}, in a process that is warm`), bound),
  })),
  {
    what: 'any version of it, the slowest of 40',
    reach: '≤ 150 ms',
    of: (figure) => most(figure('state-history', 'any version, with its snapshot, the slowest of 40'), 150),
  },
  {
    what: 'memory of the server that wrote it',
    reach: '≤ 150 MB (143 MiB)',
    of: (figure) => most(figure('state-history', 'memory of the server then'), 143),
  },
  {
    what: 'p50 of steps 9,900 to 10,000 against 100 to 200, one session',
    reach: '≤ 1.10',
    of: (figure) => most(figure('growth', 'late against early'), 1.1, '×'),
  },
  {
    what: 'mean of steps 1,350 to 1,500 against 100 to 250, a workflow of 1,500 steps in a row',
    reach: '≤ 1.10',
    of: (figure) => most(figure('growth', 'in a row: late against early'), 1.1, '×'),
  },
  {
    what: 'bytes of a step on disk beyond its notes, steps in a row',
    reach: '≤ 400',
    of: (figure) => most(figure('step-bytes', 'a step on disk beyond its notes, one step after another'), 400),
  },
  {
    what: "text of a step's answer beyond the author's prompt, of a step that asks for notes",
    reach: '≤ 1.5 KB',
    of: (figure) => most(figure('step-bytes', "text of a step's answer beyond the author's prompt, at most"), 1536),
  },
  {
    what: 'tools/list, default set',
    reach: '≤ 12 KB',
    of: (figure) => most(figure('step-bytes', 'tools/list, default set'), 12_288),
  },
  {
    what: 'a session of 10,000 steps opened and verified by a process that is warm, without its snapshot',
    reach: '≤ 60 ms',
    of: (figure) => most(figure('open', 'without a snapshot, in a process that is warm'), 60),
  },
  {
    what: 'the same with its snapshot, of which what is asked for is verified',
    reach: '≤ 15 ms',
    of: (figure) => most(figure('open', 'with its snapshot, in a process that is warm'), 15),
  },
  {
    what: 'process start to tools/list',
    reach: '≤ 250 ms',
    of: (figure) => most(figure('start', 'the server, from its start to tools/list'), 250),
  },
  {
    what: '4 processes, sessions of their own, steps a second',
    reach: '≥ 6,000',
    of: (figure) => least(figure('processes', '4 processes, sessions of their own: steps a second'), 6000),
  },
  {
    what: '4 processes, one session, steps a second',
    reach: '≥ 1,500',
    of: (figure) => least(figure('processes', '4 processes, one session: steps a second'), 1500),
  },
  {
    what: 'the longest wait there',
    reach: '≤ 250 ms',
    of: (figure) => longest(figure('processes', '4 processes, one session: longest wait'), 250),
  },
  {
    what: 'the share of the least served there',
    reach: '≥ 0.7',
    of: (figure) => least(figure('processes', '4 processes, one session: share of the least served'), 0.7),
  },
  {
    what: '`resume_session` over 10,000 sessions, warm',
    reach: '≤ 50 ms',
    of: (figure) => most(figure('sessions', '10,000: a look of a process that has looked before, p50'), 50),
  },
  {
    what: 'the same in a new process that finds the register',
    reach: '≤ 2 s',
    of: (figure) => most(figure('sessions', '10,000: the first look of a process, register kept'), 2000),
  },
  {
    what: 'the same with nothing kept: every session is read',
    reach: '≤ 2 s',
    of: (figure) => most(figure('sessions', '10,000: the first look of all, nothing kept'), 2000),
  },
  {
    what: 'memory of the server after 10,000 steps',
    reach: '≤ 150 MB (143 MiB)',
    of: (figure) => most(figure('growth-server', 'memory of the server after 10,000 steps'), 143),
  },
  {
    what: 'most memory while a session is exported: 256 MiB against 128 MiB',
    reach: 'flat: < 1.25 ×',
    of: (figure) => {
      const [small, large] = [128, 256].map(
        (size) => figure('export', `export of ${size} MiB: the most memory it held`)?.median,
      );
      return small === undefined || large === undefined
        ? undefined
        : { text: `${small} → ${large} MiB`, holds: large < 1.25 * small };
    },
  },
  {
    what: 'a version that another process writes to a shared state, heard of over server-sent events and WebSocket, p95',
    reach: '≤ 300 ms',
    of: (figure) =>
      mostOf(
        ['server-sent events', 'WebSocket'].map((door) => figure('state-live', `${door}, p95`)),
        300,
      ),
  },
];

const shown = (value) =>
  Number.isInteger(value)
    ? value.toLocaleString('en')
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2);
const spread = ({ least: from, most: to, values }) =>
  values.length > 1 && from !== to ? ` (${shown(from)}–${shown(to)})` : '';

function most(figure, bound, unit = figure?.unit ?? '') {
  return figure && { text: `${shown(figure.median)} ${unit}${spread(figure)}`, holds: figure.median <= bound };
}

/** Each of several. */
function mostOf(figures, bound) {
  const each = figures.map((figure) => most(figure, bound));
  return each.includes(undefined)
    ? undefined
    : { text: each.map(({ text }) => text).join(' and '), holds: each.every(({ holds }) => holds) };
}

/** Of something that may never be longer: the most of all rounds counts. */
function longest(figure, bound) {
  return (
    figure && { text: `${shown(figure.most)} ${figure.unit}, the longest of all rounds`, holds: figure.most <= bound }
  );
}

function least(figure, bound) {
  return figure && { text: `${shown(figure.median)}${spread(figure)}`, holds: figure.median >= bound };
}

function ratio(figure, bound) {
  return (
    figure && {
      text: `${figure.toFloor.toFixed(2)} × (${figure.toFloorLeast.toFixed(2)}–${figure.toFloorMost.toFixed(2)}); ${figure.median.toFixed(3)} ms`,
      holds: figure.toFloor <= bound,
    }
  );
}
