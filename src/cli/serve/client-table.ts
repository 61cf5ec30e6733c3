import path from 'node:path';
import type { JsonObject } from '../../base/json-value.js';
import type { CliEnvironment } from '../print/cli-environment.js';

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

type Places = Pick<CliEnvironment, 'env' | 'home' | 'platform'>;

/** An MCP client: where it keeps its servers, and in which form. */
export interface Client {
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** The table of servers in its file. */
  readonly at: string;
  /** What stands beside command and arguments. */
  readonly also?: JsonObject;
  /** Relative to the project. */
  readonly projectFile?: string;
  readonly userFile?: (places: Places) => string;
  /** Its own command that adds a server for the user, word by word. */
  readonly add?: (launch: Launch) => readonly string[];
  /** Its own command that takes that server away again, where it keeps no file that could be edited. */
  readonly remove?: readonly string[];
  /** Opens the client and asks to install. */
  readonly link?: (launch: Launch) => string;
  /** Said after the configuration. */
  readonly then: string;
}

/** A client with what is to stand in its file. */
export interface Chosen {
  readonly client: Client;
  readonly launch: Launch;
  readonly entry: JsonObject;
  readonly project: boolean;
}

/** Where programs keep their settings on each system. */
function settings({ env, home, platform }: Places): string {
  if (platform === 'win32') return env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming');
  return platform === 'darwin'
    ? path.join(home, 'Library', 'Application Support')
    : (env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'));
}

export const clientTable: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    at: 'mcpServers',
    projectFile: '.mcp.json',
    add: ({ command, args }) => ['claude', 'mcp', 'add', '--scope', 'user', 'workrail', '--', command, ...args],
    remove: ['claude', 'mcp', 'remove', '--scope', 'user', 'workrail'],
    then: 'Start a new Claude Code session; /mcp shows whether the server is connected.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    at: 'mcpServers',
    projectFile: '.cursor/mcp.json',
    userFile: ({ home }) => path.join(home, '.cursor', 'mcp.json'),
    link: ({ command, args }) =>
      `https://cursor.com/en/install-mcp?name=workrail&config=${encodeURIComponent(Buffer.from(JSON.stringify({ command, args })).toString('base64'))}`,
    then: 'Cursor lists it under Settings, MCP.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    at: 'servers',
    also: { type: 'stdio' },
    projectFile: '.vscode/mcp.json',
    userFile: (places) => path.join(settings(places), 'Code', 'User', 'mcp.json'),
    link: ({ command, args }) =>
      `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'workrail', type: 'stdio', command, args }))}`)}`,
    then: 'Run "MCP: List Servers" from the command palette to start it.',
  },
  {
    name: 'codex',
    title: 'Codex CLI',
    format: 'toml',
    at: 'mcp_servers',
    userFile: ({ env, home }) => path.join(env['CODEX_HOME'] ?? path.join(home, '.codex'), 'config.toml'),
    projectFile: '.codex/config.toml',
    add: ({ command, args }) => ['codex', 'mcp', 'add', 'workrail', '--', command, ...args],
    then: "Codex passes only a few environment variables to a server; list others under env. It reads a project's file once you trust the project.",
  },
  {
    name: 'antigravity',
    title: 'Antigravity',
    format: 'json',
    at: 'mcpServers',
    projectFile: '.agents/mcp_config.json',
    userFile: ({ home }) => path.join(home, '.gemini', 'config', 'mcp_config.json'),
    then: 'Restart Antigravity or agy; /mcp shows the server. The app and the CLI read the same file.',
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    format: 'json',
    at: 'mcpServers',
    also: { type: 'local', tools: ['*'] },
    projectFile: '.github/mcp.json',
    userFile: ({ env, home }) => path.join(env['COPILOT_HOME'] ?? path.join(home, '.copilot'), 'mcp-config.json'),
    add: ({ command, args }) => ['copilot', 'mcp', 'add', 'workrail', '--', command, ...args],
    then: 'Restart Copilot CLI; /mcp show lists the server. It asks before it trusts a folder.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    at: 'mcpServers',
    projectFile: '.gemini/settings.json',
    userFile: ({ home }) => path.join(home, '.gemini', 'settings.json'),
    then: 'Restart Gemini CLI; /mcp lists its tools.',
  },
  {
    name: 'zed',
    title: 'Zed',
    format: 'json',
    at: 'context_servers',
    projectFile: '.zed/settings.json',
    userFile: ({ env, home, platform }) =>
      platform === 'win32'
        ? path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Zed', 'settings.json')
        : path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'zed', 'settings.json'),
    then: "Zed shows it under Settings, AI, MCP Servers. It reads a project's file once you trust the project.",
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    at: 'mcpServers',
    userFile: (places) => path.join(settings(places), 'Claude', 'claude_desktop_config.json'),
    then: "Quit Claude Desktop and open it again. It often starts without your shell's PATH: if it cannot start the server, replace the command with its full path.",
  },
  {
    name: 'json',
    title: 'Any other client',
    format: 'json',
    at: 'mcpServers',
    then: 'Most clients read this form. Some use the key "servers", or need "type": "stdio" next to the command. See the documentation of your client for the file.',
  },
];
