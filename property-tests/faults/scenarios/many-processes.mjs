import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAgent } from '../frame/agent.mjs';
import { diceOf } from '../frame/dice.mjs';
import { countAcked, openLedger } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { openPlayer } from '../frame/player.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeWorld } from '../frame/world.mjs';

/** What the same servers are put through one after the other in a round. */
const bouts = 10;
const hour = 3_600_000;
const clock = new URL('../frame/clock.mjs', import.meta.url).href;

/** What a server may say to one that comes while another is at it. */
const courteous = new Set(['SESSION_BUSY']);

const stateOf = (pid) => /\) (\w)/u.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];

/** Each bout goes wrong in one way while all of them work; says whether it did. */
const faults = {
  'a server is stopped in the middle of its work, and woken': async ({ servers, dice }) => {
    const { agent } = dice.oneOf(servers);
    await pause(dice.below(12));
    process.kill(agent.pid, 'SIGSTOP');
    // Whoever waits for the disk stops when the disk has answered.
    const since = performance.now();
    while (stateOf(agent.pid) !== 'T' && performance.now() - since < 5000) await pause(2);
    const stopped = stateOf(agent.pid) === 'T';
    await pause(dice.oneOf([15, 80, 300]));
    process.kill(agent.pid, 'SIGCONT');
    return stopped;
  },
  'the clock of a server jumps by an hour or a day': async ({ servers, dice, meanwhile }) => {
    const { agent, player, clockFile } = dice.oneOf(servers);
    await pause(dice.below(8));
    const off = dice.oneOf([-hour, hour, 25 * hour]) + dice.below(1000);
    setClock(clockFile, off);
    await meanwhile;
    const seen = () =>
      existsSync(`${clockFile}.seen`) && readFileSync(`${clockFile}.seen`, 'utf8').includes(`${off}\n`);
    // It may have been done before, and not every call asks for the time.
    for (let calls = 0; calls < 10 && !seen(); calls += 1) await player.play(agent, 1);
    return seen();
  },
  'all of them find a lock that is stale': async ({ stale }) => stale,
};

function setClock(file, off) {
  writeFileSync(`${file}.new`, String(off));
  renameSync(`${file}.new`, file);
}

/** Left by a process that was killed long ago, on a machine of another name or without one. */
function leaveStaleLocks(world, dice) {
  const locks = join(world.dataDir, 'local', 'locks');
  const sessions = join(world.dataDir, 'sessions');
  let left = 0;
  for (const id of readdirSync(sessions)) {
    const lock = join(locks, id);
    try {
      mkdirSync(lock);
    } catch {
      continue;
    }
    left += 1;
    if (dice.chance(0.5))
      writeFileSync(`${lock}.holder`, JSON.stringify({ pid: 1, host: 'elsewhere', since: new Date(0).toISOString() }));
    utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  }
  return left;
}

async function playBout({ world, servers, dice, locked }) {
  const kind = dice.oneOf(
    Object.keys(faults).slice(0, locked && existsSync(join(world.dataDir, 'local', 'locks')) ? 3 : 2),
  );
  let stale = false;
  if (kind.startsWith('all of them')) {
    // The leases of the last bout have gone by then.
    for (const { clockFile } of servers) setClock(clockFile, 0);
    const since = performance.now();
    while (!stale && performance.now() - since < 5000) {
      await pause(60);
      stale = leaveStaleLocks(world, dice) > 0;
    }
  }
  const played = servers.map(({ agent, player }) => player.play(agent, 3 + dice.below(4)));
  const meanwhile = Promise.all(played);
  const [hit, alive] = await Promise.all([faults[kind]({ servers, dice, meanwhile, stale }), meanwhile]);
  return { kind, hit, over: alive.includes(false) };
}

export const scenario = {
  name: 'many-processes',
  says: 'two to eight servers at work on one session or on many, with the lock and without it; some are stopped and woken, clocks jump by hours, stale locks are raced for: every answer that was given stays true',
  needs: ['linux'],
  mutants: ['blind-to-others'],
  rounds: 10,
  smoke: 2,
  smokeSeconds: 15,
  mutantRounds: 2,
  run: async (options) => {
    const { build, sound, seed } = options;
    const oracle = openOracle(build);
    const sum = await playRounds(options, 'many-processes', async ({ round, folder, dice }) => {
      const locked = round % 2 === 0;
      const world = makeWorld(folder);
      const ledger = openLedger(`M${dice.below(1e6)}`);
      const known = [];
      const oneSession = dice.chance(0.6);
      const count = options.stopAtFirst ? 2 : dice.oneOf([2, 3, 4, 6, 8]);
      const servers = [];
      for (let n = 0; n < count; n += 1) {
        const clockFile = join(folder, `clock-${n}`);
        setClock(clockFile, 0);
        const env = {
          NODE_OPTIONS: `--import=${clock}`,
          FAULT_CLOCK: clockFile,
          ...(!locked && { WORKRAIL_LOCK: 'off' }),
        };
        const agent = await startAgent({ ...sound, program: build.program }, world, { env });
        const player = openPlayer({
          ledger,
          dice: diceOf(seed, 'many-processes', round, n),
          name: oneSession ? 'TOGETHER' : `ALONE-${n}`,
          tries: 3,
          known,
          mostSessions: oneSession ? 1 : 3,
        });
        servers.push({ agent, player, clockFile });
      }
      const violations = [];
      let hit = 0;
      for (let bout = 0; bout < bouts && violations.length === 0; bout += 1) {
        const { kind, hit: was, over } = await playBout({ world, servers, dice, locked });
        if (was) hit += 1;
        else options.log(`round ${round}, bout ${bout}: ${kind} did not take place`);
        if (over)
          violations.push(
            `a server went away: ${servers.map(({ agent }) => agent.stderr().slice(-2).join(' | ')).join(' || ')}`,
          );
        const strange = ledger.entries.find(({ outcome, code }) => outcome === 'refused' && !courteous.has(code));
        if (strange !== undefined)
          violations.push(
            `while ${kind}: ${strange.tool} is refused as ${strange.code}: ${strange.text.slice(0, 200)}`,
          );
      }
      await Promise.all(servers.map(({ agent }) => agent.kill()));
      const { violations: found } = await oracle.judge(world, ledger.entries, { repeats: 24 });
      if (found.length === 0 && violations.length === 0)
        rmSync(world.dataDir, { recursive: true, force: true, maxRetries: 3 });
      return {
        tried: bouts,
        injected: bouts,
        hit,
        acked: countAcked(ledger),
        violations: [...violations, ...found].map(
          (what) =>
            `${count} servers, ${oneSession ? 'one session' : 'many sessions'}, ${locked ? 'with' : 'without'} the lock: ${what}`,
        ),
      };
    });
    oracle.close();
    return sum;
  },
};
