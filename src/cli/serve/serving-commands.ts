import type { Command } from '../shell/command.js';
import { atDeskOptions, json, places } from '../shell/shared-options.js';
import { toolOptions } from './tool-switches.js';

/** Commands that serve agents and show how it is done. */
export const servingCommands: readonly Command[] = [
  {
    name: 'mcp',
    group: 'setUp',
    summary: 'serve agents over MCP on stdin and stdout',
    details: [
      'An MCP client starts this itself; README.md has the configuration of each client.',
      'The workspace is --workspace, else CLAUDE_PROJECT_DIR, else the first root that the client names, else the working folder.',
      'Messages go to stderr. The server ends when its stdin ends.',
    ],
    options: {
      ...places,
      ...toolOptions,
    },
    examples: [
      'workrail mcp',
      'workrail mcp --workspace ../shop --enable start_session',
      'workrail mcp --disable checkpoint_workflow,resume_session',
    ],
    load: async () => (await import('./mcp-command.js')).runMcp,
  },
  {
    name: 'serve',
    group: 'setUp',
    summary: 'serve the page, its API, and agents over MCP on HTTP',
    details: [
      'The page shows every session while agents work on it. Nothing is loaded from outside, and nothing is sent there.',
      'Only this machine can reach it. With --host others can, and then each request needs a token: --token, else WORKRAIL_TOKEN, else one that is made and printed.',
      'A port that is taken is not replaced by another one; --port 0 picks one that is free. Ctrl-C ends it.',
    ],
    options: {
      port: { kind: 'text', value: 'number', says: '4747 where it is left out' },
      host: { kind: 'text', value: 'address', says: 'the address to listen on; 127.0.0.1 where it is left out' },
      token: { kind: 'text', value: 'token', says: 'ask every request for it; 16 or more of A-Z a-z 0-9 . _ ~ -' },
      open: { kind: 'switch', says: 'open the page in the browser' },
      ...places,
      ...toolOptions,
    },
    examples: [
      'workrail serve',
      'workrail serve --open',
      'workrail serve --port 0 --workspace ../shop',
      'workrail serve --host 192.168.1.20',
    ],
    load: async () => (await import('./serve-command.js')).runServe,
  },
  {
    name: 'init',
    group: 'setUp',
    summary: 'give a repository sessions of its own, or connect an agent',
    details: [
      'Without --client: makes .workrail/ in the repository, with its .gitignore and .gitattributes. Nothing else ever makes one.',
      "With --client: prints that client's configuration. --write puts it into the client's file and keeps what is there, or has the client's own command do so; --undo takes it out.",
    ],
    options: {
      client: {
        kind: 'text',
        value: 'name',
        says: 'claude-code, cursor, vscode, codex, antigravity, copilot, gemini, zed, claude-desktop, or json for any other',
      },
      project: { kind: 'switch', says: "the client's file in this project, in place of the one for all projects" },
      write: { kind: 'switch', says: "write into the client's file" },
      undo: { kind: 'switch', says: "take our entry out of the client's file" },
      force: { kind: 'switch', says: 'replace an entry of that name that says something else' },
      npx: { kind: 'switch', says: 'start the package of the npm registry with npx, in place of this program' },
      here: { kind: 'switch', says: "make .workrail/ in this very folder, not at the repository's root" },
      trust: { kind: 'text', value: 'folder', says: 'use this .workrail/ although it belongs to another user' },
      ...atDeskOptions,
    },
    examples: [
      'workrail init',
      'workrail init --client claude-code',
      'workrail init --client cursor --write',
      'workrail init --client vscode --project --write',
      'workrail init --client codex --undo',
      'workrail init --trust /srv/shop/.workrail',
    ],
    load: async () => (await import('./init-command.js')).runInit,
  },
  {
    name: 'demo',
    group: 'setUp',
    summary: 'watch an agent lose an answer, branch, be killed and hand over',
    details: [
      'A scripted agent plays a bundled workflow against a real server, in temporary folders; nothing of yours is touched.',
      'Each line is a check. The exit code is 1 when one did not hold.',
      'It leaves three sessions, one of which waits for you: to look at them, keep them and give workrail serve their folder.',
    ],
    options: {
      keep: { kind: 'switch', says: 'keep the folders, and say where they are' },
      stay: { kind: 'switch', says: 'stay until the session that waits is answered, and go on with it' },
      ...json,
    },
    examples: ['workrail demo', 'workrail demo --keep', 'workrail demo --json'],
    load: async () => (await import('../demo/demo-command.js')).runDemo,
  },
];
