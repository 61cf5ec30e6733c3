import { careCommands } from './care/care-commands.js';
import type { Command } from './shell/command.js';
import { runningCommands } from './run/running-commands.js';
import { servingCommands } from './serve/serving-commands.js';
import { sessionCommands } from './sessions/session-commands.js';
import { json } from './shell/shared-options.js';

/** Every command, in the order of the help. What each does is loaded when it is called. */
export const commandTable: readonly Command[] = [
  ...servingCommands,
  ...runningCommands,
  ...sessionCommands,
  ...careCommands,
  {
    name: 'keys rotate',
    summary: 'sign new tokens with a new key',
    details: ['Tokens of the seven keys before it go on working.'],
    options: json,
    examples: ['workrail keys rotate', 'workrail keys rotate --json'],
    load: async () => (await import('./care/keys-rotate-command.js')).runKeysRotate,
  },
  {
    name: 'version',
    summary: 'print the version',
    details: [],
    options: json,
    examples: ['workrail version', 'workrail version --json'],
    load: async () => (await import('./shell/version-command.js')).runVersion,
  },
  {
    name: 'help',
    summary: 'print this, or all about one command',
    words: { usage: '[command]', most: 2 },
    details: [],
    options: {},
    examples: ['workrail help', 'workrail help mcp'],
    load: async () => (await import('./shell/help-command.js')).runHelp,
  },
];
