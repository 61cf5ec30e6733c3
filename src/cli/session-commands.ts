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
  {
    name: 'log',
    summary: 'print what happened in a session, event by event',
    words: { usage: '[session]', most: 1 },
    details: [
      'Without a session, the one last worked on. The newest event comes last.',
      'Without a terminal: one line an event, with tabs between number, time, kind and words.',
      'With --json: one JSON object a line. -f goes on until Ctrl-C; what a git pull brings',
      'from behind is marked (merged).',
    ],
    options: {
      follow: { kind: 'switch', short: 'f', says: 'go on with what this and other processes append' },
      since: { kind: 'text', value: 'when', says: 'only from then on: 2h, 3d, 2026-01-31' },
      kind: { kind: 'list', value: 'kind', says: 'only this kind, such as step_acked; again for more' },
      ...atDeskOptions,
    },
    examples: ['workrail log', 'workrail log AUTH-1234 --since 2h', 'workrail log AUTH-1234 -f', "workrail log --json --kind step_acked | jq -r '.data.output.notes'"],
    load: async () => (await import('./log-command.js')).runLog,
  },
];
