import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** A client of the SDK, as agents have one, at the other end of a server that it starts. */
export async function startClient(command, args, env, cwd) {
  const transport = new StdioClientTransport({ command, args, env, cwd, stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  return {
    pid: transport.pid,
    client,
    async call(name, args_) {
      const result = await client.callTool({ name, arguments: args_ });
      if (result.isError === true) throw new Error(`${name}: ${result.content[0]?.text}`);
      return result;
    },
    close: () => client.close(),
  };
}
