import { fileURLToPath } from 'node:url';
import { startClient } from '../../bench/frame/stdio-client.mjs';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** The built program in a workspace, with the tools for runs, and an agent at the other end of its stdin. */
export async function openAgent({ workspace, env }) {
  const args = [program, 'mcp', '--toolsets', 'author,commands'];
  const agent = await startClient(process.execPath, args, env, workspace);
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  agent.client.onclose = end;
  return {
    /** What a tool answers; undefined where the program ended before that. */
    ask: (name, args_) =>
      Promise.race([
        agent.call(name, args_).then(
          ({ structuredContent, _meta }) => structuredContent ?? _meta,
          (cause) => {
            if (/closed|EPIPE|not connected/iu.test(cause.message)) return undefined;
            throw cause;
          },
        ),
        ended,
      ]),
    /** As a machine does that runs out of memory. */
    kill: () => process.kill(agent.pid, 'SIGKILL'),
    close: () => agent.close(),
  };
}
