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
  /** Its own command that adds a server for the user. */
  readonly command?: (launch: Launch) => string;
  /** Its own command that takes that server away again, where it keeps no file that could be edited. */
  readonly removal?: string;
  /** Opens the client and asks to install. */
  readonly link?: (launch: Launch) => string;
  /** Said after the configuration. */
  readonly then: string;
}

const said = ({ command, args }: Launch): string =>
  [command, ...args].map((word) => (/^[\w@%+=:,./\\-]+$/u.test(word) ? word : JSON.stringify(word))).join(' ');

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
    command: (launch) => `claude mcp add --scope user workrail -- ${said(launch)}`,
    removal: 'claude mcp remove --scope user workrail',
    then: 'Start a new session of Claude Code; /mcp shows whether it is connected.',
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
    command: (launch) => `codex mcp add workrail -- ${said(launch)}`,
    then: 'Codex hands a server only a few environment variables; name others under env.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    at: 'mcpServers',
    projectFile: '.gemini/settings.json',
    userFile: ({ home }) => path.join(home, '.gemini', 'settings.json'),
    then: 'Start Gemini CLI anew; /mcp lists its tools.',
  },
  {
    name: 'zed',
    title: 'Zed',
    format: 'json',
    at: 'context_servers',
    userFile: ({ env, home, platform }) =>
      platform === 'win32'
        ? path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Zed', 'settings.json')
        : path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'zed', 'settings.json'),
    then: 'Zed shows it in the settings of the agent panel.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    at: 'mcpServers',
    userFile: (places) => path.join(settings(places), 'Claude', 'claude_desktop_config.json'),
    then: "Quit Claude Desktop and open it again. It often starts without your shell's PATH: if it cannot start the server, put the full path of the command in its place.",
  },
];
