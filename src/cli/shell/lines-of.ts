import { createInterface } from 'node:readline';
import type { CliEnvironment } from '../print/cli-environment.js';

/** Asks a person at a terminal line by line. At the end of the input every answer is empty. */
export function linesOf({ stdin, progress }: Pick<CliEnvironment, 'stdin' | 'progress'>): {
  readonly ask: (words: string) => Promise<string>;
  readonly close: () => void;
} {
  const reader = createInterface({ input: stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async ask(words) {
      progress(words);
      const line = await lines.next();
      progress('');
      return line.done === true ? '' : line.value.trim();
    },
    close: () => reader.close(),
  };
}
