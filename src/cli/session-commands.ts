import type { Command } from './command.js';
import { atDeskOptions } from './shared-options.js';

/** Commands that show sessions and write beside them. */
export const sessionCommands: readonly Command[] = [
  {
    name: 'sessions',
    summary: 'list the sessions here, the newest work first',
    words: { usage: '[words…]', most: 20 },
    details: [
      'Words find a session by its id, key, title, tags, branch or commit, or by what was noted in it.',
      "Both the project's sessions and your private ones are listed; --data-dir adds a folder.",
      'Without a terminal: one line a session, columns with tabs between them, and a line of their names.',
    ],
    options: {
      all: { kind: 'switch', says: 'as many as there are' },
      limit: { kind: 'text', value: 'number', says: 'how many to show (20)' },
      cursor: { kind: 'text', value: 'cursor', says: 'nextCursor of the page before' },
      ...atDeskOptions,
    },
    examples: ['workrail sessions', 'workrail sessions login redirect', "workrail sessions --all | awk -F'\\t' '$3 == \"blocked\"'"],
    load: async () => (await import('./sessions-command.js')).runSessions,
  },
];
