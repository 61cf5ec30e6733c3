import type { Track } from '../contract/plan-tracks.js';
import type { NodeStory } from '../contract/session-story.js';
import { plainWords } from '../contract/plain-words.js';

/** A branch beside the preferred one in short: from which step it goes its own way, where it stands, what it said last. */
export function branchWords({ nodes, leaves }: Track<NodeStory>): {
  readonly stands: string;
  /** How its last notes begin; absent where it has none. */
  readonly said: string | undefined;
} {
  const tip = nodes.at(-1);
  const notes = nodes.findLast(({ cameBy }) => (cameBy.output.notes ?? '').trim() !== '')?.cameBy.output.notes;
  const from = leaves === undefined ? '' : `, from step ${leaves.depth + 1}`;
  const at = tip?.pending === undefined ? ', complete' : `, waits at ${tip.pending.title}`;
  const said = notes === undefined ? '' : plainWords(notes).trim();
  return { stands: `${from}${at}`, said: said === '' ? undefined : said };
}
