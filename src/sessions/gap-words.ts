import { byteLength, firstWords } from '../base/byte-budget.js';
import type { GapId } from '../base/ids.js';
import type { Gap } from '../events/event-data.js';
import type { PathGap, Settled } from './gaps.js';

const wordBytes = 160;
const echoBytes = 60;
/** Of all gaps of one entry; what does not fit is told by its name alone. */
const wordsOfEntry = 1024;

/** What a gap says, in one line. */
export const gapWords = ({ detail, assumption }: Pick<Gap, 'detail' | 'assumption'>): string =>
  `${firstWords(detail, wordBytes)}${assumption === undefined ? '' : `; assumed: ${firstWords(assumption, wordBytes)}`}`;

/** By their ids, as far as they are known where they are told. */
export type KnownGaps = ReadonlyMap<GapId, PathGap>;

/** The gaps of one entry, each with what it says and how it ended. */
export function gapLines(gaps: readonly Gap[], known: KnownGaps): readonly string[] {
  let left = wordsOfEntry;
  return gaps.map((gap) => {
    const name = `${gap.severity} ${gap.category} ${gap.id}`;
    const settled = known.get(gap.id)?.settled;
    const said = `: ${settles(gap, known)}${gapWords(gap)}${settled === undefined ? '' : `; settled ${settledWords(settled)}`}`;
    left -= byteLength(said);
    return left < 0 ? `${name}${settled === undefined ? '' : ', settled'}` : name + said;
  });
}

function settles({ resolves }: Gap, known: KnownGaps): string {
  if (resolves === undefined) return '';
  const words = known.get(resolves)?.detail;
  return `settles ${resolves}${words === undefined ? '' : ` (“${firstWords(words, echoBytes)}”)`}: `;
}

/** Who settled it, where, and how. */
export const settledWords = ({ path, how, who }: Settled): string =>
  `by ${who === undefined ? 'the agent' : 'the user'}${path === '' ? '' : ` at ${path}`}: ${firstWords(how, wordBytes)}`;
