import type { Style } from './style.js';

/** Everything a command knows of the world, drawn once in main. */
export interface CliEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The Node that runs us. */
  readonly nodePath: string;
  /** Where package.json and the bundled workflows lie. */
  readonly packageFolder: string;
  readonly version: string;
  /** How somebody runs us from a shell: the words before a command's name. */
  readonly program: () => readonly string[];
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** How wide the terminal is; 80 where there is none. */
  readonly columns: number;
  readonly now: () => Date;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** A line that is written over by the next one: progress, on a terminal. */
  readonly progress: (line: string) => void;
  /** Aborted by Ctrl-C and by the end of whoever started us. */
  readonly interrupted: () => AbortSignal;
  readonly style: Style;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}
