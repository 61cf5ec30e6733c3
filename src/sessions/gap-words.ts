import { firstWords } from '../base/byte-budget.js';
import type { Gap } from '../events/event-data.js';

const wordBytes = 160;

/** What a gap says, in one line. */
export const gapWords = ({ detail, assumption }: Pick<Gap, 'detail' | 'assumption'>): string =>
  `${firstWords(detail, wordBytes)}${assumption === undefined ? '' : `; assumed: ${firstWords(assumption, wordBytes)}`}`;
