import { randomBytes } from 'node:crypto';
import {
  type jsonSchemaValidator,
  ProtocolErrorCode,
  Server,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { RequestName } from '../contract/request-schemas.js';
import { instructionsFor } from '../contract/tool-catalogue.js';
import type { Reply } from '../contract/reply.js';
import { agentResources } from '../requests/agent-resources.js';
import type { AgentRequests } from '../requests/requests.js';
import { type Asked, clientAsker, type Era } from './asked.js';
import { internalReply } from './internal-reply.js';
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
  /** Aborted when the client has gone, on a transport that does not say so itself. */
  readonly gone?: AbortSignal;
}

type Answer = Readonly<Record<string, unknown>>;

/** What a method answers; its parameters are whatever a client sent. */
type Method = (params: Readonly<Record<string, unknown>>, asked: Asked) => Answer | Promise<Answer>;

/** Opened for the client that asks, which may have to be asked first where it works: then nothing is opened. */
export type RequestsFor = (asked: Asked) => Promise<AgentRequests | undefined>;

/** One server object: for one client on stdio, and over HTTP for one client session, or for one request of a client that has none. */
export function mcpServer(requests: RequestsFor, options: McpServerOptions, era: Era): Server {
  const server = new PlainServer(
    { name: 'workrail', version: options.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: instructionsFor(options.tools),
      jsonSchemaValidator: ownJudgement,
    },
  );
  const lasting = era === 'modern' ? lastsAnHour : {};
  // There are no prompts and no templates; some clients ask all the same, and take an error for a broken server.
  const methods = new Map<string, Method>([
    ...toolMethods(requests, options, lasting),
    ...resourceMethods(),
    ['resources/templates/list', () => ({ resourceTemplates: [], ...lasting })],
    ['prompts/list', () => ({ prompts: [], ...lasting })],
  ]);
  const asked = clientAsker(server, era, options);
  for (const [method, answer] of methods)
    server.setRequestHandler(method, { params: anything, result: anything }, async (params, context) =>
      answer(params, asked(context)),
    );
  // Over HTTP a method that is not there is a 404, which the SDK answers where nobody is asked.
  if (era === 'legacy')
    server.fallbackRequestHandler = ({ method }) =>
      Promise.reject(
        protocolError(
          ProtocolErrorCode.MethodNotFound,
          `there is no method ${shown(method)}; there is ${[...methods.keys()].join(', ')}`,
        ),
      );
  return server;
}

/** Clients of 2026-07-28 are told how long an answer holds. What is offered does not change while the server lives. */
const lastsAnHour = { ttlMs: 3_600_000, cacheScope: 'public' };

class PlainServer extends Server {
  /** The SDK would hold calls and answers against its own schemas, and refuse in its own words. */
  protected override _wrapHandler<Handler>(_method: string, handler: Handler): Handler {
    return handler;
  }
}

/** What a person fills in is judged where it is used. The SDK's own validator would be loaded at every start. */
const ownJudgement: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

const anything: StandardSchemaV1<Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'workrail',
    validate: (value) => ({ value: typeof value === 'object' && value !== null ? { ...value } : {} }),
  },
};

function toolMethods(
  requests: RequestsFor,
  options: McpServerOptions,
  lasting: Answer,
): readonly (readonly [string, Method])[] {
  const tools = offeredTools(options.tools, options.legacyNames);
  const published = tools.map((tool) => tool.published);
  const callTool: Method = async ({ name, arguments: raw = {} }, asked) => {
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
    const reply = await call(
      async () => (await requests(asked))?.call(tool.request, raw, asked.askPerson),
      tool.request,
      options.log,
    );
    const wanted = asked.wanted();
    if (wanted !== undefined) return wanted;
    if (reply === undefined) throw new Error('a client that is asked nothing is answered');
    return { ...toolResult(reply, options) };
  };
  return [
    ['tools/list', () => ({ tools: published, ...lasting })],
    ['tools/call', callTool],
  ];
}

/** Resources only repeat what tools and docs say: support for them is uneven among clients. Nothing is opened for them. */
function resourceMethods(): readonly (readonly [string, Method])[] {
  const list: Method = () => ({
    resources: agentResources().map(({ uri, name, title, description, mimeType }) => ({
      uri,
      name,
      title,
      description,
      mimeType,
    })),
  });
  const read: Method = (params) => {
    const resources = agentResources();
    const found = resources.find(({ uri }) => uri === params['uri']);
    if (found === undefined)
      throw invalidParams(
        `there is no resource ${shown(params['uri'])}; there is ${resources.map(({ uri }) => uri).join(', ')}`,
      );
    const { uri, mimeType, text } = found;
    return { contents: [{ uri, mimeType, text }] };
  };
  return [
    ['resources/list', list],
    ['resources/read', read],
  ];
}

async function call<R>(asked: () => Promise<R>, name: RequestName, log: (line: string) => void): Promise<R | Reply> {
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

const invalidParams = (message: string): Error => protocolError(ProtocolErrorCode.InvalidParams, message);

/** An error of the protocol itself, with its code; the SDK's own class would put the code into the words as well. */
function protocolError(code: ProtocolErrorCode, message: string): Error {
  return Object.assign(new Error(message), { code });
}

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value.slice(0, 200))
    : value === undefined
      ? 'without a name'
      : `that is a ${value === null ? 'null' : typeof value}`;
