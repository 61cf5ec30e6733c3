import type { Command } from '../shell/command.js';
import { atDeskOptions, sessionOptions } from '../shell/shared-options.js';

/** Commands that carry, check and tidy sessions. */
export const careCommands: readonly Command[] = [
  {
    name: 'export',
    group: 'share',
    summary: 'export a session to one file',
    words: { usage: '[session]', most: 1, session: 'first' },
    details: [
      'The file holds the log as it stands on disk and the workflows of its runs; no key, no token and no path of this machine. Without a session, the one last worked on.',
      'Notes, artifacts and context are looked through for what looks like a credential; what is found stops the export.',
      'The same session gives the same bytes. The format is in docs/bundles.md.',
    ],
    options: {
      output: {
        kind: 'text',
        value: 'file',
        short: 'o',
        says: 'the file, a folder for it, or - for stdout (<session>.workrail)',
      },
      force: { kind: 'switch', says: 'overwrite an existing file' },
      'allow-secrets': { kind: 'switch', says: 'export even what looks like a credential' },
      ...sessionOptions,
    },
    examples: [
      'workrail export',
      'workrail export AUTH-1234 -o ~/for-ann.workrail',
      'workrail export AUTH-1234 -o - | ssh ann workrail import -',
    ],
    load: async () => (await import('./export-command.js')).runExport,
  },
  {
    name: 'import',
    group: 'share',
    summary: 'import a session from a file',
    words: { usage: '<file or ->', most: 1, name: 'file' },
    details: [
      'All of the file is checked before anything appears; what is refused leaves nothing behind.',
      'The session goes where new sessions go. Where its id is taken by other work it gets one of its own; the same session again changes nothing.',
      'With --merge it goes into the session that is here, where both share a history: the union of both, each branch whole.',
      'Lines here that were redacted where the bundle comes from would be shown to nobody any more: they are named, and you are asked. Where nobody can be asked, nothing is merged without --hide-redacted.',
    ],
    options: {
      merge: { kind: 'switch', says: 'into the session that is here' },
      'hide-redacted': {
        kind: 'switch',
        says: 'with --merge: lines here that were redacted where the bundle comes from may go out of every answer',
      },
      ...atDeskOptions,
    },
    examples: [
      'workrail import AUTH-1234.workrail',
      'workrail import AUTH-1234.workrail --merge',
      'curl -s https://example.org/a.workrail | workrail import - --json',
    ],
    load: async () => (await import('./import-command.js')).runImport,
  },
  {
    name: 'render',
    group: 'share',
    summary: 'write a session report: Markdown or one HTML file',
    words: { usage: '[session]', most: 1, session: 'first' },
    details: [
      'Runs, branches, steps, notes, documents and open gaps, in the order they came about. Without a session, the one last worked on.',
      'The HTML is one file that loads nothing and runs nothing; printed from a browser it makes the PDF.',
      'The same session gives the same bytes. Exit code 4 where part of it could not be read.',
    ],
    options: {
      format: { kind: 'text', value: 'md|html', says: 'md, unless the file is called .html' },
      output: {
        kind: 'text',
        value: 'file',
        short: 'o',
        says: 'the file, or a folder for it; stdout where it is left out',
      },
      force: { kind: 'switch', says: 'overwrite an existing file' },
      ...sessionOptions,
    },
    examples: [
      'workrail render',
      'workrail render AUTH-1234 -o review.html',
      'workrail render AUTH-1234 --format html -o reports/ --force',
    ],
    load: async () => (await import('./render-command.js')).runRender,
  },
  {
    name: 'prune',
    group: 'care',
    summary: 'prune old sessions',
    details: [
      'Never happens by itself, unless workrail retention says so. Without --older-than: pruneAfterDays of your config.json, else 90 days.',
      'Sessions marked with workrail sessions keep stay, and so do damaged ones, and what was worked on within the last hour.',
      '--session takes away the sessions that it names, and leaves what is in the trash.',
      'What is taken away lies in local/trash of its data folder until the next run deletes it, as does what a move has left there. Asks first on a terminal.',
    ],
    options: {
      'older-than': { kind: 'text', value: 'age', says: 'how long ago they were worked on last: 90d, 12w, 1y' },
      'dry-run': { kind: 'switch', says: 'preview; change nothing' },
      session: { kind: 'list', value: 'session', says: 'this one alone, whatever its age; again for more' },
      'in-use': { kind: 'switch', says: 'with --session: although it was worked on within the last hour' },
      keep: { kind: 'list', value: 'session', says: 'leave this one; again for more' },
      damaged: { kind: 'switch', says: 'damaged and incomplete ones too' },
      yes: { kind: 'switch', short: 'y', says: 'do not ask' },
      ...atDeskOptions,
    },
    examples: [
      'workrail prune --dry-run',
      'workrail prune --older-than 1y',
      'workrail prune --session AUTH-1234',
      'workrail prune --older-than 30d --keep AUTH-1234 --yes --json',
    ],
    load: async () => (await import('./prune-command.js')).runPrune,
  },
  {
    name: 'retention',
    group: 'care',
    summary: 'move finished sessions to the trash after a while',
    details: [
      'With --act, servers move finished sessions that nobody has worked on or looked at for so long to the trash, once a day, between the calls of agents. It is off unless you say so.',
      'What is open, waits for somebody, is marked with workrail sessions keep, is damaged or lies in a git repository stays, and so does what is brought back from the trash. Only workrail prune empties the trash.',
      'The age is pruneAfterDays of your config.json, which workrail prune takes too; --act is pruneByItself there. Servers that run already follow it.',
    ],
    options: {
      finished: { kind: 'text', value: 'age', says: 'how long they stay after the last work or look: 90d, 12w, 1y' },
      act: { kind: 'switch', says: 'servers move them to the trash by themselves' },
      off: { kind: 'switch', says: 'nothing goes by itself' },
      ...atDeskOptions,
    },
    examples: ['workrail retention', 'workrail retention --finished 90d --act', 'workrail retention --off'],
    load: async () => (await import('./retention-command.js')).runRetention,
  },
  {
    name: 'doctor',
    group: 'care',
    summary: 'check every byte of the sessions, and repair what is damaged',
    words: { usage: '[session…]', most: 1000, session: 'first' },
    details: [
      'Checks every line and every workflow of a run, what lies beside them, the keys and the workflow files, and says what is wrong, where, and what to do. Nothing is changed without --repair.',
      '--repair sets the damaged bytes aside in quarantine/, deletes nothing, keeps every line that can be read, and says what is lost. The session can be written to again. What git or a backup still has whole is better put back from there.',
      '--secrets only looks for what looks like a credential, in every line on disk, and can be a git pre-commit hook: docs/care.md shows it.',
      'Exit code 0: nothing is damaged, and nothing is missed. 4: damage, a newer format, lines that are not here although they were, or redacted lines that came back. With --secrets 1: something looks like a credential.',
    ],
    options: {
      repair: { kind: 'switch', says: 'repair damaged sessions' },
      'accept-loss': {
        kind: 'switch',
        says: 'with --repair: put on record that lines which others saw are gone for good',
      },
      secrets: { kind: 'switch', says: 'only look for what looks like a credential' },
      everywhere: { kind: 'switch', says: 'with --secrets: in your own folder too, which no repository carries' },
      except: { kind: 'list', value: 'events', says: 'with --secrets: let these events through, which hold none' },
      ...sessionOptions,
    },
    examples: [
      'workrail doctor',
      'workrail doctor AUTH-1234 --repair',
      'workrail doctor --secrets',
      'workrail doctor --json',
    ],
    load: async () => (await import('./doctor-command.js')).runDoctor,
  },
  {
    name: 'redact',
    group: 'care',
    summary: 'remove a leaked secret from a session',
    words: { usage: '<session> [event, text or -]', most: 2, session: 'first' },
    details: [
      'Every event that holds the text is written anew with [redacted] in its place, and the old lines are cut out of the log. Steps, tokens, order and what was answered stay as they are. Of an event, what looks like a credential goes, wherever it stands in the session; where nothing does, all that its caller wrote.',
      '- takes the text from stdin, so that it does not stay in the history of the shell. Without an event or a text: cuts out again what was redacted before and came back with a merge.',
      'Asks first on a terminal. Says where else the text may be: in the history of git, in bundles, in the chat.',
    ],
    options: {
      secrets: { kind: 'switch', says: 'everything in the session that looks like a credential' },
      'dry-run': { kind: 'switch', says: 'preview; change nothing' },
      yes: { kind: 'switch', short: 'y', says: 'do not ask' },
      ...sessionOptions,
    },
    examples: [
      'workrail redact AUTH-1234 --secrets --dry-run',
      'pbpaste | workrail redact AUTH-1234 - --yes',
      'workrail redact AUTH-1234 6092bbaa25bbf7cf',
    ],
    load: async () => (await import('./redact-command.js')).runRedact,
  },
];
