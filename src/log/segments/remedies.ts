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
    'the line is no part of the session as it stands. A write that was killed at its last byte leaves this, and so does an editor that takes the last line end away, or a byte that changed: then it was acknowledged. `workrail doctor --repair` puts the line feed back and takes the line in',
  damage:
    'restore the file from git or a copy; where there is none, run `workrail doctor --repair`, which keeps all that can be read. What stands before the damage can be read meanwhile',
  newer: 'upgrade WorkRail, then try again',
  missing:
    'bring the missing part back (git stash pop, git checkout, git pull); if it is gone for good, run `workrail doctor --repair --accept-loss`. What is here can be read and, where its ancestors are here, written',
  kept: (id) =>
    `bring the file back (git stash pop, git checkout); what no file holds is put back by \`workrail doctor ${id} --repair\``,
  missingPin:
    'bring the file back from where the session came (git stash pop, git checkout, git pull); a library file that compiles to the same hash restores it by itself',
};
