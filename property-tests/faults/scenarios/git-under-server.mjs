import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAgent } from '../frame/agent.mjs';
import { openLedger, settle } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeWorld } from '../frame/world.mjs';

/** What takes files away from under an open segment, or puts others in their place. */
const moves = [
  ['stash', '-u', '-q'],
  ['clean', '-fdq'],
  ['checkout', '-q', 'bare'],
  ['reset', '-q', '--hard', 'HEAD'],
  ['checkout', '-q', '-B', 'aside'],
];

/** Each sync takes this long, so that git moves between the write and the look whether the file is still there. */
const syncMs = 400;
const slowly = [
  'strace',
  '-f',
  '-qq',
  '--seccomp-bpf',
  '-o',
  '/dev/null',
  '-e',
  'trace=fdatasync',
  '-e',
  `inject=fdatasync:delay_enter=${syncMs * 1000}`,
];

const sizeOf = (folder) => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/**
 * Notes are kept while git moves. What was acknowledged after git began to move must be there; of what was acknowledged
 * before, git may have taken away what nobody committed, as it was told to. What is taken away is said.
 */
export const scenario = {
  name: 'git-under-server',
  says: 'git stash, clean, checkout and reset in the data root of a server at work: nothing is acknowledged into a file that is gone, and the session is begun again where it went',
  needs: ['linux', 'git', 'strace'],
  mutants: ['no-inode-check'],
  rounds: 20,
  smoke: 1,
  mutantRounds: 6,
  run: async (options) => {
    const { build, sound } = options;
    const oracle = openOracle(build);
    const sum = await playRounds(options, 'git-under-server', async ({ folder, dice }) => {
      const world = makeWorld(folder);
      const dataDir = join(world.workspace, '.workrail');
      const git = (...words) =>
        execFileSync('git', ['-c', 'user.name=Faults', '-c', 'user.email=faults@example.org', ...words], {
          cwd: world.workspace,
          env: { PATH: process.env.PATH ?? '', HOME: world.home, GIT_CONFIG_NOSYSTEM: '1' },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
      git('init', '-q', '-b', 'bare');
      git('commit', '-q', '--allow-empty', '-m', 'Nothing yet');
      git('checkout', '-q', '-b', 'work');
      // Where files have a second name nothing rests on this look alone: here they can have none.
      mkdirSync(join(dataDir, 'local', 'running'), { recursive: true });
      writeFileSync(join(dataDir, 'local', 'running', 'spare'), '');
      const ledger = openLedger(`G${dice.below(1e6)}`);
      const agent = await startAgent({ ...sound, program: build.program }, world, { dataDir, wrap: slowly });
      const violations = [];
      let token = (await agent.call('start_session', { session: 'GIT-1' })).answer.sessionToken;
      const keep = async () => {
        const said = ledger.text(dice);
        const entry = settle(
          ledger.ask('checkpoint_workflow', {}, said),
          await agent.call('checkpoint_workflow', { sessionToken: token, output: { notesMarkdown: said } }),
        );
        if (entry.outcome !== 'refused') return;
        if (entry.code !== 'SESSION_CHANGED' && entry.code !== 'NOT_FOUND')
          violations.push(`refused as ${entry.code}: ${entry.text.slice(0, 200)}`);
        const begun = await agent.call('start_session', { session: 'GIT-1' });
        if (begun.isError) violations.push(`the session cannot be begun again: ${begun.text.slice(0, 200)}`);
        else token = begun.answer.sessionToken;
      };
      const segments = join(dataDir, 'sessions', 'GIT-1', 'segments');
      for (let count = 0; count < 2; count += 1) await keep();
      git('add', '-A');
      git('commit', '-q', '-m', 'Some work');
      await keep();
      const words = dice.oneOf(moves);
      const from = ledger.entries.length;
      const before = sizeOf(segments);
      const meanwhile = keep();
      // Written, and not yet synced.
      const since = performance.now();
      while (sizeOf(segments) === before && performance.now() - since < syncMs) await pause(1);
      const hit = sizeOf(segments) === before ? 0 : 1;
      git(...words);
      await meanwhile;
      for (let count = 0; count < 4; count += 1) await keep();
      await agent.close();
      const after = ledger.entries.map((entry, index) => (index < from ? { ...entry, outcome: 'asked' } : entry));
      const { violations: found } = await oracle.judge({ ...world, dataDir }, after, {
        may: ['incomplete'],
        repeats: 0,
      });
      const kept = ledger.entries.slice(from).filter(({ outcome }) => outcome === 'acked').length;
      if (kept < 3) violations.push(`only ${kept} of 5 notes were acknowledged`);
      return {
        hit,
        acked: kept,
        violations: [...violations, ...found].map((what) => `git ${words.join(' ')}: ${what}`),
      };
    });
    oracle.close();
    return sum;
  },
};
