import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ErrorCode, ListResourcesRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { limits } from '../base/limits.js';
import type { RequestName } from '../contract/request-schemas.js';
import { instructionsFor } from '../contract/tool-catalogue.js';
import type { AgentRequests } from '../requests/requests.js';
import { internalReply } from './internal-reply.js';
import { moveLegacyNotes } from './move-legacy-notes.js';
import { offeredTools } from './offered-tools.js';
import { openCalls } from './open-calls.js';
import { openRequestsOnce, type RequestsOnce } from './open-requests-once.js';
import { rootFolder } from './root-folder.js';
import { toolResult } from './tool-result.js';
import { unknownTool } from './unknown-tool.js';

export interface StdioServerOptions {
  readonly version: string;
  readonly tools: ReadonlySet<RequestName>;
  readonly legacyNames: boolean;
  /** Every answer as structured content too, for clients that show the model nothing else. */
  readonly structuredContent: boolean;
  /** Named by the user or the client's environment; otherwise the client's roots are asked. */
  readonly workspace: string | undefined;
  /** Where the client names no root. */
  readonly workingFolder: string;
  readonly openRequests: (workspace: string) => Promise<AgentRequests>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** To stderr: stdout carries the protocol and nothing else. */
  readonly log: (line: string) => void;
  /** Aborted when the process is told to end. */
  readonly stop: AbortSignal;
}

/** Serves one client until it closes stdin, goes away, or the process is told to stop. What was asked by then is answered first. */
export async function serveStdio(options: StdioServerOptions): Promise<void> {
  const { stdin, stdout, log } = options;
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: limits.mcpMessage });
  const calls = openCalls(transport);
  const server = new Server({ name: 'workrail', version: options.version }, { capabilities: { tools: {}, resources: {} }, instructions: instructionsFor(options.tools) });
  const workspace = askForWorkspace(server, options);
  const requests = openRequestsOnce(workspace, options.openRequests);
  offerTools(server, requests, options);
  offerResources(server, requests);
  server.onerror = (error) => log(protocolProblem(error));

  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    // A client that no longer reads has gone; what the log holds is safe, and nobody is left to hear of it.
    stdout.on('error', () => resolve());
    server.onclose = () => resolve();
    options.stop.addEventListener('abort', () => resolve(), { once: true });
    if (options.stop.aborted) resolve();
  });
  await server.connect(transport);
  await ended;

  stdin.pause();
  await atMost(limits.lastAnswersMs, calls.answered());
  await atMost(limits.lastAnswersMs, requests.close());
  if (stdout.writable) await atMost(limits.lastBytesMs, new Promise((resolve) => stdout.write('', resolve)));
  await server.close();
}

function offerTools(server: Server, requests: RequestsOnce, options: StdioServerOptions): void {
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
function offerResources(server: Server, requests: RequestsOnce): void {
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: (await requests.get()).resources().map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const known = (await requests.get()).resources();
    const found = known.find(({ uri }) => uri === params.uri);
    if (found === undefined) throw invalidParams(`there is no resource ${params.uri.slice(0, 200)}; there is ${known.map(({ uri }) => uri).join(', ')}`);
    const { uri, mimeType, text } = found;
    return { contents: [{ uri, mimeType, text }] };
  });
}

async function call(requests: RequestsOnce, name: RequestName, raw: unknown, log: (line: string) => void): Promise<Awaited<ReturnType<AgentRequests['call']>>> {
  try {
    return await (await requests.get()).call(name, raw);
  } catch (cause) {
    const correlationId = randomBytes(4).toString('hex');
    log(`${name} failed (correlation ${correlationId}): ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    return internalReply(name, correlationId);
  }
}

/** The answer is drawn once. Where the client has roots it is asked as soon as it is ready, so that the first call need not wait. */
function askForWorkspace(server: Server, { workspace, workingFolder, log }: StdioServerOptions): () => Promise<string> {
  if (workspace !== undefined) return () => Promise.resolve(workspace);
  let asked: Promise<string> | undefined;
  const ask = async (): Promise<string> => {
    if (server.getClientCapabilities()?.roots === undefined) return workingFolder;
    try {
      const { roots } = await server.listRoots(undefined, { timeout: limits.rootsWaitMs });
      return rootFolder(roots) ?? workingFolder;
    } catch (cause) {
      log(`the client did not name its roots (${cause instanceof Error ? cause.message : String(cause)}); working in ${workingFolder}`);
      return workingFolder;
    }
  };
  const once = (): Promise<string> => (asked ??= ask());
  server.oninitialized = () => void once();
  return once;
}

/** An error of the protocol itself, with its code; the SDK's own class would put the code into the words as well. */
function invalidParams(message: string): Error {
  return Object.assign(new Error(message), { code: ErrorCode.InvalidParams });
}

function protocolProblem(error: Error): string {
  if (/exceeded maximum size/u.test(error.message)) {
    return `the client sent a message of more than ${limits.mcpMessage} bytes; the connection ends. Put long material into a file of the project and name it in the notes.`;
  }
  return `protocol: ${error.message.replace(/\s+/gu, ' ').slice(0, 500)}`;
}

function atMost(milliseconds: number, work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
