import type { Command } from '../shell/command.js';
import { preferenceTable } from '../print/preference-options.js';
import { atDeskOptions, sessionOptions } from '../shell/shared-options.js';

const session = {
  session: { kind: 'text', value: 'session', says: 'id, key or prefix (default: the session you last worked on)' },
} as const;
const context = { kind: 'list', value: 'key=value', says: 'set a context key; repeatable' } as const;

/** What a step is handed back, as options. */
const outputTable = {
  notes: { kind: 'text', value: 'text|@file|-', says: 'what happened and what is next; - reads stdin' },
  artifact: { kind: 'list', value: 'json|@file', says: 'a structured result, or a list of them; repeatable' },
  gap: { kind: 'list', value: 'text|json', says: 'something assumed, skipped or missing; repeatable' },
} as const;

const valuesSaid =
  'key=value is text if the key is declared as text; otherwise true, false, null, plain numbers, lists and objects are read as JSON. key:=json is always JSON. @file reads a file, - reads stdin; write @@ for a text that starts with @.';

/** Commands that find, check and run workflows. */
export const runningCommands: readonly Command[] = [
  {
    name: 'list',
    group: 'run',
    summary: 'list the workflows you can start',
    words: { usage: '[words…]', most: 20 },
    details: ['Searches ids, titles, descriptions and tags. Files with errors are listed too.'],
    options: {
      tag: { kind: 'text', value: 'tag', says: 'only workflows with this tag' },
      kind: { kind: 'text', value: 'kind', says: 'workflow or routine' },
      ...atDeskOptions,
    },
    examples: ['workrail list', 'workrail list bug', 'workrail list --kind routine --json'],
    load: async () => (await import('./list-command.js')).runList,
  },
  {
    name: 'inspect',
    group: 'run',
    summary: 'look at a workflow before starting it',
    words: { usage: '<workflow>', most: 1, name: 'workflow' },
    details: ['Shows its inputs, what it recommends, and any errors.'],
    options: {
      preview: { kind: 'switch', says: 'every step and its expected output' },
      source: { kind: 'switch', says: 'the source file' },
      ...atDeskOptions,
    },
    examples: [
      'workrail inspect wr.bug_investigation',
      'workrail inspect wr.bug_investigation --preview',
      'workrail inspect wr.bug_investigation --source > mine.yaml',
    ],
    load: async () => (await import('./inspect-command.js')).runInspect,
  },
  {
    name: 'validate',
    group: 'run',
    summary: 'check workflow files, and report every problem',
    words: { usage: '[<file|folder|id>…]', most: 1000, name: 'file' },
    details: [
      'Files can be anywhere; the routines they call are looked up among them and in the library.',
      'Without arguments, it checks all your own workflows. The exit code is 1 if there are errors, 0 if there are only warnings.',
      '--fix applies every "patch" and keeps comments and layout. It leaves what only the author can decide.',
    ],
    options: {
      fix: { kind: 'switch', says: 'fix everything that needs no guessing' },
      format: { kind: 'text', value: 'text|github', says: 'github prints annotations for GitHub Actions' },
      ...atDeskOptions,
    },
    examples: [
      'workrail validate',
      'workrail validate mine.yaml --fix',
      'workrail validate .workrail/workflows --format github',
      'workrail validate --json',
    ],
    load: async () => (await import('./validate-command.js')).runValidate,
  },
  {
    name: 'schema',
    group: 'run',
    summary: 'print the JSON Schema of workflow files',
    details: [
      'For editors and your own checks; docs/workflow.schema.json is the same file. docs/format.md explains the format.',
    ],
    options: {},
    examples: ['workrail schema', 'workrail schema > workflow.schema.json'],
    load: async () => (await import('./schema-command.js')).runSchema,
  },
  {
    name: 'start',
    group: 'run',
    summary: 'start a workflow and print its first step',
    words: { usage: '<workflow>', most: 1, name: 'workflow' },
    details: [
      'Starting the same workflow again in the same session returns the same run while nobody has worked on it; --fresh starts another.',
      valuesSaid,
    ],
    options: {
      session: {
        kind: 'text',
        value: 'key',
        says: 'the session for this work, such as AUTH-1234 (default: a new one)',
      },
      input: { ...context, says: 'an input of the workflow; repeatable' },
      context,
      fresh: { kind: 'switch', says: 'start another run even if an unused one exists' },
      ...preferenceTable,
      ...atDeskOptions,
    },
    examples: [
      'workrail start wr.bug_investigation --session AUTH-1234 --input symptom="Login fails"',
      'workrail start wr.research --input @question.json --mode auto_stop --json',
    ],
    load: async () => (await import('./start-command.js')).runStart,
  },
  {
    name: 'continue',
    group: 'run',
    summary: 'complete the pending step, or show it again',
    words: { usage: '[<stateToken> [<ackToken>]]', most: 2 },
    details: [
      'With both tokens, it completes their step. Sending the same pair again returns the same answer and records nothing twice, so scripts can be run again. With only a stateToken, it shows that step and changes nothing.',
      'Without tokens, it uses the pending step of the session: it shows the step if you pass no output, and completes it otherwise.',
      'An older stateToken goes back to its step; the ackToken you get there starts a branch.',
      valuesSaid,
    ],
    options: {
      ...session,
      ...outputTable,
      context,
      confirmed: { kind: 'switch', says: 'agree to what the step asks you to confirm' },
      page: { kind: 'text', value: 'page', says: 'a page named in an answer: older work, more branches, a document' },
      ...preferenceTable,
      ...atDeskOptions,
    },
    examples: [
      'workrail continue',
      'workrail continue --session AUTH-1234 --notes "Found the cause in auth.ts. Next: fix."',
      'workrail continue st.v1.… ack.v1.… --notes @notes.md --artifact @finding.json --context severity=high',
      'git log -5 | workrail continue st.v1.… ack.v1.… --notes - --json',
    ],
    load: async () => (await import('./continue-command.js')).runContinue,
  },
  {
    name: 'checkpoint',
    group: 'run',
    summary: 'save notes or results without completing the step',
    words: { usage: '[<stateToken>]', most: 1 },
    details: ['Without a token, it saves to the pending step of the session. Saving the same again changes nothing.'],
    options: { ...session, ...outputTable, ...atDeskOptions },
    examples: [
      'workrail checkpoint --notes "Refactored login; tests pass."',
      'workrail checkpoint st.v1.… --artifact @finding.json',
    ],
    load: async () => (await import('./checkpoint-command.js')).runCheckpoint,
  },
  {
    name: 'answer',
    group: 'run',
    summary: 'answer what an agent is waiting for',
    words: { usage: '[<session>]', most: 1, session: 'first' },
    details: [
      'An agent stops when it needs you to agree, or to give it something. At a terminal, this shows what it handed in and asks you one question at a time. Without a session, it goes through all that wait, longest wait first.',
      'With one of the options below, it answers at once. Elsewhere, and with --json, it lists the open questions.',
      'The agent continues at its next look or repeated call, and is told that the answer came from you.',
      'An answer applies to the work as the agent sent it; if the work changes, you are asked again. If a question is answered more than once, the first answer counts.',
      'A program that runs as you, such as an agent with a shell, could run this too. That is why answers need a terminal unless you pass --no-terminal; the log records which it was.',
    ],
    options: {
      agree: { kind: 'switch', says: 'agree, or confirm that you did what is asked' },
      refuse: { kind: 'switch', says: 'refuse' },
      reason: { kind: 'text', value: 'text', says: 'the reason' },
      value: { kind: 'text', value: 'text|json|@file|-', says: 'the value that is asked for' },
      file: {
        kind: 'text',
        value: 'path',
        says: 'the file that is asked for; its path within the workspace is recorded',
      },
      given: { kind: 'switch', says: 'confirm that you handed over the secret; the secret itself is never recorded' },
      question: { kind: 'text', value: 'name', says: 'which question, if there are several: its key or its number' },
      'no-terminal': { kind: 'switch', says: 'answer without a terminal' },
      ...sessionOptions,
    },
    examples: [
      'workrail answer',
      'workrail answer AUTH-1234 --agree',
      'workrail answer AUTH-1234 --refuse --reason "Keep the old flag."',
      'workrail answer AUTH-1234 --question issue --value AUTH-1234',
    ],
    load: async () => (await import('./answer-command.js')).runAnswer,
  },
  {
    name: 'resume',
    group: 'run',
    summary: 'find earlier work, and how to continue it',
    words: { usage: '[words…]', most: 20 },
    details: ['Search for a ticket, a branch, a commit, or words from the work. Changes nothing.'],
    options: {
      branch: { kind: 'text', value: 'branch', says: 'work done on this git branch' },
      commit: { kind: 'text', value: 'commit', says: 'work done at this commit' },
      session: { kind: 'text', value: 'session', says: 'only this session' },
      limit: { kind: 'text', value: 'count', says: 'how many to show, up to 5' },
      ...atDeskOptions,
    },
    examples: ['workrail resume', 'workrail resume login fails', 'workrail resume --branch fix/login --json'],
    load: async () => (await import('./resume-command.js')).runResume,
  },
  {
    name: 'note',
    group: 'run',
    summary: 'add a note to a session',
    words: { usage: '<session> <text|@file|->', most: 2, session: 'first' },
    details: ['For people and agents who read the session later. Notes change nothing about the run.'],
    options: {
      node: {
        kind: 'text',
        value: 'node',
        says: 'add it to this step (see workrail graph) instead of the session',
      },
      ...sessionOptions,
    },
    examples: ['workrail note AUTH-1234 "Agreed with Ann: fix only v2."', 'workrail note AUTH-1234 - < decision.md'],
    load: async () => (await import('../sessions/note-command.js')).runNote,
  },
  {
    name: 'prefs',
    group: 'run',
    summary: 'show or change preferences: how the work is done',
    words: { usage: '[<session>]', most: 1, session: 'first' },
    details: [
      'In a session, changes apply to its open run from the pending step on, and to new runs.',
      '--node applies changes to one pending step and what follows it on its branch, and to nothing else.',
      'A mode sets all four preferences; a single preference overrides it.',
    ],
    options: {
      ...preferenceTable,
      node: { kind: 'text', value: 'node', says: 'only from this step on: the letters on its line, or its id' },
      global: { kind: 'switch', says: 'the defaults for new sessions' },
      ...sessionOptions,
    },
    examples: [
      'workrail prefs',
      'workrail prefs AUTH-1234 --mode auto_stop',
      'workrail prefs AUTH-1234 --node 4c49f0 --mode guided',
      'workrail prefs --global --assumptions record_when_missing',
    ],
    load: async () => (await import('./prefs-command.js')).runPrefs,
  },
];
