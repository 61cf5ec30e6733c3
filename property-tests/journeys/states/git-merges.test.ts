import { expect, it } from 'vitest';
import { Clone, sessionKey } from '../../worlds/git-clones.js';
import { call } from '../../worlds/requests-world.js';
import { patience } from '../../worlds/runs-of-law.js';
import { StateTeam } from '../../worlds/state-team.js';

const merges = 50;

it(
  `${merges} merges of git, criss-cross among them, lose no write to a state, do none twice, and change no version`,
  async () => {
    const first = new Clone('ann', 41, undefined);
    first.init();
    const added = await first.process(0).people.addSchema({ name: 'board', json: { type: 'object' } });
    expect(added.ok).toBe(true);
    const initialData = { own: {}, shared: {}, list: [] };
    await call(first.process(0), 'state_create', { schemaName: 'board', session: sessionKey, initialData });
    first.commit('begun');
    const clones = [first, new Clone('bob', 42, first.folder), new Clone('cyd', 43, first.folder)];
    try {
      const team = new StateTeam(clones, 7);
      while (team.merged < merges) {
        for (let writes = team.roll(4); writes > 0; writes -= 1) await team.write();
        team.merge();
      }
      expect(team.crossed).toBeGreaterThan(5);
      await team.bringTogether();
      const { answer } = await call(first.process(0), 'state_read', { session: sessionKey });
      const conflicts = answer['conflicts'] as string[];
      // They write to two places at the same time: somebody has to say what stands.
      expect(conflicts.length).toBeGreaterThan(0);
      await team.judge(new Set(conflicts));
      for (const [number, conflict] of conflicts.entries()) {
        const how = number % 2 === 0 ? 'leave' : 'apply';
        const settled = await clones[number % 3]!.process(1).people.settleConflict({
          session: sessionKey,
          conflict,
          how,
        });
        expect(settled.ok ? '' : settled.error.message).toBe('');
      }
      for (const clone of clones) clone.commit('settled');
      await team.bringTogether();
      for (const clone of clones)
        expect((await call(clone.process(1), 'state_read', { session: sessionKey })).answer['conflicts']).toEqual([]);
      await team.judge(new Set());
    } finally {
      for (const clone of clones) await clone.close();
    }
  },
  2 * patience,
);
