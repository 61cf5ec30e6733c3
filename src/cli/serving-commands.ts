import type { Command } from './command.js';
import { atDeskOptions, json, places } from './shared-options.js';

/** Commands that serve agents and show how it is done. */
export const servingCommands: readonly Command[] = [
  {
    name: 'mcp',
    summary: 'serve agents over MCP on stdin and stdout',
    details: [
      'An MCP client starts this itself; README.md has the configuration of each client.',
      'The workspace is --workspace, else CLAUDE_PROJECT_DIR, else the first root that the client names, else the working folder.',
      'Messages go to stderr. The server ends when its stdin ends.',
    ],
    options: {
      ...places,
      disable: { kind: 'list', value: 'tools', says: 'do not offer these: checkpoint_workflow, resume_session (or WORKRAIL_DISABLE)' },
      enable: { kind: 'list', value: 'tools', says: 'offer these as well: start_session (or WORKRAIL_ENABLE)' },
      'structured-content': { kind: 'switch', says: 'give every answer as structured content too, for clients that show nothing else' },
      'legacy-tool-names': { kind: 'switch', says: 'offer workflow_list, workflow_start, workflow_advance … as well' },
    },
    examples: ['workrail mcp', 'workrail mcp --workspace ../shop --enable start_session', 'workrail mcp --disable checkpoint_workflow,resume_session'],
    load: async () => (await import('./mcp-command.js')).runMcp,
  },
  {
    name: 'init',
    summary: 'give a repository sessions of its own, or connect an agent',
    details: [
      'Without --client: makes .workrail/ in the repository, with its .gitignore and .gitattributes. Nothing else ever makes one.',
      "With --client: prints that client's configuration. --write puts it into the client's file and keeps what is there; --undo takes it out.",
    ],
    options: {
      client: { kind: 'text', value: 'name', says: 'claude-code, cursor, vscode, codex, gemini, zed or claude-desktop' },
      project: { kind: 'switch', says: "the client's file in this project, in place of the one for all projects" },
      write: { kind: 'switch', says: "write into the client's file" },
      undo: { kind: 'switch', says: "take our entry out of the client's file" },
      force: { kind: 'switch', says: 'replace an entry of that name that says something else' },
      npx: { kind: 'switch', says: 'start the published package with npx, also from a clone' },
      here: { kind: 'switch', says: "make .workrail/ in this very folder, not at the repository's root" },
      ...atDeskOptions,
    },
    examples: ['workrail init', 'workrail init --client claude-code', 'workrail init --client cursor --write', 'workrail init --client vscode --project --write', 'workrail init --client codex --undo'],
    load: async () => (await import('./init-command.js')).runInit,
  },
  {
    name: 'demo',
    summary: 'watch an agent lose an answer, go back, branch, be killed and go on',
    details: ['A scripted agent plays a bundled workflow against a real server, in a temporary folder; nothing of yours is touched.', 'Each line is a check. The exit code is 1 when one did not hold.'],
    options: { keep: { kind: 'switch', says: 'keep the folder, and say where it is' }, ...json },
    examples: ['workrail demo', 'workrail demo --keep', 'workrail demo --json'],
    load: async () => (await import('./demo-command.js')).runDemo,
  },
];
