import { catalogCommands } from './catalogs/catalog-commands.js';
import { careCommands } from './care/care-commands.js';
import type { Command } from './shell/command.js';
import { runTable } from './runs/run-table.js';
import { runningCommands } from './run/running-commands.js';
import { workflowCommands } from './run/workflow-commands.js';
import { servingCommands } from './serve/serving-commands.js';
import { sessionCommands } from './sessions/session-commands.js';
import { json } from './shell/shared-options.js';
import { shells } from './shell/completion-scripts.js';
import { stateCommands } from './states/state-commands.js';

/** Every command, in the order of the help. What each does is loaded when it is called. */
export const commandTable: readonly Command[] = [
  ...servingCommands,
  ...runningCommands,
  ...runTable,
  ...workflowCommands,
  ...catalogCommands,
  ...stateCommands,
  ...sessionCommands,
  ...careCommands,
  {
    name: 'keys rotate',
    group: 'care',
    summary: 'sign new tokens with a new key',
    details: ['Tokens of the seven keys before it still work.'],
    options: json,
    examples: ['workrail keys rotate', 'workrail keys rotate --json'],
    load: async () => (await import('./care/keys-rotate-command.js')).runKeysRotate,
  },
  {
    name: 'completions',
    group: 'setUp',
    summary: 'print a script for tab completion in your shell',
    words: { usage: '<bash|zsh|fish>', most: 1000, name: shells },
    details: [
      'Completes commands, options, sessions, workflows and catalogs.',
      'Run the example for your shell once: the first for bash, the second for zsh (into a folder of $fpath), the third for fish.',
    ],
    options: {},
    examples: [
      'workrail completions bash >> ~/.bashrc',
      'workrail completions zsh > ~/.zfunc/_workrail',
      'workrail completions fish > ~/.config/fish/completions/workrail.fish',
    ],
    load: async () => (await import('./shell/completions-command.js')).runCompletions,
  },
  {
    name: 'version',
    group: 'setUp',
    summary: 'print the version',
    details: [],
    options: json,
    examples: ['workrail version', 'workrail version --json'],
    load: async () => (await import('./shell/version-command.js')).runVersion,
  },
  {
    name: 'help',
    group: 'setUp',
    summary: 'list all commands, or explain one',
    words: { usage: '[command]', most: 2, name: 'command' },
    details: [],
    options: {},
    examples: ['workrail help', 'workrail help mcp', 'workrail help options'],
    load: async () => (await import('./shell/help-command.js')).runHelp,
  },
];
