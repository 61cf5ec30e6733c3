import { startAgent } from '../frame/agent.mjs';
import { openLedger, settle } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeWorld } from '../frame/world.mjs';

const racesARound = 12;

/**
 * The lock is a courtesy: it admits two holders when a stale one is raced for, when a stopped one wakes, when a clock
 * jumps. So every second round is played without any, which is the worst that a lock can do.
 */
export const scenario = {
  name: 'two-holders',
  says: 'two servers are given the same step at the same moment: with the lock it is recorded once; without any lock both answers stay true and nothing is lost',
  needs: [],
  mutants: ['no-lock'],
  rounds: 20,
  smoke: 2,
  mutantRounds: 8,
  run: async (options) => {
    const { build, sound } = options;
    const oracle = openOracle(build);
    const sum = await playRounds(options, 'two-holders', async ({ round, folder, dice }) => {
      const locked = round % 2 === 0;
      const world = makeWorld(folder);
      const ledger = openLedger(`L${dice.below(1e6)}`);
      const env = locked ? {} : { WORKRAIL_LOCK: 'off' };
      const servers = await Promise.all(
        [1, 2].map(() => startAgent({ ...sound, program: build.program }, world, { env })),
      );
      const begun = await servers[0].call('start_workflow', {
        workflowId: 'user.chain',
        session: 'RACE-1',
        context: { about: 'a race' },
      });
      let pair = begun.answer;
      const violations = [];
      let differed = 0;
      for (let race = 0; race < racesARound; race += 1) {
        const { stateToken, ackToken } = pair;
        const said = ledger.text(dice);
        const args = { stateToken, ackToken, output: { notesMarkdown: said } };
        const entries = servers.map(() => ledger.ask('continue_workflow', args, said));
        const answers = await Promise.all(servers.map((server) => server.call('continue_workflow', args)));
        for (const [index, answer] of answers.entries()) settle(entries[index], answer);
        for (const { outcome, text } of entries)
          if (outcome !== 'acked') violations.push(`refused: ${text?.slice(0, 200)}`);
        if (entries[0].answer?.stateToken !== entries[1].answer?.stateToken) differed += 1;
        pair = entries[0].answer ?? pair;
        if (violations.length > 0) break;
      }
      await Promise.all(servers.map((server) => server.kill()));
      if (locked && differed > 0)
        violations.push(`${differed} of ${racesARound} steps were recorded twice although there is a lock`);
      // What was recorded twice answers with one of the two; each node that was answered with must stand.
      const known = locked ? ledger.entries : ledger.entries.map((entry) => ({ ...entry, args: {} }));
      const { violations: found } = await oracle.judge(world, known, { repeats: 2 * racesARound });
      const real = locked ? found : found.filter((what) => !what.startsWith('recorded 2 times'));
      return {
        tried: racesARound,
        injected: racesARound,
        hit: racesARound,
        acked: ledger.entries.length,
        violations: [...violations, ...real],
      };
    });
    oracle.close();
    return sum;
  },
};
