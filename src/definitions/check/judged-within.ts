import { type JudgingWork, TooMuchWork } from '../contracts/judging-work.js';
import { finding, type Finding } from '../source/finding.js';
import type { SourcePath } from '../source/source-path.js';

/**
 * What is judged of a file shares one budget, so that many that are each within bounds are so together. The place at
 * which it is spent says so, and nothing behind it is judged.
 */
export function judgedWithin(work: JudgingWork, path: SourcePath, judge: () => readonly Finding[]): readonly Finding[] {
  if (work.isSpent) return [];
  try {
    const found = judge();
    if (!work.isSpent) return found;
  } catch (cause) {
    if (!(cause instanceof TooMuchWork)) throw cause;
  }
  const message =
    'up to here the patterns, schemas and examples of this file take too much work to be held against each other: make them smaller or fewer, or move steps into routines';
  return [finding(path, 'limit', message, { expected: 'smaller or fewer patterns, schemas and examples' })];
}
