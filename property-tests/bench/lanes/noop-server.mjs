// A server of the same SDK with one tool. It does nothing: what MCP itself costs. Or, with a file and a number of bytes, it
// appends a line of so many and syncs before it answers, and nothing else: the least that is durable.
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [file, bytes] = process.argv.slice(2);
const fd = file === undefined ? undefined : openSync(file, 'a');
const line = Buffer.from(`${'x'.repeat(Math.max(0, Number(bytes ?? 1) - 1))}\n`);
// Once called with an answer, it gives that one ever after.
let answer = { content: [{ type: 'text', text: 'done' }] };

serveStdio(() => {
  const server = new Server({ name: 'noop', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', ({ params }) => {
    if (fd !== undefined) {
      writeSync(fd, line);
      fdatasyncSync(fd);
    }
    return (answer = params.arguments?.answer ?? answer);
  });
  return server;
});
