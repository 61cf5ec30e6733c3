import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Era } from '../../src/mcp/asked.js';
import { initializing, type Message, saidBy } from './stdio-world.js';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface BuiltServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Every byte of stdout. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly ask: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<Message>;
  /** What a client of its era says first. */
  readonly initialize: () => Promise<Message>;
}

/** The built program on pipes, spoken to without an SDK, so that every byte it writes is seen. It works in a home of its own. */
export function startBuilt(
  era: Era,
  args: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): BuiltServer {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: path.join(folder, 'home'),
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      XDG_DATA_HOME: path.join(folder, 'share'),
      ...env,
    },
  });
  let stdout = '';
  let stderr = '';
  let last = 0;
  const waiting = new Map<number | string, (message: Message) => void>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      if (message.id !== undefined) waiting.get(message.id)?.(message);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask: BuiltServer['ask'] = (method, params = {}) => {
    const id = (last += 1);
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params: method === 'initialize' ? params : saidBy(era, params) });
    return answer;
  };
  const initialize = async (): Promise<Message> => {
    if (era === 'modern') return ask('server/discover');
    const answer = await ask('initialize', initializing());
    send({ method: 'notifications/initialized' });
    return answer;
  };
  return { child, stdout: () => stdout, stderr: () => stderr, ended, ask, initialize };
}
