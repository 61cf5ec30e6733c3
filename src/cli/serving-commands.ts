import type { Command } from './command.js';
import { json, places } from './shared-options.js';

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
    name: 'demo',
    summary: 'watch an agent lose an answer, go back, branch, be killed and go on',
    details: ['A scripted agent plays a bundled workflow against a real server, in a temporary folder; nothing of yours is touched.', 'Each line is a check. The exit code is 1 when one did not hold.'],
    options: { keep: { kind: 'switch', says: 'keep the folder, and say where it is' }, ...json },
    examples: ['workrail demo', 'workrail demo --keep', 'workrail demo --json'],
    load: async () => (await import('./demo-command.js')).runDemo,
  },
];
