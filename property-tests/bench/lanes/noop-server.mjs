// A server of the same SDK whose one tool does nothing: what MCP itself costs.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'noop', version: '1' }, { capabilities: { tools: {} } });
// Once called with an answer, it gives that one ever after.
let answer = { content: [{ type: 'text', text: 'done' }] };
server.setRequestHandler(CallToolRequestSchema, ({ params }) => (answer = params.arguments?.answer ?? answer));
await server.connect(new StdioServerTransport());
