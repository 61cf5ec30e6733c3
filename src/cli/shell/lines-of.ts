import { createInterface, type Interface } from 'node:readline';
import type { CliEnvironment } from '../print/cli-environment.js';

export interface Lines {
  readonly ask: (words: string) => Promise<string>;
  readonly close: () => void;
}

/** Asks a person at a terminal line by line. At the end of the input, and once it is closed, every answer is empty. The terminal is read from the first question on. */
export function linesOf({ stdin, progress }: Pick<CliEnvironment, 'stdin' | 'progress'>): Lines {
  let reader: Interface | undefined;
  let lines: AsyncIterator<string> | undefined;
  let closed = false;
  return {
    async ask(words) {
      if (closed) return '';
      reader ??= createInterface({ input: stdin, terminal: false });
      lines ??= reader[Symbol.asyncIterator]();
      progress(words);
      const line = await lines.next();
      progress('');
      return line.done === true ? '' : line.value.trim();
    },
    close: () => {
      closed = true;
      reader?.close();
    },
  };
}
