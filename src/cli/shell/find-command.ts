import { closestName } from '../../base/closest-name.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Command } from './command.js';

export interface FoundCommand {
  readonly command: Command;
  /** What follows its name. */
  readonly rest: readonly string[];
}

const isWord = (text: string): boolean => text !== '' && !text.startsWith('-');

/** The command that the first words name: the longer name first, so that `keys rotate` is not `keys` and a word. */
export function findCommand(args: readonly string[], table: readonly Command[]): Result<FoundCommand, string> {
  const [first = '', second = ''] = args;
  const names = table.map(({ name }) => name);
  const family = names.filter((name) => name.startsWith(`${first} `));
  for (const words of [2, 1]) {
    const command = table.find(({ name }) => name === args.slice(0, words).join(' '));
    // Where it takes no words, a second one names another command of the family.
    const isOther = words === 1 && command?.words === undefined && family.length > 0 && isWord(second);
    if (command !== undefined && !isOther) return ok({ command, rest: args.slice(words) });
  }
  if (family.length > 0) {
    const said = isWord(second)
      ? `no command named ${JSON.stringify(`${first} ${second}`)}`
      : `${first} needs one more word`;
    return err(`${said}; use ${names.filter((name) => name === first || family.includes(name)).join(', ')}`);
  }
  const closest = closestName(first, names);
  return err(
    `no command named ${JSON.stringify(first)}; ${closest === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${closest}?`}`,
  );
}
