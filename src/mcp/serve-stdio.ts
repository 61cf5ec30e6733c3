import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveEras } from '@modelcontextprotocol/server/stdio';
import { limits } from '../base/limits.js';
import type { AgentRequests } from '../requests/requests.js';
import { clientWorkspace } from './client-workspace.js';
import { LineTransport, MessageTooLong } from './line-transport.js';
import { mcpServer, type McpServerOptions } from './mcp-server.js';
import { openCalls } from './open-calls.js';
import { openRequestsOnce } from './open-requests-once.js';

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
  const transport = new LineTransport(stdin, stdout);
  let ending = false;
  const calls = openCalls(transport, {
    most: limits.openCalls,
    full: () => stdin.pause(),
    free: () => ending || stdin.resume(),
  });
  const gone = new AbortController();
  const workspace = clientWorkspace(options);
  const requests = openRequestsOnce(workspace.get, options.openRequests);
  // What a handle names is found from any folder, and says nothing of where the client works.
  const anyhow = openRequestsOnce(() => Promise.resolve(options.workingFolder), options.openRequests);

  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    // A client that no longer reads has gone; what the log holds is safe, and nobody is left to hear of it.
    stdout.on('error', () => resolve());
    transport.ended = () => resolve();
    whenUnread(transport, stdout, () => {
      log(
        `the client has left more than ${limits.unreadAnswers} bytes of answers unread; the connection ends. What was recorded stays, and the same calls get the same answers.`,
      );
      resolve();
    });
    options.stop.addEventListener('abort', () => resolve(), { once: true });
    if (options.stop.aborted) resolve();
  });
  const connection = serveEras(
    ({ era }) => {
      const server = mcpServer(
        async (asked, anywhere) => {
          if (era === 'legacy' || workspace.isKnown(asked)) return requests.get();
          return anywhere === undefined ? undefined : anyhow.get();
        },
        { ...options, gone: gone.signal },
        era,
      );
      if (era === 'legacy') workspace.askOnceReady(server);
      return server;
    },
    { transport, onerror: (error) => log(protocolProblem(error)) },
  );
  await ended;

  ending = true;
  gone.abort();
  stdin.pause();
  if (stdout.writableLength <= limits.unreadAnswers) await atMost(limits.lastAnswersMs, calls.answered());
  await atMost(limits.lastAnswersMs, Promise.all([requests.close(), anyhow.close()]));
  if (stdout.writable) await atMost(limits.lastBytesMs, new Promise((resolve) => stdout.write('', resolve)));
  await connection.close();
  // A client that reads no more must not keep the process.
  if (stdout.writableLength > 0) stdout.destroy();
}

/** Told once, when answers pile up that nobody takes. */
function whenUnread(transport: LineTransport, stdout: Writable, tell: () => void): void {
  let told = false;
  transport.wrote = () => {
    if (told || stdout.writableLength <= limits.unreadAnswers) return;
    told = true;
    tell();
  };
}

function protocolProblem(error: Error): string {
  if (error instanceof MessageTooLong) {
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
