import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { isJsonObject, type JsonObject } from '../base/json-value.js';
import { answerKey } from './tool-result.js';

export interface StdioClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside a handful of variables that every process needs, such as PATH, the server gets these and no others. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly name: string;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** The whole answer as data, from the result's `_meta`. */
  readonly answer: JsonObject;
}

/** An agent's end of a server that it started itself. */
export interface StdioClient {
  readonly pid: number;
  /** What the server wrote to stderr so far. */
  readonly stderrLines: () => readonly string[];
  call(tool: string, args: JsonObject): Promise<ToolAnswer>;
  /** Sends the signal and waits until the server is gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Ends the server as clients do: by closing its stdin. */
  close(): Promise<void>;
}

export async function startStdioClient(options: StdioClientOptions): Promise<StdioClient> {
  const { command, args, env, cwd, name } = options;
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, cwd, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes.toString('utf8');
  });
  const client = new Client({ name, version: '1' });
  const gone = new Promise<void>((resolve) => {
    client.onclose = () => resolve();
  });
  await client.connect(transport);
  const { pid } = transport;
  if (pid === null) throw new Error('the server has no process id');
  return {
    pid,
    stderrLines: () => stderr.split('\n').filter((line) => line !== ''),
    async call(tool, toolArguments) {
      const result = await client.callTool({ name: tool, arguments: { ...toolArguments } });
      const answer: unknown = result._meta?.[answerKey];
      return {
        isError: result.isError === true,
        text: textOf(result['content']),
        answer: isJsonObject(answer) ? answer : {},
      };
    },
    async kill(signal) {
      process.kill(pid, signal);
      await gone;
    },
    close: () => client.close(),
  };
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((item: unknown) => (isJsonObject(item) && typeof item['text'] === 'string' ? item['text'] : ''))
    .join('\n');
}
