import type { Style } from './style.js';

/** Everything a command knows of the world, drawn once in main. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly home: string;
  /** Where package.json and the bundled workflows lie. */
  readonly packageFolder: string;
  readonly version: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly style: Style;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}
