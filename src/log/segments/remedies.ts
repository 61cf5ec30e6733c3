import type { Stop } from './segment-lines.js';

/** What to do about bytes that are not as they should be. Said to agents and to people, so each command is one that a person can run. */
export const remedies: { readonly [level in Stop['level']]: string } & {
  readonly lineFeed: string;
  readonly missing: string;
  readonly missingPin: string;
  readonly kept: (id: string) => string;
} = {
  torn: 'what a killed or failed write left was never acknowledged and needs nothing; if the line was whole once and its bytes changed later, restore the file from git or a copy',
  lineFeed:
    'the session does not include this line yet. Either a write was killed at its last byte, or the line was acknowledged and later an editor removed the final line feed or a byte changed. `workrail doctor --repair` restores the line feed and the line',
  damage:
    'restore the file from git or a copy; where there is none, run `workrail doctor --repair`, which keeps all that can be read. What stands before the damage can be read meanwhile',
  newer: 'upgrade WorkRail, then try again',
  missing:
    'restore the missing part (git stash pop, git checkout, git pull); if it is lost, run `workrail doctor --repair --accept-loss`. The rest can be read and, where no earlier lines are missing, written',
  kept: (id) =>
    `restore the file (git stash pop, git checkout); to restore lines that no file has, run \`workrail doctor ${id} --repair\``,
  missingPin:
    'restore the file from where the session came (git stash pop, git checkout, git pull); a library file that compiles to the same hash restores it automatically',
};
