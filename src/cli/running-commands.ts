import type { Command } from './command.js';

/** Commands that find, check and run workflows. */
export const runningCommands: readonly Command[] = [];
