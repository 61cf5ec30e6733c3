import { tookWords } from '../base/time-spent.js';
import type { LongestStep } from './usage-told.js';

/** A longest step as every door names it. */
export const longestWords = ({ title, took, waited, otherBranch }: LongestStep): string =>
  `${title}, ${tookWords(took, waited)}${otherBranch === true ? ', on another branch' : ''}`;
