import type { Command } from '../shell/command.js';
import { preferenceTable } from '../print/preference-options.js';
import { atDeskOptions, sessionOptions } from '../shell/shared-options.js';

const session = {
  session: { kind: 'text', value: 'session', says: 'id, key or beginning of one; the one last worked on if left out' },
} as const;
const context = { kind: 'list', value: 'key=value', says: 'a fact; again for more' } as const;

/** What a step is handed back, as options. */
const outputTable = {
  notes: { kind: 'text', value: 'text|@file|-', says: 'what happened and what is next; - reads stdin' },
  artifact: { kind: 'list', value: 'json|@file', says: 'a structured result, or a list of them; again for more' },
  gap: { kind: 'list', value: 'text|json', says: 'something assumed, skipped or missing; again for more' },
} as const;

const valuesSaid =
  'key=value is text where the key is declared as text. Elsewhere true, false, null, plain numbers, lists and objects are read as JSON; key:=json always is. @file reads a file, - stdin; @@ begins a text with @.';

/** Commands that find, check and run workflows. */
export const runningCommands: readonly Command[] = [
  {
    name: 'list',
    group: 'run',
    summary: 'list the workflows that can be started',
    words: { usage: '[words…]', most: 20 },
    details: ['Words are looked for in ids, titles, descriptions and tags. Broken files are listed too.'],
    options: {
      tag: { kind: 'text', value: 'tag', says: 'only those with the tag' },
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
    details: ['Its inputs, what it recommends, and what is wrong with it.'],
    options: {
      preview: { kind: 'switch', says: 'every step, and what it asks back' },
      source: { kind: 'switch', says: 'the file as it is' },
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
    summary: 'find everything that is wrong with workflow files',
    words: { usage: '[<file|folder|id>…]', most: 1000, name: 'file' },
    details: [
      'Files may lie anywhere; what they call is looked for among them and in the library.',
      'Without a word, every workflow of your own. The exit code is 1 when there is a violation; warnings leave it 0.',
      '--fix does what stands behind "patch", file by file, each written whole; comments and layout stay. What only its author can settle is left.',
    ],
    options: {
      fix: { kind: 'switch', says: 'fix what needs no guessing' },
      format: { kind: 'text', value: 'text|github', says: 'github: annotations for a workflow of GitHub Actions' },
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
    details: ['For editors and checks; docs/workflow.schema.json is the same. docs/format.md says it in words.'],
    options: {},
    examples: ['workrail schema', 'workrail schema > workflow.schema.json'],
    load: async () => (await import('./schema-command.js')).runSchema,
  },
  {
    name: 'start',
    group: 'run',
    summary: 'start a workflow and print its first step',
    words: { usage: '<workflow>', most: 1, name: 'workflow' },
    details: ['The same start in the same session gives the same untouched run; --fresh makes another.', valuesSaid],
    options: {
      session: {
        kind: 'text',
        value: 'key',
        says: 'the piece of work it belongs to, such as AUTH-1234; a new one if left out',
      },
      input: { ...context, says: 'an input of the workflow; again for more' },
      context,
      fresh: { kind: 'switch', says: 'another run, where the same one stands untouched' },
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
    summary: 'complete the step that waits, or look at it again',
    words: { usage: '[<stateToken> [<ackToken>]]', most: 2 },
    details: [
      'With both tokens it completes their step; the same pair again gives the same answer and records nothing twice, so that a script can be run again. A stateToken alone shows its step and changes nothing.',
      'Without tokens it is about where the work of the session stands: a look when nothing is handed back, else the step there is completed.',
      'An older stateToken goes back; the ackToken that it gives makes a branch.',
      valuesSaid,
    ],
    options: {
      ...session,
      ...outputTable,
      context,
      confirmed: { kind: 'switch', says: 'you agree to what the step asks you to agree to' },
      page: { kind: 'text', value: 'page', says: 'a page that an answer named: older work, more branches, a document' },
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
    summary: 'keep notes or results without completing the step',
    words: { usage: '[<stateToken>]', most: 1 },
    details: ['Without a token it is kept where the work of the session stands. The same again is kept once.'],
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
    summary: 'answer what an agent waits for you to say',
    words: { usage: '[<session>]', most: 1, session: 'first' },
    details: [
      'Without a session it is about all that wait, the longest first.',
      'At a terminal it asks one question after the other; anywhere else, and with --json, it shows what waits. The agent’s next look or repeated call goes on with the answer, and is told that it came from you.',
      'An answer is to what was handed in: changed work asks again. Of several answers to one question the first counts.',
      'A program that runs as you can run this too, an agent with a shell among them. So it wants a terminal unless --no-terminal says otherwise, and the log keeps which it was.',
    ],
    options: {
      agree: { kind: 'switch', says: 'you agree, or have done what is asked' },
      refuse: { kind: 'switch', says: 'you do not' },
      reason: { kind: 'text', value: 'text', says: 'the reason' },
      value: { kind: 'text', value: 'text|json|@file|-', says: 'what is asked for' },
      file: { kind: 'text', value: 'path', says: 'the file that is asked for; its path within the workspace is kept' },
      given: { kind: 'switch', says: 'you handed over the secret that is asked for; no secret is ever recorded' },
      question: { kind: 'text', value: 'name', says: 'which question, where several wait: its key or its place' },
      'no-terminal': { kind: 'switch', says: 'record it without a terminal' },
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
    summary: 'find earlier work, and how to go on with it',
    words: { usage: '[words…]', most: 20 },
    details: ['Looks for a ticket, a branch, a commit or words of what was done. Changes nothing.'],
    options: {
      branch: { kind: 'text', value: 'branch', says: 'work seen on a git branch' },
      commit: { kind: 'text', value: 'commit', says: 'work seen at a commit' },
      session: { kind: 'text', value: 'session', says: 'this session' },
      limit: { kind: 'text', value: 'count', says: 'at most so many, up to 5' },
      ...atDeskOptions,
    },
    examples: ['workrail resume', 'workrail resume login fails', 'workrail resume --branch fix/login --json'],
    load: async () => (await import('./resume-command.js')).runResume,
  },
  {
    name: 'note',
    group: 'run',
    summary: 'write something down in a session',
    words: { usage: '<session> <text|@file|->', most: 2, session: 'first' },
    details: ['For whoever reads the session later; it steers nothing.'],
    options: {
      node: {
        kind: 'text',
        value: 'node',
        says: 'on this step (workrail graph lists them) instead of the session',
      },
      ...sessionOptions,
    },
    examples: ['workrail note AUTH-1234 "Agreed with Ann: fix only v2."', 'workrail note AUTH-1234 - < decision.md'],
    load: async () => (await import('../sessions/note-command.js')).runNote,
  },
  {
    name: 'prefs',
    group: 'run',
    summary: 'show or change how work is to be done',
    words: { usage: '[<session>]', most: 1, session: 'first' },
    details: [
      'In a session a change holds for its open run from the step that waits, and for new runs.',
      'A mode sets all four preferences; single ones overrule it.',
    ],
    options: {
      ...preferenceTable,
      global: { kind: 'switch', says: 'what new sessions begin with' },
      ...sessionOptions,
    },
    examples: [
      'workrail prefs',
      'workrail prefs AUTH-1234 --mode auto_stop',
      'workrail prefs --global --assumptions record_when_missing',
    ],
    load: async () => (await import('./prefs-command.js')).runPrefs,
  },
];
