import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAgent } from '../frame/agent.mjs';
import { runCommand } from '../frame/command.mjs';
import { openLedger, settle } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeWorld } from '../frame/world.mjs';

/** Of each so many, so that git is at it for as long as it takes to record some dozen steps. */
const changedFiles = 2000;
const perFolder = 200;
const deedsOfRound = 3;
/** What a short run must not leave to the dice. */
const firstDeeds = ['stash', 'clean'];

/** Each is what somebody does beside a working agent: words for git one after the other, with work in between. */
const deeds = {
  stash: [
    ['stash', '-u', '-q'],
    ['stash', 'pop', '-q'],
  ],
  'stash of the session alone': [
    ['stash', 'push', '-u', '-q', '--', '.workrail'],
    ['stash', 'pop', '-q'],
  ],
  clean: [['clean', '-fdq']],
  checkout: [
    ['checkout', '-q', 'aside'],
    ['checkout', '-q', 'work'],
  ],
  rebase: [
    ['commit', '-q', '--allow-empty', '-m', 'More'],
    ['rebase', '-q', '--autostash', 'ahead'],
  ],
  merge: [['merge', '-q', '--no-edit', 'ahead']],
  worktree: [
    ['worktree', 'add', '-q', '-f', '../beside', 'aside'],
    ['worktree', 'remove', '../beside'],
  ],
  commit: [
    ['add', '-A'],
    ['commit', '-q', '-m', 'Some work'],
  ],
};

/** A repository in which much has changed, with a branch that is elsewhere and one that is ahead. */
function makeRepository(world, git) {
  git('init', '-q', '-b', 'aside');
  git('config', 'gc.auto', '0');
  for (let count = 0; count < changedFiles; count += 1) {
    const file = join(world.workspace, `f${Math.floor(count / perFolder)}`, `${count}.txt`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `first ${count}\n`);
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'All files');
  git('checkout', '-q', '-b', 'ahead');
  git('commit', '-q', '--allow-empty', '-m', 'Ahead');
  git('checkout', '-q', '-b', 'work', 'aside');
  for (let count = 0; count < changedFiles; count += 1)
    writeFileSync(join(world.workspace, `f${Math.floor(count / perFolder)}`, `${count}.txt`), `second ${count}\n`);
}

/** One agent that keeps notes as fast as it can, in a server of its own, and does what it is told when it is refused. */
function openWriter({ sound, build, world, dataDir, ledger, dice, session }) {
  let agent;
  let token;
  let stop = false;
  const begin = async () => {
    const begun = await agent.call('start_session', { session });
    if (begun !== undefined && !begun.isError) token = begun.answer.sessionToken;
    return begun;
  };
  const keep = async () => {
    const said = ledger.text(dice);
    const entry = ledger.ask('checkpoint_workflow', {}, said);
    settle(entry, await agent.call('checkpoint_workflow', { sessionToken: token, output: { notesMarkdown: said } }));
    if (entry.outcome === 'refused') await begin();
  };
  const loop = async () => {
    while (!stop) {
      if (token === undefined) await begin();
      else await keep();
      await pause(dice.below(6));
    }
  };
  let running;
  return {
    start: async () => {
      agent = await startAgent({ ...sound, program: build.program }, world, { dataDir });
      stop = false;
      running = loop();
    },
    kill: async () => {
      stop = true;
      await agent.kill();
      await running;
    },
    close: async () => {
      stop = true;
      await running;
      await agent.close();
    },
  };
}

/** All that git has set aside; where it refuses, as a person does it: what stands in the way goes, for it is made again. */
function bringBack(world, git, refused) {
  if (!git.tries('checkout', '-q', 'work')) refused.push('checkout');
  for (let count = 0; count < 20 && git.says('stash', 'list') !== ''; count += 1) {
    if (git.tries('stash', 'pop', '-q')) continue;
    refused.push('stash pop');
    const there = git.says('ls-tree', '-r', '--name-only', 'stash@{0}').split('\n');
    const untracked = git.tries('rev-parse', '-q', '--verify', 'stash@{0}^3')
      ? git.says('ls-tree', '-r', '--name-only', 'stash@{0}^3').split('\n')
      : [];
    for (const [from, files] of [
      ['stash@{0}^3', untracked],
      ['stash@{0}', there],
    ])
      for (const file of files.filter((name) => name.startsWith('.workrail/sessions/'))) {
        const goal = join(world.workspace, file);
        if (existsSync(goal)) continue;
        mkdirSync(dirname(goal), { recursive: true });
        writeFileSync(goal, git.bytes('show', `${from}:${file}`));
      }
    git('stash', 'drop', '-q');
  }
}

/** What the doctor says is to be done, done to the letter. */
async function followDoctor(build, world, dataDir) {
  const looked = await runCommand(build, world, ['doctor', '--json'], { dataDir });
  const { findings } = JSON.parse(looked.out);
  const named = findings.flatMap(({ remedy }) => /\bdoctor (\S+) --repair/u.exec(remedy)?.[1] ?? []);
  for (const session of new Set(named))
    await runCommand(build, world, ['doctor', session, '--repair', '--json'], { dataDir });
  return new Set(named).size;
}

export const scenario = {
  name: 'git-runs-free',
  says: 'git at work for as long as it likes beside two servers that record as fast as they can: when all it set aside is back, and the doctor was followed, no acknowledged line is missing',
  needs: ['linux', 'git'],
  mutants: ['no-spare-names', 'no-taking-up', 'no-word-of-kept'],
  mutantRounds: 6,
  rounds: 20,
  smoke: 1,
  smokeSeconds: 60,
  run: async (options) => {
    const { build, sound, log } = options;
    const oracle = openOracle(build);
    const counts = { asked: 0, repaired: 0, lost: 0, denied: 0, seconds: 0 };
    const refusals = new Map();
    const sum = await playRounds(options, 'git-runs-free', async ({ folder, dice, round }) => {
      const world = makeWorld(folder);
      const dataDir = join(world.workspace, '.workrail');
      const git = openGit(world);
      makeRepository(world, git);
      mkdirSync(dataDir);
      const ledger = openLedger(`F${round}-${dice.below(1e6)}`);
      const two = dice.chance(0.5);
      const of = (name) => openWriter({ sound, build, world, dataDir, ledger, dice, session: two ? name : 'FREE-1' });
      const writers = [of('FREE-1'), of('FREE-2')];
      for (const writer of writers) await writer.start();
      await pause(100);
      const refused = [];
      const done = [];
      let hit = 0;
      let planned = 0;
      const run = async (words) => {
        const before = ledger.entries.length;
        const began = performance.now();
        counts.asked += 1;
        planned += 1;
        if (!(await git.beside(...words))) refused.push(words.slice(0, 2).join(' '));
        counts.seconds += (performance.now() - began) / 1000;
        // Two writers answer every few milliseconds, and git is at times as fast.
        for (let waits = 0; waits < 100 && ledger.entries.length === before; waits += 1) await pause(20);
        if (ledger.entries.length > before) hit += 1;
      };
      if (round > 0 && dice.chance(0.5)) for (const words of deeds.commit) await run(words);
      for (let count = 0; count < deedsOfRound; count += 1) {
        const name = (round === 0 ? firstDeeds[count] : undefined) ?? dice.oneOf(Object.keys(deeds));
        done.push(name);
        const killed = dice.chance(0.3) ? dice.oneOf(writers) : undefined;
        for (const words of deeds[name]) {
          const killing = killed === undefined ? undefined : pause(dice.below(800)).then(() => killed.kill());
          await run(words);
          await killing;
          if (killed !== undefined) await killed.start();
          await pause(dice.below(60));
        }
      }
      for (const writer of writers) await writer.close();
      bringBack(world, git, refused);
      counts.repaired += await followDoctor(build, world, dataDir);
      for (const what of refused) refusals.set(what, (refusals.get(what) ?? 0) + 1);
      const judged = await oracle.judge({ ...world, dataDir }, ledger.entries, { may: ['incomplete'], repeats: 0 });
      const found = new Set(judged.texts);
      const acked = ledger.entries.filter(({ outcome }) => outcome === 'acked');
      const lost = acked.filter(({ said }) => !found.has(said)).length;
      const denied = ledger.entries.filter(({ code, said }) => code === 'SESSION_CHANGED' && found.has(said)).length;
      counts.lost += lost;
      const violations = judged.violations.filter((what) => !what.startsWith('lost: '));
      if (lost > 0) violations.push(`${lost} of ${acked.length} acknowledged lines are lost`);
      // Git had copied them, or the other server had gone on from them, before the look found their file gone.
      counts.denied += denied;
      const odd = ledger.entries.filter(
        ({ outcome, code }) => outcome === 'refused' && code !== 'SESSION_CHANGED' && code !== 'NOT_FOUND',
      );
      if (odd.length > 0) violations.push(`refused as ${odd[0].code}: ${odd[0].text.slice(0, 200)}`);
      return {
        injected: planned,
        hit,
        acked: acked.length,
        violations: violations.map((what) => `${done.join(', ')}: ${what}`),
      };
    });
    const times = [...refusals].map(([what, count]) => `${what} ${count}`).join(', ');
    log(
      `git ran ${counts.asked} times, ${counts.seconds.toFixed(0)} s in all; it refused ${times === '' ? 'never' : times}; ${counts.repaired} sessions were brought back by the doctor; ${counts.lost} of ${sum.acked} acknowledged lines lost, ${counts.denied} there that were refused`,
    );
    oracle.close();
    return sum;
  },
};

function openGit(world) {
  const words = ['-c', 'user.name=Faults', '-c', 'user.email=faults@example.org'];
  const settings = {
    cwd: world.workspace,
    env: { PATH: process.env.PATH ?? '', HOME: world.home, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  };
  const bytes = (...more) =>
    execFileSync('git', [...words, ...more], { ...settings, stdio: ['ignore', 'pipe', 'pipe'] });
  const tries = (...more) => {
    try {
      bytes(...more);
      return true;
    } catch {
      // A rebase or merge that stopped on the way would be in the way of all that comes.
      for (const what of ['rebase', 'merge']) {
        try {
          bytes(what, '--abort');
        } catch {
          continue;
        }
      }
      return false;
    }
  };
  return Object.assign((...more) => void bytes(...more), {
    bytes,
    tries,
    says: (...more) =>
      bytes(...more)
        .toString('utf8')
        .trim(),
    /** While the servers go on. */
    beside: (...more) =>
      new Promise((resolve) => {
        execFile('git', [...words, ...more], settings, (error) => {
          if (error !== null) tries('rev-parse', '-q', '--verify', 'no-such-name');
          resolve(error === null);
        });
      }),
  });
}
