import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { CliEnvironment } from '../print/cli-environment.js';

/** Asks for one line on a terminal without showing what is typed. Undefined where the input ends first, or by Ctrl-C. */
export async function askHidden({ stdin, stdout }: CliEnvironment, question: string): Promise<string | undefined> {
  stdout.write(question);
  // Readline echoes what is typed, and this echoes nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(undefined));
      lines.once('SIGINT', () => resolve(undefined));
    });
  } finally {
    lines.close();
    stdout.write('\n');
  }
}
