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
      'The file contains the log as it is on disk and the workflows of its runs, but no key, token or path of this machine. Without a session, it exports the one you last worked on.',
      'Notes, artifacts and context are scanned for credentials; a finding stops the export.',
      'The same session always gives the same bytes. docs/bundles.md describes the format.',
    ],
    options: {
      output: {
        kind: 'text',
        value: 'file',
        short: 'o',
        says: 'file, folder, or - for stdout (default: <session>.workrail)',
      },
      force: { kind: 'switch', says: 'overwrite an existing file' },
      'allow-secrets': { kind: 'switch', says: 'export even if something looks like a credential' },
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
      'The file is checked completely before anything appears; a refused import leaves nothing behind.',
      'The session goes where new sessions go. If its id is taken by another session, it gets a new one. Importing the same session again changes nothing.',
      'With --merge, it is merged into your copy of the session if both share a history; all branches are kept.',
      'If the bundle marks lines of yours as redacted, merging would hide them: they are listed, and you are asked first. If you cannot be asked, nothing is merged without --hide-redacted.',
    ],
    options: {
      merge: { kind: 'switch', says: 'merge into your copy of the session' },
      'hide-redacted': {
        kind: 'switch',
        says: 'with --merge: hide lines of yours that the bundle marks as redacted',
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
      'Contains runs, branches, steps, notes, documents and open gaps, in the order they happened. Without a session, it reports on the one you last worked on.',
      'The HTML is a single file that loads and runs nothing. To get a PDF, print it from a browser.',
      'The same session always gives the same bytes. Exit code 4 if part of it could not be read.',
    ],
    options: {
      format: { kind: 'text', value: 'md|html', says: 'default: html if the file ends in .html, else md' },
      output: {
        kind: 'text',
        value: 'file',
        short: 'o',
        says: 'file or folder (default: stdout)',
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
      'It only runs automatically if you turn on workrail retention. Without --older-than, the age is pruneAfterDays in your config.json, else 90 days.',
      'It leaves sessions marked with workrail sessions keep, damaged ones, and those with activity in the last hour.',
      '--session prunes only the sessions it names, and does not empty the trash.',
      'Pruned sessions stay in local/trash of their data folder until the next run deletes them, along with what a move left there. Asks first on a terminal.',
    ],
    options: {
      'older-than': { kind: 'text', value: 'age', says: 'time since the last activity: 90d, 12w, 1y' },
      'dry-run': { kind: 'switch', says: 'preview; change nothing' },
      session: { kind: 'list', value: 'session', says: 'only this session, whatever its age; repeatable' },
      'in-use': { kind: 'switch', says: 'with --session: even with activity in the last hour' },
      keep: { kind: 'list', value: 'session', says: 'do not prune this session; repeatable' },
      damaged: { kind: 'switch', says: 'also prune damaged and incomplete sessions' },
      yes: { kind: 'switch', short: 'y', says: 'do not ask for confirmation' },
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
      'With --act, servers move finished sessions to the trash when nobody has worked on them or viewed them for that long. They check once a day, while no agent is calling. Off by default.',
      'Sessions stay if they are open, wait for someone, are marked with workrail sessions keep, are damaged, are in a git repository, or were brought back from the trash. Only workrail prune empties the trash.',
      'The age is pruneAfterDays in your config.json, which workrail prune uses too; --act sets pruneByItself there. Running servers pick it up.',
    ],
    options: {
      finished: {
        kind: 'text',
        value: 'age',
        says: 'how long they stay after the last activity or view: 90d, 12w, 1y',
      },
      act: { kind: 'switch', says: 'let servers move them to the trash' },
      off: { kind: 'switch', says: 'stop pruning automatically' },
      ...atDeskOptions,
    },
    examples: ['workrail retention', 'workrail retention --finished 90d --act', 'workrail retention --off'],
    load: async () => (await import('./retention-command.js')).runRetention,
  },
  {
    name: 'doctor',
    group: 'care',
    summary: 'check every byte of the sessions, and repair damage',
    words: { usage: '[session…]', most: 1000, session: 'first' },
    details: [
      'Checks every line, the workflow of every run, the files around them, the keys and the workflow files, and says what is wrong, where, and what to do. Changes nothing without --repair.',
      '--repair copies damaged files to quarantine/, deletes nothing, keeps every readable line, says what is lost, and makes the session writable again. If git or a backup has the file intact, restore it from there instead.',
      '--secrets only scans for credentials, in every line on disk. docs/care.md shows how to use it as a git pre-commit hook.',
      'Exit code 0: nothing is damaged or missing. 4: damage, a newer format, missing lines, or redacted lines that came back. With --secrets, 1: something looks like a credential.',
    ],
    options: {
      repair: { kind: 'switch', says: 'repair damaged sessions' },
      'accept-loss': {
        kind: 'switch',
        says: 'with --repair: record that missing lines are gone for good',
      },
      secrets: { kind: 'switch', says: 'only scan for credentials' },
      everywhere: {
        kind: 'switch',
        says: 'with --secrets: also scan your own data folder, which no repository carries',
      },
      except: { kind: 'list', value: 'events', says: 'with --secrets: ignore these events (false alarms)' },
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
      'Every event that contains the text is rewritten with [redacted] in its place, and the old lines are cut out of the log. Steps, tokens, order and answers stay the same. If you name an event, whatever looks like a credential in it is removed from the whole session; if nothing does, everything its caller wrote is removed.',
      '- reads the text from stdin, to keep it out of the history of your shell. Without an event or a text, redacted lines that a merge brought back are removed again.',
      'Asks first on a terminal. Lists where else the text may be: in git history, in bundles, in the chat.',
    ],
    options: {
      secrets: { kind: 'switch', says: 'everything in the session that looks like a credential' },
      'dry-run': { kind: 'switch', says: 'preview; change nothing' },
      yes: { kind: 'switch', short: 'y', says: 'do not ask for confirmation' },
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
