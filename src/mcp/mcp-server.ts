import { randomBytes } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, type ServerResult } from '@modelcontextprotocol/sdk/types.js';
import type { RequestName } from '../contract/request-schemas.js';
import { instructionsFor } from '../contract/tool-catalogue.js';
import type { Reply } from '../contract/reply.js';
import type { AgentRequests } from '../requests/requests.js';
import type { AskPerson } from '../requests/world/environment.js';
import { internalReply } from './internal-reply.js';
import { offeredTools } from './offered-tools.js';
import { personAsker } from './person-asker.js';
import { toolResult } from './tool-result.js';
import { unknownTool } from './unknown-tool.js';

export interface McpServerOptions {
  readonly version: string;
  readonly tools: ReadonlySet<RequestName>;
  readonly legacyNames: boolean;
  /** Every answer as structured content too, for clients that show the model nothing else. */
  readonly structuredContent: boolean;
  readonly log: (line: string) => void;
  /** Aborted when the client has gone, on a transport that does not say so itself. */
  readonly gone?: AbortSignal;
}

/** What a method answers; its parameters are whatever a client sent. */
type Method = (
  params: Readonly<Record<string, unknown>>,
  askPerson: AskPerson | undefined,
) => ServerResult | Promise<ServerResult>;

/** One server object, for one client: on stdio the only one, over HTTP one for each client session. */
export function mcpServer(requests: () => Promise<AgentRequests>, options: McpServerOptions): Server {
  const server = new PlainServer(
    { name: 'workrail', version: options.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: instructionsFor(options.tools) },
  );
  // There are no prompts; some clients ask all the same, and take an error for a broken server.
  const methods = new Map<string, Method>([
    ...toolMethods(requests, options),
    ...resourceMethods(requests),
    ['prompts/list', () => ({ prompts: [] })],
  ]);
  // The SDK would hold parameters against its own schemas, and answer what does not fit as a mistake of the server (-32603).
  const askPerson = personAsker(server, options);
  server.fallbackRequestHandler = async ({ method, params }, { requestId, signal }) => {
    const answer = methods.get(method);
    if (answer === undefined)
      throw protocolError(
        ErrorCode.MethodNotFound,
        `there is no method ${shown(method)}; there is ${[...methods.keys()].join(', ')}`,
      );
    return answer(params ?? {}, askPerson(requestId, signal));
  };
  return server;
}

class PlainServer extends Server {
  /** The protocol has servers without tasks ignore that one is wished for; the SDK answers with -32603. */
  protected override assertTaskHandlerCapability(): void {}
}

function toolMethods(
  requests: () => Promise<AgentRequests>,
  options: McpServerOptions,
): readonly (readonly [string, Method])[] {
  const tools = offeredTools(options.tools, options.legacyNames);
  const published = tools.map((tool) => tool.published);
  const callTool: Method = async ({ name, arguments: raw = {} }, askPerson) => {
    if (typeof name !== 'string')
      throw invalidParams(`tools/call names its tool: "name" is one of ${tools.map((tool) => tool.name).join(', ')}`);
    const tool = tools.find((offered) => offered.name === name);
    if (tool === undefined)
      throw invalidParams(
        unknownTool(
          name,
          tools.map((offered) => offered.name),
        ),
      );
    const result = await call(
      async () => (await requests()).call(tool.request, raw, askPerson),
      tool.request,
      options.log,
    );
    return { ...toolResult(result, options) };
  };
  return [
    ['tools/list', () => ({ tools: published })],
    ['tools/call', callTool],
  ];
}

/** Resources only repeat what tools and docs say: support for them is uneven among clients. */
function resourceMethods(requests: () => Promise<AgentRequests>): readonly (readonly [string, Method])[] {
  const list: Method = async () => ({
    resources: (await requests())
      .resources()
      .map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType })),
  });
  const read: Method = async (params) => {
    const known = (await requests()).resources();
    const found = known.find(({ uri }) => uri === params['uri']);
    if (found === undefined)
      throw invalidParams(
        `there is no resource ${shown(params['uri'])}; there is ${known.map(({ uri }) => uri).join(', ')}`,
      );
    const { uri, mimeType, text } = found;
    return { contents: [{ uri, mimeType, text }] };
  };
  return [
    ['resources/list', list],
    ['resources/read', read],
  ];
}

async function call(asked: () => Promise<Reply>, name: RequestName, log: (line: string) => void): Promise<Reply> {
  try {
    return await asked();
  } catch (cause) {
    const correlationId = randomBytes(4).toString('hex');
    log(
      `${name} failed (correlation ${correlationId}): ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
    );
    return internalReply(name, correlationId);
  }
}

const invalidParams = (message: string): Error => protocolError(ErrorCode.InvalidParams, message);

/** An error of the protocol itself, with its code; the SDK's own class would put the code into the words as well. */
function protocolError(code: ErrorCode, message: string): Error {
  return Object.assign(new Error(message), { code });
}

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value.slice(0, 200))
    : value === undefined
      ? 'without a name'
      : `that is a ${value === null ? 'null' : typeof value}`;
