import type { CliEnvironment } from '../print/cli-environment.js';
import { linesOf } from './lines-of.js';

/** Asks a person on a terminal. Anything but a yes, the end of the input too, is a no. */
export async function confirm(environment: CliEnvironment, question: string): Promise<boolean> {
  const lines = linesOf(environment);
  try {
    return /^y(?:es)?$/iu.test(await lines.ask(`${question} [y/N] `));
  } finally {
    lines.close();
  }
}
