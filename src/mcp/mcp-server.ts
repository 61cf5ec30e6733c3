import { randomBytes } from 'node:crypto';
import { type jsonSchemaValidator, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { RequestName } from '../contract/request-schemas.js';
import { instructionsFor, toolCatalogue } from '../contract/tool-catalogue.js';
import type { Reply } from '../contract/reply.js';
import { traceOfMeta } from '../contract/trace-context.js';
import { agentResources } from '../requests/workflows/agent-resources.js';
import { inTrace, tracedLog } from '../requests/world/trace.js';
import { anything } from './anything.js';
import { authorMethods } from './author-methods.js';
import { type Asked, clientAsker, type Era, refuseUnknownRevision, tasksExtension } from './asked.js';
import { internalReply } from './internal-reply.js';
import type { Method, RequestsFor } from './method.js';
import { type OfferedTool, offeredTools } from './offered-tools.js';
import { PlainServer } from './plain-server.js';
import { protocolError } from './protocol-error.js';
import type { TasksServed } from './tasks-served.js';
import { toolResult } from './tool-result.js';
import { unknownTool } from './unknown-tool.js';

export interface McpServerOptions {
  readonly version: string;
  readonly tools: ReadonlySet<RequestName>;
  readonly legacyNames: boolean;
  /** Every answer as structured content too, for clients that show the model nothing else. */
  readonly structuredContent: boolean;
  /** The person is never asked through the client. */
  readonly noElicitation?: boolean;
  readonly log: (line: string) => void;
  /**
   * Calls that wait for a person are given as tasks to clients of 2026-07-28 that take them; `legacy` also to those of
   * 2025-11-25 that wish for one. Where it is absent, nothing is said of tasks.
   */
  readonly tasks?: { readonly legacy: boolean } | undefined;
  /** Aborted when the client has gone, on a transport that does not say so itself. */
  readonly gone?: AbortSignal;
}

/** One server object: for one client on stdio, and over HTTP for one client session, or for one request of a client that has none. */
export function mcpServer(requests: RequestsFor, given: McpServerOptions, era: Era): Server {
  const options = { ...given, log: tracedLog(given.log) };
  const server = new PlainServer(
    { name: 'workrail', version: options.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, ...tasksOffered(options, era) },
      instructions: instructionsFor(options.tools),
      jsonSchemaValidator: ownJudgement,
    },
  );
  const lasting = era === 'modern' ? lastsAnHour : {};
  const served = tasksServed(requests, options, era);
  const methods = new Map<string, Method>([
    ...toolMethods(options, era, requests, served),
    ...taskMethods(options, era, served),
    ...(writesWorkflows(options) ? authorMethods(requests, era) : [...resourceMethods(), ...nothingElse(lasting)]),
  ]);
  const asked = clientAsker(server, era, options);
  for (const [method, answer] of methods)
    server.setRequestHandler(method, { params: anything, result: anything }, async (params, context) => {
      if (era === 'modern') refuseUnknownRevision(context);
      return inTrace(traceOfMeta(context.mcpReq._meta ?? {}), () => answer(params, asked(context)));
    });
  // Over HTTP a method that is not there is a 404, which the SDK answers where nobody is asked.
  if (era === 'legacy')
    server.fallbackRequestHandler = ({ method }) =>
      Promise.reject(
        protocolError(
          ProtocolErrorCode.MethodNotFound,
          `no method named ${shown(method)}; the methods are ${[...methods.keys()].join(', ')}`,
        ),
      );
  return server;
}

const writesWorkflows = ({ tools }: McpServerOptions): boolean =>
  toolCatalogue.some(({ name, toolset }) => toolset === 'author' && tools.has(name));

/** There are no prompts and no templates; some clients ask all the same, and take an error for a broken server. */
const nothingElse = (lasting: object): readonly (readonly [string, Method])[] => [
  ['resources/templates/list', () => ({ resourceTemplates: [], ...lasting })],
  ['prompts/list', () => ({ prompts: [], ...lasting })],
];

/** Clients of 2026-07-28 are told how long an answer holds. What is offered does not change while the server lives. */
const lastsAnHour = { ttlMs: 3_600_000, cacheScope: 'public' };

/** What a person fills in is judged where it is used. The SDK's own validator would be loaded at every start. */
const ownJudgement: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

function toolMethods(
  options: McpServerOptions,
  era: Era,
  requests: RequestsFor,
  served: (asked: Asked) => TasksServed,
): readonly (readonly [string, Method])[] {
  const tools = offeredTools(options.tools, options.legacyNames);
  const ofTasks = era === 'legacy' && options.tasks?.legacy === true;
  const published = tools.map((tool) =>
    ofTasks && takesTasks(tool) ? { ...tool.published, execution: { taskSupport: 'optional' } } : tool.published,
  );
  const callTool: Method = async ({ name, arguments: raw = {}, task }, asked) => {
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
    // Clients of 2026-07-28 do not wish for tasks: the server decides.
    const wished = era === 'legacy' && task !== undefined;
    if (wished && !(ofTasks && takesTasks(tool)))
      throw (await import('./task-errors.js')).noTaskHere({ name, takesTasks: takesTasks(tool) }, raw, ofTasks);
    const reply = await call(
      async () =>
        (await requests(asked))?.call(
          tool.request,
          raw,
          wished
            ? { agent: asked.askable.agent, askPerson: asked.askable.askPerson, takesTask: true }
            : { ...asked.askable, takesTask: options.tasks !== undefined && asked.takes.tasks },
        ),
      tool.request,
      options.log,
    );
    const wanted = asked.wanted();
    if (wanted !== undefined) return wanted;
    if (reply === undefined) throw new Error('a client that is asked nothing is answered');
    if (wished || (options.tasks !== undefined && isTask(reply, asked)))
      return (await import('./tasks.js')).callAsTask(reply, served(asked));
    return { ...toolResult(reply, options) };
  };
  return [
    ['tools/list', () => ({ tools: published, ...(era === 'modern' && lastsAnHour) })],
    ['tools/call', callTool],
  ];
}

const takesTasks = ({ request }: OfferedTool): boolean => request === 'continue_workflow' || request === 'run_workflow';

/** A client that shows its user no form would wait in silence for what it could have passed on. */
const isTask = ({ task }: Reply, { takes }: Asked): boolean =>
  task?.waits === true && takes.tasks && (task.asks !== true || takes.forms);

function tasksOffered({ tasks }: McpServerOptions, era: Era): object {
  if (tasks === undefined) return {};
  if (era === 'modern') return { extensions: { [tasksExtension]: {} } };
  return tasks.legacy ? { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } : {};
}

/** What is asked about tasks. Nothing of it is loaded before that. */
function taskMethods(
  options: McpServerOptions,
  era: Era,
  served: (asked: Asked) => TasksServed,
): readonly (readonly [string, Method])[] {
  if (options.tasks === undefined || (era === 'legacy' && !options.tasks.legacy)) return [];
  const methods = era === 'modern' ? ['get', 'update', 'cancel'] : ['get', 'result', 'list', 'cancel'];
  return methods.map((name) => {
    const method = `tasks/${name}`;
    return [method, async (params, asked) => (await import('./tasks.js')).answerTask(method, params, served(asked))];
  });
}

function tasksServed(requests: RequestsFor, options: McpServerOptions, era: Era): (asked: Asked) => TasksServed {
  const kept: Pick<TasksServed, 'atOnce' | 'shown'> = { atOnce: new Map(), shown: new Map() };
  return (asked) => ({
    ...kept,
    era,
    asked,
    open: async () => {
      const tasks = (await requests(asked, 'anywhere'))?.tasks;
      if (tasks === undefined) throw new Error('a server that offers tasks has requests that keep them');
      return tasks;
    },
    result: (reply) => toolResult(reply, options),
    log: options.log,
  });
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
        `no resource named ${shown(params['uri'])}; the resources are ${resources.map(({ uri }) => uri).join(', ')}`,
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

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value.slice(0, 200))
    : value === undefined
      ? 'without a name'
      : `that is a ${value === null ? 'null' : typeof value}`;
