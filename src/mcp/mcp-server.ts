import { randomBytes } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ErrorCode, ListPromptsRequestSchema, ListResourcesRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { RequestName } from '../contract/request-schemas.js';
import { instructionsFor } from '../contract/tool-catalogue.js';
import type { AgentRequests } from '../requests/requests.js';
import { internalReply } from './internal-reply.js';
import { moveLegacyNotes } from './move-legacy-notes.js';
import { offeredTools } from './offered-tools.js';
import { toolResult } from './tool-result.js';
import { unknownTool } from './unknown-tool.js';

export interface McpServerOptions {
  readonly version: string;
  readonly tools: ReadonlySet<RequestName>;
  readonly legacyNames: boolean;
  /** Every answer as structured content too, for clients that show the model nothing else. */
  readonly structuredContent: boolean;
  readonly log: (line: string) => void;
}

/** One server object, for one client: on stdio the only one, over HTTP one for each client session. */
export function mcpServer(requests: () => Promise<AgentRequests>, options: McpServerOptions): Server {
  const server = new Server({ name: 'workrail', version: options.version }, { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: instructionsFor(options.tools) });
  offerTools(server, requests, options);
  offerResources(server, requests);
  // There are none; some clients ask all the same, and take an error for a broken server.
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [] }));
  return server;
}

function offerTools(server: Server, requests: () => Promise<AgentRequests>, options: McpServerOptions): void {
  const tools = offeredTools(options.tools, options.legacyNames);
  const published = tools.map((tool) => tool.published);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: published }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw invalidParams(unknownTool(params.name, tools.map(({ name }) => name)));
    const raw = params.arguments ?? {};
    const result = await call(requests, tool.request, tool.legacy ? moveLegacyNotes(raw) : raw, options.log);
    return { ...toolResult(result, options) };
  });
}

/** Resources only repeat what tools and docs say: support for them is uneven among clients. */
function offerResources(server: Server, requests: () => Promise<AgentRequests>): void {
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: (await requests()).resources().map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const known = (await requests()).resources();
    const found = known.find(({ uri }) => uri === params.uri);
    if (found === undefined) throw invalidParams(`there is no resource ${params.uri.slice(0, 200)}; there is ${known.map(({ uri }) => uri).join(', ')}`);
    const { uri, mimeType, text } = found;
    return { contents: [{ uri, mimeType, text }] };
  });
}

async function call(requests: () => Promise<AgentRequests>, name: RequestName, raw: unknown, log: (line: string) => void): Promise<Awaited<ReturnType<AgentRequests['call']>>> {
  try {
    return await (await requests()).call(name, raw);
  } catch (cause) {
    const correlationId = randomBytes(4).toString('hex');
    log(`${name} failed (correlation ${correlationId}): ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    return internalReply(name, correlationId);
  }
}

/** An error of the protocol itself, with its code; the SDK's own class would put the code into the words as well. */
function invalidParams(message: string): Error {
  return Object.assign(new Error(message), { code: ErrorCode.InvalidParams });
}
