import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { limits } from '../base/limits.js';
import type { AgentRequests } from '../requests/requests.js';
import { mcpServer, type McpServerOptions } from './mcp-server.js';
import { openCalls } from './open-calls.js';
import { openRequestsOnce } from './open-requests-once.js';
import { rootFolder } from './root-folder.js';

export interface StdioServerOptions extends McpServerOptions {
  /** Named by the user or the client's environment; otherwise the client's roots are asked. */
  readonly workspace: string | undefined;
  /** Where the client names no root. */
  readonly workingFolder: string;
  readonly openRequests: (workspace: string) => Promise<AgentRequests>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Aborted when the process is told to end. */
  readonly stop: AbortSignal;
}

/** Serves one client until it closes stdin, goes away, or the process is told to stop. What was asked by then is answered first. */
export async function serveStdio(options: StdioServerOptions): Promise<void> {
  const { stdin, stdout, log } = options;
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: limits.mcpMessage });
  let ending = false;
  const calls = openCalls(transport, {
    most: limits.openCalls,
    full: () => stdin.pause(),
    free: () => ending || stdin.resume(),
  });
  const gone = new AbortController();
  const server = mcpServer(() => requests.get(), { ...options, gone: gone.signal });
  const workspace = askForWorkspace(server, options);
  const requests = openRequestsOnce(workspace, options.openRequests);
  server.onerror = (error) => log(protocolProblem(error));

  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    // A client that no longer reads has gone; what the log holds is safe, and nobody is left to hear of it.
    stdout.on('error', () => resolve());
    server.onclose = () => resolve();
    whenUnread(transport, stdout, () => {
      log(
        `the client has left more than ${limits.unreadAnswers} bytes of answers unread; the connection ends. What was recorded stays, and the same calls get the same answers.`,
      );
      resolve();
    });
    options.stop.addEventListener('abort', () => resolve(), { once: true });
    if (options.stop.aborted) resolve();
  });
  await server.connect(transport);
  await ended;

  ending = true;
  gone.abort();
  stdin.pause();
  if (stdout.writableLength <= limits.unreadAnswers) await atMost(limits.lastAnswersMs, calls.answered());
  await atMost(limits.lastAnswersMs, requests.close());
  if (stdout.writable) await atMost(limits.lastBytesMs, new Promise((resolve) => stdout.write('', resolve)));
  await server.close();
  // A client that reads no more must not keep the process.
  if (stdout.writableLength > 0) stdout.destroy();
}

/** Told once, when answers pile up that nobody takes. */
function whenUnread(transport: StdioServerTransport, stdout: Writable, tell: () => void): void {
  const send = transport.send.bind(transport);
  let told = false;
  transport.send = (message) => {
    const sent = send(message);
    if (!told && stdout.writableLength > limits.unreadAnswers) {
      told = true;
      tell();
    }
    return sent;
  };
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
      log(
        `the client did not name its roots (${cause instanceof Error ? cause.message : String(cause)}); working in ${workingFolder}`,
      );
      return workingFolder;
    }
  };
  const once = (): Promise<string> => (asked ??= ask());
  server.oninitialized = () => void once();
  return once;
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
