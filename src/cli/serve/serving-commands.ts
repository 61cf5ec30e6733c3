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
      'MCP clients start this themselves; README.md shows how to configure each client.',
      'The workspace is --workspace, else CLAUDE_PROJECT_DIR, else the first root that the client sends, else the working directory.',
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
      'The page shows every session, live. It loads nothing from other servers and sends them nothing.',
      'Only this machine can reach it. With --host, other machines can, and every request needs a token: --token, else WORKRAIL_TOKEN, else one is generated and printed.',
      'If the port is taken, it fails instead of using another; --port 0 picks a free one. Ctrl-C stops the server.',
    ],
    options: {
      port: { kind: 'text', value: 'number', says: 'default: 4747' },
      host: { kind: 'text', value: 'address', says: 'the address to listen on (default: 127.0.0.1)' },
      token: { kind: 'text', value: 'token', says: 'require it in every request; 16 or more of A-Z a-z 0-9 . _ ~ -' },
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
    summary: 'set up a repository, or connect an agent',
    details: [
      'Without --client, it creates .workrail/ in the repository, with a .gitignore and a .gitattributes, so that sessions are kept there. Nothing else creates that folder.',
      "With --client, it prints the configuration for that client. --write adds it to the client's file and keeps the rest, or runs the client's own command; --undo removes it.",
    ],
    options: {
      client: {
        kind: 'text',
        value: 'name',
        says: 'claude-code, cursor, vscode, codex, antigravity, copilot, gemini, zed, claude-desktop, or json for any other',
      },
      project: { kind: 'switch', says: "use the client's file in this project instead of the one for all projects" },
      write: { kind: 'switch', says: "write into the client's file" },
      undo: { kind: 'switch', says: "remove our entry from the client's file" },
      force: { kind: 'switch', says: 'replace a different entry of that name' },
      npx: { kind: 'switch', says: 'run the package from the npm registry with npx instead of this program' },
      here: { kind: 'switch', says: "create .workrail/ in this folder, not at the repository's root" },
      trust: { kind: 'text', value: 'folder', says: 'allow this .workrail/ although it belongs to another user' },
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
    summary: 'see an agent lose an answer, branch, crash, call an API',
    details: [
      'A scripted agent plays a built-in workflow against a real server, in temporary folders; your own data is not touched.',
      'Each line is a check. The exit code is 1 if one fails.',
      'It makes seven sessions, one of which is waiting for you. To look at them, add --keep and pass their folder to `workrail serve --data-dir`.',
    ],
    options: {
      keep: { kind: 'switch', says: 'keep the folders, and print their paths' },
      stay: { kind: 'switch', says: 'wait until you answer the session that waits, then continue it' },
      ...json,
    },
    examples: ['workrail demo', 'workrail demo --keep', 'workrail demo --json'],
    load: async () => (await import('../demo/demo-command.js')).runDemo,
  },
];
