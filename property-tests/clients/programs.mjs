import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The agent programs that are tried: where npm has them, and how each is pointed at a model and a server. */
export const programs = [
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.328',
    bin: 'claude',
    run: ({ home, model, server, says }) => {
      const config = join(home, 'mcp.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { workrail: { type: 'stdio', ...server } } }));
      return {
        env: {
          ANTHROPIC_BASE_URL: model,
          ANTHROPIC_API_KEY: 'none',
          ENABLE_TOOL_SEARCH: 'false',
          DISABLE_AUTOUPDATER: '1',
        },
        args: ['-p', says, '--mcp-config', config, '--strict-mcp-config', '--allowedTools', 'mcp__workrail'],
      };
    },
  },
  {
    name: 'Copilot CLI',
    package: '@github/copilot',
    version: '1.0.102',
    bin: 'copilot',
    run: ({ home, model, server, says }) => {
      const config = join(home, 'mcp.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { workrail: { type: 'local', tools: ['*'], ...server } } }));
      return {
        env: {
          COPILOT_PROVIDER_BASE_URL: model,
          COPILOT_PROVIDER_TYPE: 'anthropic',
          COPILOT_PROVIDER_API_KEY: 'none',
          COPILOT_MODEL: 'claude-sonnet-4',
        },
        args: ['-p', says, '--allow-all-tools', '--disable-builtin-mcps', '--additional-mcp-config', `@${config}`],
      };
    },
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    version: '0.169.0',
    bin: 'codex',
    run: ({ model, server, says }) => {
      const set = (key, value) => ['-c', `${key}=${value}`];
      return {
        env: { NO_KEY: 'none' },
        args: [
          'exec',
          '--skip-git-repo-check',
          '--ignore-user-config',
          '--dangerously-bypass-approvals-and-sandbox',
          ...set('model_provider', 'scripted'),
          ...set(
            'model_providers.scripted',
            `{name="scripted",base_url="${model}/v1",wire_api="responses",env_key="NO_KEY"}`,
          ),
          ...set('model', 'gpt-5'),
          ...set('mcp_servers.workrail.command', JSON.stringify(server.command)),
          ...set('mcp_servers.workrail.args', JSON.stringify(server.args)),
          ...set(
            'mcp_servers.workrail.env',
            `{${Object.entries(server.env)
              .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
              .join(',')}}`,
          ),
          says,
        ],
      };
    },
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    bin: 'gemini',
    run: ({ home, model, server, says }) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } }, mcpServers: { workrail: server } };
      writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
      return {
        env: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none' },
        args: ['-p', says, '-m', 'gemini-2.5-flash', '--yolo', '--skip-trust'],
      };
    },
  },
];

const ofFirstLine = async (folder) => ({
  ...(await import(join(folder, 'dist', 'esm', 'client', 'index.js'))),
  ...(await import(join(folder, 'dist', 'esm', 'client', 'stdio.js'))),
});
const ofSecondLine = async (folder) => ({
  ...(await import(join(folder, 'dist', 'index.mjs'))),
  ...(await import(join(folder, 'dist', 'stdio.mjs'))),
});
const oldSdk = { name: 'SDK', alias: 'npm:@modelcontextprotocol/sdk@', load: ofFirstLine, options: {} };
const newSdk = { alias: 'npm:@modelcontextprotocol/client@', version: '2.4.0', package: 'sdk-2.4', load: ofSecondLine };

/** The SDK's own clients, in the versions that others are built on. */
export const sdks = [
  { ...oldSdk, version: '1.17.5', package: 'sdk-1.17', bin: 'sdk-1.17' },
  { ...oldSdk, version: '1.32.2', package: 'sdk-1.32', bin: 'sdk-1.32' },
  { ...newSdk, name: 'SDK, left to itself,', bin: 'sdk-auto', options: { versionNegotiation: { mode: 'auto' } } },
  { ...newSdk, name: 'SDK, old handshake,', bin: 'sdk-legacy', options: { versionNegotiation: { mode: 'legacy' } } },
  {
    ...newSdk,
    name: 'SDK, pinned,',
    bin: 'sdk-pinned',
    options: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  },
];
