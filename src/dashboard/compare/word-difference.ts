import { diffWordsWithSpace } from 'diff';

/** A part of a text; changed where the other text has something else there. */
export interface TextPiece {
  readonly text: string;
  readonly changed: boolean;
}

export interface WordDifference {
  readonly a: readonly TextPiece[];
  readonly b: readonly TextPiece[];
  /** How much of the longer text is in both, from 0 to 1. */
  readonly alike: number;
}

/** Longer texts, and those that take more changes than this to turn into each other, are shown as they are. */
const longest = 60_000;
const mostChanges = 3000;

/** Which words of two texts are in one of them alone. Without an answer where that would take too long to find. */
export function wordDifference(a: string, b: string): WordDifference | undefined {
  if (a.length + b.length > longest) return undefined;
  const changes = diffWordsWithSpace(a, b, { maxEditLength: mostChanges });
  if (changes === undefined) return undefined;
  const [onA, onB]: [TextPiece[], TextPiece[]] = [[], []];
  let common = 0;
  for (const [index, { value, added, removed }] of changes.entries()) {
    const isChange = added || removed;
    // A space between two words that both changed is read with them.
    const between = !isChange && value.trim() === '' && isOther(changes[index - 1]) && isOther(changes[index + 1]);
    if (!isChange && !between) common += value.length;
    if (!added) append(onA, value, removed || between);
    if (!removed) append(onB, value, added || between);
  }
  const most = Math.max(a.length, b.length);
  return { a: onA, b: onB, alike: most === 0 ? 1 : common / most };
}

const isOther = (change: { readonly added: boolean; readonly removed: boolean } | undefined): boolean =>
  change !== undefined && (change.added || change.removed);

function append(pieces: TextPiece[], text: string, changed: boolean): void {
  const last = pieces.at(-1);
  if (last?.changed === changed) pieces[pieces.length - 1] = { text: last.text + text, changed };
  else pieces.push({ text, changed });
}
