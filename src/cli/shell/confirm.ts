import { createInterface } from 'node:readline';
import type { CliEnvironment } from '../print/cli-environment.js';

/** Asks a person on a terminal. Anything but a yes, the end of the input too, is a no. */
export async function confirm({ stdin, progress }: CliEnvironment, question: string): Promise<boolean> {
  progress(`${question} [y/N] `);
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    for await (const line of lines) return /^\s*y(?:es)?\s*$/iu.test(line);
    return false;
  } finally {
    lines.close();
    progress('');
  }
}
