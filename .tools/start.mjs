// npm start: how to connect an agent to this clone, then the demo.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './build.mjs';

const main = join(root, 'dist', 'cli', 'main.js');
const generic = { mcpServers: { workrail: { command: 'node', args: [main, 'mcp'] } } };
const quoted = /^[\w@%+=:,./-]+$/u.test(main) ? main : `"${main}"`;

process.stdout.write(`
WorkRail is built. To connect an agent to this clone:

  Claude Code     claude mcp add workrail -- node ${quoted} mcp
  Codex CLI       codex mcp add workrail -- node ${quoted} mcp
  other clients   ${JSON.stringify(generic)}

README.md has the configuration of each client. Now the demo: a scripted agent, a real server, a temporary folder.

`);

const { status } = spawnSync(process.execPath, [main, 'demo', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
