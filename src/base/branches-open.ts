import { plural } from './plural.js';

/** What stands behind “complete” where other branches of the run still wait for a step. */
export const branchesOpen = (count: number): string =>
  count === 0 ? '' : `, ${plural(count, 'branch', 'branches')} open`;
