import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesUnder, makeWorld } from './bench-world.mjs';
import { median, timed } from './frame/numbers.mjs';
import { lane as floorLane } from './lanes/floor.mjs';
import { lane as libraryLane } from './lanes/library.mjs';
import { lane as mcpLane } from './lanes/mcp.mjs';

const [payload, steps, rounds] = [1024, 1000, 3];
const peersFolder = fileURLToPath(new URL('peers', import.meta.url));

/** What is installed together, the newest first; an older one where the newest cannot be had. Never a dependency of ours. */
const installs = {
  'better-sqlite3': [['better-sqlite3@12']],
  hypercore: [['hypercore'], ['hypercore@11.36.1'], ['hypercore@10']],
  langgraph: [
    ['@langchain/langgraph', '@langchain/langgraph-checkpoint-sqlite', '@langchain/core'],
    ['@langchain/langgraph@1.0.0', '@langchain/langgraph-checkpoint-sqlite@1.0.0', '@langchain/core@1'],
  ],
  mastra: [['@mastra/core', '@mastra/libsql', 'zod']],
};

const systems = [
  { name: 'better-sqlite3', peer: 'better-sqlite3', says: 'a row, WAL, synchronous FULL', synced: true },
  { name: 'hypercore', peer: 'hypercore', says: 'a block', synced: false },
  {
    name: 'LangGraph JS',
    peer: 'langgraph',
    says: 'an invocation of a graph of one node, SQLite saver',
    synced: false,
  },
  {
    name: 'LangGraph JS, FULL',
    peer: 'langgraph',
    variant: 'full',
    says: 'the same with synchronous FULL',
    synced: true,
  },
  {
    name: 'LangGraph JS, history',
    peer: 'langgraph',
    variant: 'grows',
    says: 'the same with a state that keeps every note',
    synced: false,
  },
  { name: 'Mastra', peer: 'mastra', says: 'a resumed workflow that suspends again, LibSQL', synced: false },
];

/** The same durable step in other systems, each with the floor between its steps. What cannot be installed is said. */
export async function compare() {
  const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'workrail-peers-'));
  try {
    const own = [ours('WorkRail, library', libraryLane), ours('WorkRail, MCP stdio', mcpLane)];
    const installed = new Map();
    const theirs = systems.map((system) => {
      if (!installed.has(system.peer)) installed.set(system.peer, install(folder, system.peer));
      return measured(system, installed.get(system.peer));
    });
    return { payload, steps, rounds, systems: [...own, ...theirs] };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Each round in a process of its own, as the others have it. */
function ours(name, lane) {
  process.stderr.write(`compare: ${name}\n`);
  const results = Array.from({ length: rounds }, () => {
    const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), lane.name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
    return JSON.parse(stdout);
  });
  return { name, says: lane.says, synced: true, ...merged(results) };
}

async function oneRound(lane) {
  const world = makeWorld();
  try {
    const session = await lane.open({ world, payload, session: 'COMPARED' });
    const floor = await floorLane.open({ folder: world.folder, lineBytes: payload + 82 });
    const [times, floors] = [[], []];
    for (let at = 0; at < steps; at += 1) {
      floors.push(await timed(() => floor.step()));
      times.push(await timed(() => session.step(at)));
    }
    const bytes = bytesUnder(join(world.data, 'sessions', 'COMPARED')) / steps;
    process.stdout.write(
      JSON.stringify({
        p50: median(times),
        floor: median(floors),
        early: median(times.slice(0, 100)),
        late: median(times.slice(-100)),
        bytes,
      }),
    );
    floor.close();
    await session.close();
  } finally {
    world.remove();
  }
}

/** One peer into a folder of its own, with what runs it; `missing` says why it is not here. */
export function install(parent, peer) {
  const folder = join(parent, peer);
  for (const packages of installs[peer]) {
    process.stderr.write(`compare: installing ${packages.join(' ')}\n`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{}\n');
    const { status } = spawnSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--loglevel=error', '--legacy-peer-deps', ...packages],
      { cwd: folder, stdio: 'ignore', timeout: 300_000, shell: process.platform === 'win32' },
    );
    if (status !== 0) continue;
    for (const script of [`${peer}.mjs`, 'run-peer.mjs']) cpSync(join(peersFolder, script), join(folder, script));
    return { folder, packages };
  }
  return { missing: `npm could not install ${installs[peer].map((packages) => packages.join(' ')).join(', nor ')}` };
}

function measured({ name, peer, variant, says, synced }, { folder, packages, missing }) {
  if (missing !== undefined) return { name, says, synced, missing };
  process.stderr.write(`compare: ${name}\n`);
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['run-peer.mjs', peer, String(payload), String(steps)],
      { cwd: folder, encoding: 'utf8', timeout: 120_000, env: { ...process.env, BENCH_VARIANT: variant ?? '' } },
    );
    if (status !== 0)
      return {
        name,
        says,
        synced,
        missing: `its run ended with ${status ?? 'a timeout'}: ${
          stderr
            .trim()
            .split('\n')
            .find((line) => /error/iu.test(line)) ?? ''
        }`,
      };
    results.push(JSON.parse(stdout.trim().split('\n').at(-1)));
  }
  return {
    name,
    says: `${says} (${packages.map((one) => versionOf(folder, one)).join(', ')})`,
    synced,
    ...merged(results),
  };
}

function versionOf(folder, spec) {
  const name = spec.replace(/(?<=.)@[^@/]*$/u, '');
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--print',
      `JSON.parse(require("fs").readFileSync(${JSON.stringify(join(folder, 'node_modules', name, 'package.json'))})).version`,
    ],
    { encoding: 'utf8' },
  );
  return `${name} ${stdout.trim()}`;
}

const merged = (results) => ({
  toFloor: median(results.map(({ p50, floor }) => p50 / floor)),
  ...Object.fromEntries(
    ['p50', 'floor', 'early', 'late', 'bytes'].map((name) => [name, median(results.map((result) => result[name]))]),
  ),
  rounds: results,
});

if (process.argv[1] === fileURLToPath(import.meta.url))
  await oneRound([libraryLane, mcpLane].find(({ name }) => name === process.argv[2]));
