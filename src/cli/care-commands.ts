import type { Command } from './command.js';

/** Commands that carry, check and tidy sessions. */
export const careCommands: readonly Command[] = [];
