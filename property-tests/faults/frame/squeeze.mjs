import { startAgent } from './agent.mjs';
import { countAcked, openLedger } from './ledger.mjs';
import { openOracle } from './oracle.mjs';
import { openPlayer } from './player.mjs';
import { playRounds } from './rounds.mjs';
import { makeWorld } from './world.mjs';

const refusedFor = (ledger) =>
  ledger.entries.filter(({ outcome, code }) => outcome === 'refused' && code === 'STORAGE_FAULT').length;

/**
 * A server plays, something that it needs of the system runs out, and comes back. While it is out, calls are refused as
 * what they are; then the same server acknowledges again, and all that it ever acknowledged is there.
 * `prepare` makes a place for the world and how to squeeze and ease it; `warm` is whether the server has worked before.
 */
export async function squeeze(options, name, { prepare, warm = true, words = 400 }) {
  const { build, sound } = options;
  const oracle = openOracle(build);
  try {
    return await playRounds(options, name, async ({ folder, dice }) => {
      const place = await prepare(folder, dice);
      try {
        const world = makeWorld(place.folder);
        const ledger = openLedger(`S${dice.below(1e6)}`);
        const player = openPlayer({
          ledger: { ...ledger, text: (with_) => ledger.text(with_, words) },
          dice,
          name: 'SQUEEZE',
          tries: 1,
        });
        const apart = { ...world, workspace: options.workDir };
        let agent = await startAgent({ ...sound, program: build.program }, apart);
        await player.play(agent, 5);
        if (!warm) {
          await agent.close();
          agent = await startAgent({ ...sound, program: build.program }, apart);
        }
        await place.squeeze(agent);
        const violations = [];
        let calls = 0;
        while (refusedFor(ledger) < 3 && calls < 400 && (await player.play(agent, 1))) calls += 1;
        const refused = refusedFor(ledger);
        await place.ease(agent);
        const before = countAcked(ledger);
        if (!(await player.play(agent, 8)))
          violations.push(`the server went away: ${agent.stderr().slice(-3).join(' | ')}`);
        else if (countAcked(ledger) - before < 8)
          violations.push(
            `when it had passed, the same server still refused: ${ledger.entries.findLast(({ outcome }) => outcome !== 'acked').text?.slice(0, 200)}`,
          );
        const strange = ledger.entries.find(({ outcome, code }) => outcome === 'refused' && code !== 'STORAGE_FAULT');
        if (strange !== undefined) violations.push(`refused as ${strange.code}: ${strange.text.slice(0, 200)}`);
        await agent.kill();
        violations.push(...(await oracle.judge(world, ledger.entries)).violations);
        return { hit: refused > 0 ? 1 : 0, acked: countAcked(ledger), violations };
      } finally {
        await place.close?.();
      }
    });
  } finally {
    oracle.close();
  }
}
