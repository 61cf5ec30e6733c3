import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { commandTable } from '../../src/cli/command-table.js';
import { runCommandLine } from '../../src/cli/shell/run-command-line.js';
import { styleFor } from '../../src/cli/print/style.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What was written to stdout as bytes, beside the lines. */
  readonly bytes: Buffer;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends what would go on for ever. */
  readonly interrupted?: AbortSignal;
  /** Told of each line on stderr as it comes. */
  readonly onErr?: (line: string) => void;
}

/** The command line of one installation, run in this process: a home, a workspace, and no terminal unless asked for. */
export interface CommandLineWorld {
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  close(): void;
}

/** The command line of the sources; where threads are started, that of the built program. */
export interface CommandLineProgram {
  readonly commandTable: typeof commandTable;
  readonly runCommandLine: typeof runCommandLine;
}

export async function builtCommandLine(): Promise<CommandLineProgram> {
  const built = (file: string): Promise<unknown> =>
    import(fileURLToPath(new URL(`../../dist/cli/${file}`, import.meta.url)));
  return Object.assign(
    {},
    await built('command-table.js'),
    await built('shell/run-command-line.js'),
  ) as CommandLineProgram;
}

export function makeCommandLineWorld(program: CommandLineProgram = { commandTable, runCommandLine }): CommandLineWorld {
  const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
  const workspace = join(folder, 'workspace');
  const home = join(folder, 'home');
  for (const made of [workspace, home]) mkdirSync(made);
  return {
    folder,
    workspace,
    home,
    run: async (
      args,
      { stdin = '', terminal = false, columns = 80, env = {}, interrupted = new AbortController().signal, onErr } = {},
    ) => {
      const out: string[] = [];
      const err: string[] = [];
      const stdout = new PassThrough();
      const chunks: Buffer[] = [];
      stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
      const code = await program.runCommandLine(args, program.commandTable, {
        env: { TZ: 'UTC', ...env },
        workingFolder: workspace,
        home,
        packageFolder: fileURLToPath(new URL('../..', import.meta.url)),
        version: '0.0.0-test',
        program: () => ['workrail'],
        platform: 'linux',
        nodePath: process.execPath,
        stdinIsTerminal: terminal,
        stdoutIsTerminal: terminal,
        stderrIsTerminal: terminal,
        columns,
        now: () => new Date(),
        stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
        stdout,
        style: styleFor(terminal, env),
        out: (line) => void out.push(line),
        err: (line) => {
          err.push(line);
          onErr?.(line);
        },
        progress: () => undefined,
        interrupted: () => interrupted,
      });
      return { code, out: out.join('\n'), err: err.join('\n'), bytes: Buffer.concat(chunks) };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
