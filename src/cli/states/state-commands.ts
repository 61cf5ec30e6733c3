import type { OptionTable } from '../print/option-table.js';
import type { Command } from '../shell/command.js';
import { atDeskOptions } from '../shell/shared-options.js';

const expected: OptionTable = {
  expected: {
    kind: 'text',
    value: 'version',
    says: 'write only if this version is the newest: its number or its etag',
  },
};
const state = { usage: '<session|state>', most: 1 } as const;

/** Commands about documents that a session shares with all agents below it, and the schemas that they fit. */
export const stateCommands: readonly Command[] = [
  {
    name: 'schema list',
    group: 'states',
    summary: 'list the schemas that shared states can have',
    details: ['Each version of a schema is a file that is never changed: in the project, or in your own folder.'],
    options: atDeskOptions,
    examples: ['workrail schema list', 'workrail schema list --json'],
    load: async () => (await import('./schema-commands.js')).runSchemas,
  },
  {
    name: 'schema add',
    group: 'states',
    summary: 'register a JSON Schema for shared states',
    words: { usage: '<name> <file>', most: 2 },
    details: [
      'JSON Schema of draft 7 or 2020-12. The same text is registered once; another text becomes the next version of that name.',
    ],
    options: {
      description: { kind: 'text', value: 'text', says: 'what it is for' },
      to: {
        kind: 'text',
        value: 'project|user',
        says: 'where it goes (default: the project, where it has a .workrail)',
      },
      ...atDeskOptions,
    },
    examples: ['workrail schema add code-review review.schema.json --description "Where a review stands"'],
    load: async () => (await import('./schema-commands.js')).runSchemaAdd,
  },
  {
    name: 'schema show',
    group: 'states',
    summary: 'print a schema',
    words: { usage: '<name> [version]', most: 2 },
    details: ['Prints the newest version unless you name one.'],
    options: atDeskOptions,
    examples: ['workrail schema show code-review', 'workrail schema show code-review 1 > review.schema.json'],
    load: async () => (await import('./schema-commands.js')).runSchemaShow,
  },
  {
    name: 'state create',
    group: 'states',
    summary: 'create the shared state of a session',
    words: { usage: '<session> <schema> <json|@file|->', most: 3 },
    details: ['A session has one open state. The same command again finds it.'],
    options: {
      'schema-version': { kind: 'text', value: 'number', says: 'the version of the schema (default: the newest)' },
      ...atDeskOptions,
    },
    examples: [`workrail state create AUTH-1234 code-review '{"status":"pending","tasks":[]}'`],
    load: async () => (await import('./write-state-commands.js')).runStateCreate,
  },
  {
    name: 'state show',
    group: 'states',
    summary: 'print a shared state, or a part of it',
    words: state,
    details: ['Prints the document as JSON on stdout, and what it is on stderr.'],
    options: {
      path: { kind: 'text', value: 'pointer', says: 'only this part, such as /tasks/0' },
      at: { kind: 'text', value: 'version', says: 'an older version, by its number or its etag' },
      ...atDeskOptions,
    },
    examples: [
      'workrail state show AUTH-1234',
      'workrail state show AUTH-1234 --path /tasks',
      'workrail state show AUTH-1234 --at 3',
    ],
    load: async () => (await import('./show-state-commands.js')).runStateShow,
  },
  {
    name: 'state set',
    group: 'states',
    summary: 'replace a shared state',
    words: { usage: '<session|state> <json|@file|->', most: 2 },
    details: ['The whole document has to fit its schema; else nothing is written.'],
    options: { ...expected, ...atDeskOptions },
    examples: ['workrail state set AUTH-1234 @state.json --expected 4'],
    load: async () => (await import('./write-state-commands.js')).runStateSet,
  },
  {
    name: 'state patch',
    group: 'states',
    summary: 'change parts of a shared state',
    words: { usage: '<session|state> <operations|@file|->', most: 2 },
    details: ['Operations of JSON Patch: add, remove, replace, move, copy and test. All are done, or none.'],
    options: { ...expected, ...atDeskOptions },
    examples: [`workrail state patch AUTH-1234 '[{"op":"replace","path":"/status","value":"review"}]'`],
    load: async () => (await import('./write-state-commands.js')).runStatePatch,
  },
  {
    name: 'state log',
    group: 'states',
    summary: 'list the versions of a shared state, newest first',
    words: state,
    details: ['Without a terminal, it prints one line per version, with tabs between the columns.'],
    options: {
      before: { kind: 'text', value: 'number', says: 'only versions with a smaller number' },
      ...atDeskOptions,
    },
    examples: ['workrail state log AUTH-1234', 'workrail state log AUTH-1234 --before 100'],
    load: async () => (await import('./show-state-commands.js')).runStateLog,
  },
  {
    name: 'state diff',
    group: 'states',
    summary: 'show what differs between two versions',
    words: { usage: '<session|state> <version> [version]', most: 3 },
    details: [
      'Prints the JSON Patch that makes the second of the first. The second is the newest unless you name one.',
    ],
    options: atDeskOptions,
    examples: ['workrail state diff AUTH-1234 3', 'workrail state diff AUTH-1234 3 7'],
    load: async () => (await import('./show-state-commands.js')).runStateDiff,
  },
  {
    name: 'state fork',
    group: 'states',
    summary: 'create another state from a version of one',
    words: { usage: '<session|state> [version]', most: 2 },
    details: ['It belongs to the same session and is known by its own id. The same command again finds it.'],
    options: atDeskOptions,
    examples: ['workrail state fork AUTH-1234 3'],
    load: async () => (await import('./write-state-commands.js')).runStateFork,
  },
  {
    name: 'state migrate',
    group: 'states',
    summary: 'put a shared state under another schema',
    words: { usage: '<session|state> <schema> [json|@file|-]', most: 3 },
    details: ['The operations, a JSON Patch, make the document fit the new schema. Versions are counted on.'],
    options: {
      'schema-version': { kind: 'text', value: 'number', says: 'the version of the schema (default: the newest)' },
      ...atDeskOptions,
    },
    examples: [`workrail state migrate AUTH-1234 code-review '[{"op":"add","path":"/owner","value":"ann"}]'`],
    load: async () => (await import('./write-state-commands.js')).runStateMigrate,
  },
  {
    name: 'state settle',
    group: 'states',
    summary: 'say what becomes of a change that could not be merged',
    words: { usage: '<session|state> <etag> <apply|leave>', most: 3 },
    details: [
      'apply makes the change now, on top of the newest version; leave leaves it out. workrail state show names the changes that wait.',
    ],
    options: { reason: { kind: 'text', value: 'text', says: 'the reason' }, ...atDeskOptions },
    examples: ['workrail state settle AUTH-1234 v7-0123456789ab apply'],
    load: async () => (await import('./write-state-commands.js')).runStateSettle,
  },
  {
    name: 'state close',
    group: 'states',
    summary: 'close a shared state',
    words: state,
    details: ['It can be read as long as its session is there, and nobody writes to it any more.'],
    options: { reason: { kind: 'text', value: 'text', says: 'the reason' }, ...atDeskOptions },
    examples: ['workrail state close AUTH-1234 --reason "The review is done."'],
    load: async () => (await import('./write-state-commands.js')).runStateClose,
  },
];
