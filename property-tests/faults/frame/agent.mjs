import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * An agent that speaks MCP over stdio with a server of its own, as agents' clients do. `wrap` is what the server is
 * started under, such as strace; `server` are more words for it.
 */
export async function startAgent(
  build,
  world,
  { env = {}, wrap = [], server = [], dataDir = world.dataDir, name = 'faults' } = {},
) {
  const { startStdioClient } = await import(pathToFileURL(join(build.folder, 'dist', 'mcp', 'stdio-client.js')).href);
  const words = [
    ...wrap,
    process.execPath,
    build.program,
    'mcp',
    '--enable',
    'start_session,state_create,state_patch',
    '--data-dir',
    dataDir,
    '--workspace',
    world.workspace,
    ...server,
  ];
  const client = await startStdioClient({
    command: words[0],
    args: words.slice(1),
    env: { ...world.env, ...env },
    cwd: world.workspace,
    name,
  });
  return {
    pid: client.pid,
    stderr: () => client.stderrLines(),
    /** Undefined where the server went away before it answered. */
    call: async (tool, args) => {
      try {
        return await client.call(tool, args);
      } catch (cause) {
        if (/Connection closed|Not connected|EPIPE|write after end/u.test(String(cause))) return undefined;
        throw cause;
      }
    },
    kill: (signal = 'SIGKILL') =>
      client.kill(signal).catch((cause) => {
        if (cause.code !== 'ESRCH') throw cause;
      }),
    close: () => client.close(),
  };
}
