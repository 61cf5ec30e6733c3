import type { Command } from './command.js';

/** Commands that show sessions and write beside them. */
export const sessionCommands: readonly Command[] = [];
