import type { Command } from '../shell/command.js';
import { atDeskOptions, sessionOptions } from '../shell/shared-options.js';

/** Commands that show sessions and write beside them. */
export const sessionCommands: readonly Command[] = [
  {
    name: 'sessions',
    summary: 'list the sessions here, the newest work first',
    words: { usage: '[words…]', most: 20 },
    details: [
      'Words find a session by its id, key, title, tags, branch or commit, or by what was noted in it.',
      "Both the project's sessions and your private ones are listed; with --data-dir those of that folder.",
      'Without a terminal: one line a session, columns with tabs between them, and a line of their names.',
    ],
    options: {
      all: { kind: 'switch', says: 'as many as there are' },
      limit: { kind: 'text', value: 'number', says: 'how many to show (20)' },
      cursor: { kind: 'text', value: 'cursor', says: 'nextCursor of the page before' },
      ...atDeskOptions,
    },
    examples: [
      'workrail sessions',
      'workrail sessions login redirect',
      "workrail sessions --all | awk -F'\\t' '$3 == \"blocked\"'",
    ],
    load: async () => (await import('./sessions-command.js')).runSessions,
  },
  {
    name: 'show',
    summary: 'what a session is about, where it stands, and how to go on',
    words: { usage: '[session]', most: 1, session: 'first' },
    details: [
      'A session is named by its id, its key, or how only one of them begins; without one it is the one last worked on.',
      '--node shows one step whole: notes, artifacts, context, gaps, warnings.',
      'Exit code 4 where the session is damaged.',
    ],
    options: {
      run: { kind: 'text', value: 'run', says: 'this run alone: its id, or how it begins' },
      node: { kind: 'text', value: 'node', says: 'this step alone: the letters before its line, or its id' },
      ...sessionOptions,
    },
    examples: [
      'workrail show',
      'workrail show AUTH-1234',
      'workrail show AUTH-1234 --node 4c49f0',
      "workrail show --json | jq '.runs[0].gaps'",
    ],
    load: async () => (await import('./show-command.js')).runShow,
  },
  {
    name: 'graph',
    summary: "draw a session's runs as trees of branches",
    words: { usage: '[session]', most: 1, session: 'first' },
    details: [
      '● is the preferred tip, ○ another. ◆ checkpoint, ▲ open gap, △ settled gap, ■ blocked, ✎ note, ≡ preferences changed.',
      'The letters before a line name its step for workrail show --node.',
    ],
    options: {
      run: { kind: 'text', value: 'run', says: 'this run alone: its id, or how it begins' },
      whole: { kind: 'switch', says: 'every step, where long stretches are folded otherwise' },
      ...sessionOptions,
    },
    examples: ['workrail graph', 'workrail graph AUTH-1234 --whole'],
    load: async () => (await import('./graph-command.js')).runGraph,
  },
  {
    name: 'log',
    summary: 'print what happened in a session, event by event',
    words: { usage: '[session]', most: 1, session: 'first' },
    details: [
      'Without a session, the one last worked on. The newest event comes last.',
      'Without a terminal: one line an event, with tabs between number, time, kind and words.',
      'With --json: one JSON object a line.',
      '-f goes on until Ctrl-C; what a git pull brings from behind is marked (merged).',
    ],
    options: {
      follow: { kind: 'switch', short: 'f', says: 'go on with what this and other processes append' },
      since: { kind: 'text', value: 'when', says: 'only from then on: 2h, 3d, 2026-01-31' },
      kind: { kind: 'list', value: 'kind', says: 'only this kind, such as step_acked; again for more' },
      ...sessionOptions,
    },
    examples: [
      'workrail log',
      'workrail log AUTH-1234 --since 2h',
      'workrail log AUTH-1234 -f',
      "workrail log --json --kind step_acked | jq -r '.data.output.notes'",
    ],
    load: async () => (await import('./log-command.js')).runLog,
  },
  {
    name: 'sessions label',
    summary: 'give a session a title or tags',
    words: { usage: '<session>', most: 1, session: 'first' },
    details: ['What it is called is what it is found by. The tags that are given replace those it has.'],
    options: {
      title: { kind: 'text', value: 'title', says: 'what it is called' },
      tag: { kind: 'list', value: 'tag', says: 'a tag; again for more' },
      'no-tags': { kind: 'switch', says: 'take its tags away' },
      ...sessionOptions,
    },
    examples: [
      'workrail sessions label AUTH-1234 --title "Login redirects in a circle"',
      'workrail sessions label AUTH-1234 --tag login --tag urgent',
    ],
    load: async () => (await import('./sessions-label-command.js')).runSessionsLabel,
  },
  {
    name: 'sessions keep',
    summary: 'keep a session for ever, whatever prune is told',
    words: { usage: '<session>', most: 1, session: 'first' },
    details: [],
    options: { off: { kind: 'switch', says: 'no longer' }, ...sessionOptions },
    examples: ['workrail sessions keep AUTH-1234', 'workrail sessions keep AUTH-1234 --off'],
    load: async () => (await import('./sessions-keep-command.js')).runSessionsKeep,
  },
  {
    name: 'sessions move',
    summary: 'move a session into the repository, or out of it',
    words: { usage: '<session>', most: 1, session: 'first' },
    details: [
      "project is the repository's .workrail, which everybody shares; user is your own data folder.",
      'The session keeps its id, its bytes and its tokens. Before it enters a git repository it is looked through for what looks like a credential.',
    ],
    options: {
      to: { kind: 'text', value: 'place', says: 'project or user' },
      'allow-secrets': { kind: 'switch', says: 'move it with what looks like a credential' },
      ...sessionOptions,
    },
    examples: ['workrail sessions move AUTH-1234 --to project', 'workrail sessions move AUTH-1234 --to user'],
    load: async () => (await import('./sessions-move-command.js')).runSessionsMove,
  },
];
