import { setTimeout as pause } from 'node:timers/promises';
import { startAgent } from '../frame/agent.mjs';
import { countAcked, openLedger } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { openPlayer } from '../frame/player.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeWorld } from '../frame/world.mjs';

/** Servers started and killed on one data root in a round: each comes upon what the killed ones left. */
const killsARound = 4;

/**
 * The moment of the kill is a time, so a round played again is killed elsewhere; kill-at-positions replays exactly. A
 * kill loses nothing that the kernel has been given, so this cannot see a sync that is missing; power-cut can.
 */
export const scenario = {
  name: 'kill-at-random',
  says: 'kill -9 at a random moment of random work; a new server goes on in the same sessions',
  needs: ['linux'],
  mutants: ['acknowledge-before-writing'],
  rounds: 50,
  smoke: 3,
  mutantRounds: 5,
  run: async (options) => {
    const { build, sound } = options;
    const oracle = openOracle(build);
    const sum = await playRounds(options, 'kill-at-random', async ({ folder, dice }) => {
      const world = makeWorld(folder);
      const ledger = openLedger(`K${dice.below(1e6)}`);
      const player = openPlayer({ ledger, dice, name: 'KILL' });
      let hit = 0;
      for (let server = 0; server < killsARound; server += 1) {
        const agent = await startAgent({ ...sound, program: build.program }, world);
        const before = ledger.entries.length;
        const playing = player.play(agent, 1e6);
        // Most are killed at work, some while they come to it: the first call reads keys, workflows and sessions.
        if (dice.chance(0.75)) while (ledger.entries.length < before + 2) await pause(1);
        await pause(dice.below(dice.oneOf([5, 40, 250])));
        await agent.kill();
        if (!(await playing)) hit += 1;
      }
      const { violations } = await oracle.judge(world, ledger.entries);
      return { tried: killsARound, injected: killsARound, hit, acked: countAcked(ledger), violations };
    });
    oracle.close();
    return sum;
  },
};
