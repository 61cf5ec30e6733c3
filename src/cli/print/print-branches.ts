import { planTracks } from '../../contract/plan-tracks.js';
import { firstWords } from '../../base/byte-budget.js';
import { plural } from '../../base/plural.js';
import type { RunStory } from '../../contract/session-story.js';
import { branchWords } from '../../render/branch-words.js';
import type { Page } from './page.js';

const branchesShown = 8;
/** Bytes of the notes of one branch. */
const notesTold = 240;

/** The branches beside the preferred one, a line each with how their last notes begin; those with the newest work where they are many. */
export function printBranches(page: Page, sessionId: string, run: RunStory, several: boolean): void {
  const others = planTracks(run).tracks.filter(({ number }) => number > 1);
  if (others.length === 0) return;
  page.gap();
  page.say(`Other branches${several ? ` of ${run.workflow.title}` : ''}`, page.style.bold);
  const newest = new Set(
    others
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, branchesShown)
      .map(({ number }) => number),
  );
  for (const track of others) {
    if (!newest.has(track.number)) continue;
    const { stands, said } = branchWords(track);
    page.item(`  branch ${track.number}${stands}${said === undefined ? '' : ': '}`, firstWords(said ?? '', notesTold));
  }
  const more = others.length - newest.size;
  if (more > 0) page.say(`  … ${plural(more, 'branch', 'branches')} more: ${page.inline(['graph', sessionId])}`);
}
