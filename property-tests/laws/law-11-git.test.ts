import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Clone, sessionKey } from '../worlds/git-clones.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const hasGit = spawnSync('git', ['--version']).status === 0;

type Meeting = 'merge' | 'squash' | 'rebase' | 'rebase with uncommitted work' | 'cherry-pick';

interface Round {
  readonly meeting: Meeting;
  /** Which of the two comes to the other. */
  readonly guest: 0 | 1;
  readonly work: readonly { readonly who: number; readonly process: number; readonly pick: number }[];
  /** Commits in between, so that history holds segments that grew. */
  readonly commits: readonly number[];
  /** The two processes of a clone at the same moment. */
  readonly atOnce: boolean;
}

const round: fc.Arbitrary<Round> = fc.record({
  meeting: fc.constantFrom<Meeting>('merge', 'squash', 'rebase', 'rebase with uncommitted work', 'cherry-pick'),
  guest: fc.constantFrom<0 | 1>(0, 1),
  work: fc.array(fc.record({ who: fc.nat(1), process: fc.nat(1), pick: fc.nat(100) }), {
    minLength: 2,
    maxLength: 8,
    size: 'max',
  }),
  commits: fc.array(fc.nat(7), { maxLength: 3 }),
  atOnce: fc.boolean(),
});

/** The guest takes in what the host has, in one of git's ways; afterwards the host takes the guest's result. */
function meet(guest: Clone, host: Clone, { meeting }: Round): void {
  guest.git('fetch', '-q', host.folder, 'main:refs/remotes/other/main', '--force');
  const commands: { readonly [name in Meeting]: readonly (readonly string[])[] } = {
    merge: [['merge', '-q', '--no-edit', 'other/main']],
    squash: [
      ['merge', '-q', '--squash', 'other/main'],
      ['commit', '-q', '--allow-empty', '-m', 'all of it at once'],
    ],
    rebase: [['rebase', '-q', 'other/main']],
    'rebase with uncommitted work': [['rebase', '-q', '--autostash', 'other/main']],
    'cherry-pick': [['cherry-pick', '--allow-empty', '--keep-redundant-commits', 'HEAD..other/main']],
  };
  // Merges cannot be picked without saying which side is meant, and nothing cannot be picked at all.
  const pickable =
    guest.git('rev-list', 'HEAD..other/main') !== '' && guest.git('rev-list', '--merges', 'HEAD..other/main') === '';
  for (const command of meeting === 'cherry-pick' && !pickable ? commands.merge : commands[meeting])
    guest.git(...command);
  if (guest.git('ls-files', '--unmerged') !== '') throw new Error(`${meeting} left a conflict`);
  guest.commit('what was under way');
  host.git('fetch', '-q', guest.folder, 'main:refs/remotes/other/main', '--force');
  host.commit('what was under way');
  // After a squash or a rebase the two histories are not each other's: the host merges them all the same.
  host.git('merge', '-q', '--no-edit', 'other/main');
}

describe.runIf(hasGit)('law 11: clones that each did random work, and real git', () => {
  test(
    'merged, squashed, rebased or picked: no conflict, nothing lost, nothing found amiss',
    { timeout: patience },
    async () => {
      const met = new Map<Meeting, number>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(round, { minLength: 3, maxLength: 6, size: 'max' }),
          fc.nat(),
          async (rounds, seed) => {
            const first = new Clone('ada', seed, undefined);
            const clones = [first];
            try {
              first.init();
              await first.work(0, 1);
              first.commit('begun');
              const second = new Clone('ben', seed + 1, first.folder);
              clones.push(second);
              for (const one of rounds) {
                for (const [index, { who, process, pick }] of one.work.entries()) {
                  const clone = clones[who]!;
                  if (one.atOnce) await Promise.all([clone.work(process, pick), clone.work(process + 1, pick + 3)]);
                  else await clone.work(process, pick);
                  if (one.commits.includes(index)) clone.commit(`after ${index}`);
                }
                const [guest, host] = [clones[one.guest]!, clones[1 - one.guest]!];
                if (one.meeting !== 'rebase with uncommitted work') guest.commit('before the meeting');
                host.commit('before the meeting');
                meet(guest, host, one);
                met.set(one.meeting, (met.get(one.meeting) ?? 0) + 1);
                for (const clone of clones) {
                  for (const process of [0, 1]) {
                    const { text, findings } = await clone.read(process);
                    expect({ meeting: one.meeting, clone: clone.name, findings }).toEqual({
                      meeting: one.meeting,
                      clone: clone.name,
                      findings: [],
                    });
                    const missing = clones
                      .flatMap(({ acknowledged }) => acknowledged)
                      .filter((said) => !text.includes(JSON.stringify(said).slice(1, -1)));
                    expect({ meeting: one.meeting, clone: clone.name, missing }).toEqual({
                      meeting: one.meeting,
                      clone: clone.name,
                      missing: [],
                    });
                  }
                }
                expect(readdirSync(join(first.data, 'sessions'))).toEqual([sessionKey]);
              }
            } finally {
              for (const clone of clones) await clone.close();
            }
          },
        ),
        runs(10),
      );
      console.log(`law 11: meetings tried: ${[...met].map(([name, count]) => `${name} ${count}`).join(', ')}`);
    },
  );
});
