import type { Command } from './command.js';
import { atDeskOptions } from './shared-options.js';

/** Commands that carry, check and tidy sessions. */
export const careCommands: readonly Command[] = [
  {
    name: 'export',
    summary: 'write a session into one file, to give to somebody',
    words: { usage: '[session]', most: 1 },
    details: [
      'The file holds the log as it stands on disk and the workflows of its runs; no key, no token and no path of this machine. Without a session, the one last worked on.',
      'Notes, artifacts and context are looked through for what looks like a credential; what is found stops the export.',
      'The same session gives the same bytes. The format is in docs/bundles.md.',
    ],
    options: {
      output: { kind: 'text', value: 'file', short: 'o', says: 'the file, a folder for it, or - for stdout (<session>.workrail)' },
      force: { kind: 'switch', says: 'replace a file that is there' },
      'allow-secrets': { kind: 'switch', says: 'export even what looks like a credential' },
      ...atDeskOptions,
    },
    examples: ['workrail export', 'workrail export AUTH-1234 -o ~/for-ann.workrail', 'workrail export AUTH-1234 -o - | ssh ann workrail import -'],
    load: async () => (await import('./export-command.js')).runExport,
  },
  {
    name: 'import',
    summary: 'take in a session that somebody exported',
    words: { usage: '<file or ->', most: 1 },
    details: [
      'All of the file is checked before anything appears; what is refused leaves nothing behind.',
      'The session goes where new sessions go. Where its id is taken by other work it gets one of its own; the same session again changes nothing.',
      'With --merge it goes into the session that is here, where both share a history: the union of both, each branch whole.',
    ],
    options: {
      merge: { kind: 'switch', says: 'into the session that is here' },
      ...atDeskOptions,
    },
    examples: ['workrail import AUTH-1234.workrail', 'workrail import AUTH-1234.workrail --merge', 'curl -s https://example.org/a.workrail | workrail import - --json'],
    load: async () => (await import('./import-command.js')).runImport,
  },
];
