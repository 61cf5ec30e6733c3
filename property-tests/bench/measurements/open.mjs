import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { ackOf, beginRun, makeWorld, notesOf, openWorld, say } from '../bench-world.mjs';
import { median, pause, timesOf } from '../frame/numbers.mjs';

const steps = 10_000;

/** A session that this process has not seen: read and verified line by line, or with the snapshot that an earlier one left. */
export const measurement = {
  name: 'open',
  says: 'opening a session of 10,000 steps and looking at its tip',
  rounds: 3,
  async prepare() {
    const world = makeWorld();
    const requests = await world.open();
    let at = await beginRun(requests, 'LONG');
    for (let step = 0; step < steps; step += 1)
      ({ answer: at } = await say(requests, 'continue_workflow', ackOf(at, notesOf(1024, step))));
    await requests.close();
    return { world, stateToken: at.stateToken, remove: () => world.remove() };
  },
  async run({ figure, made: { world, stateToken } }) {
    const open = (how) => {
      const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), world.folder, stateToken, how], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (child.status !== 0) throw new Error(`opening the session ended with ${child.status}`);
      return JSON.parse(child.stdout);
    };
    // The first makes sure that there is a snapshot to find.
    open('with its snapshot');
    for (const how of ['without a snapshot', 'with its snapshot']) {
      const { first, again } = open(how);
      figure(`${how}, the first thing a process does`, first, 'ms');
      figure(`${how}, in a process that is warm`, again, 'ms');
    }
    for (const [says, time] of await beneath(join(world.data, 'sessions', 'LONG', 'segments')))
      figure(says, time, 'ms');
  },
};

/** What no reading of these lines can go below, in this very process. */
async function beneath(folder) {
  const segments = readdirSync(folder).map((name) => join(folder, name));
  const lines = segments
    .flatMap((file) => readFileSync(file, 'latin1').trimEnd().split('\n'))
    .map((line) => Buffer.from(line, 'latin1'));
  const parse = () => lines.map((line) => JSON.parse(line.toString('latin1')));
  const kept = serialize(parse());
  const works = {
    'beneath it: reading the bytes': () => segments.map((file) => readFileSync(file)),
    'beneath it: a digest of each line': () => lines.map((line) => hash('sha256', line, 'hex')),
    'beneath it: JSON.parse of each line': parse,
    'beneath a snapshot: v8.deserialize of the same values': () => deserialize(kept),
  };
  const told = [];
  for (const [says, work] of Object.entries(works)) told.push([says, median(await timesOf(9, work))]);
  return told;
}

async function child(folder, stateToken, how) {
  const world = openWorld(folder);
  const snapshots = join(world.data, 'local', 'snapshots');
  const without = how === 'without a snapshot';
  const look = async () => {
    if (without) rmSync(snapshots, { recursive: true, force: true });
    else if (!existsSync(snapshots)) await leaveSnapshot(world, stateToken);
    const begin = performance.now();
    const requests = await world.open();
    await say(requests, 'continue_workflow', { stateToken });
    const time = performance.now() - begin;
    await requests.close();
    return time;
  };
  const first = await look();
  const again = [];
  for (let turn = 0; turn < 9; turn += 1) again.push(await look());
  process.stdout.write(JSON.stringify({ first, again: median(again) }));
}

async function leaveSnapshot(world, stateToken) {
  const requests = await world.open();
  await say(requests, 'continue_workflow', { stateToken });
  await pause(150);
  await requests.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await child(process.argv[2], process.argv[3], process.argv[4]);
