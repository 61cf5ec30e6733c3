import { closestName } from '../../base/closest-name.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Command } from './command.js';

export interface FoundCommand {
  readonly command: Command;
  /** What follows its name. */
  readonly rest: readonly string[];
}

/** The command that the first words name: the longer name first, so that `keys rotate` is not `keys` and a word. */
export function findCommand(args: readonly string[], table: readonly Command[]): Result<FoundCommand, string> {
  const [first = '', second = ''] = args;
  for (const words of [2, 1]) {
    const command = table.find(({ name }) => name === args.slice(0, words).join(' '));
    if (command !== undefined) return ok({ command, rest: args.slice(words) });
  }
  const names = table.map(({ name }) => name);
  const family = names.filter((name) => name.startsWith(`${first} `));
  if (family.length > 0) {
    const said =
      second === '' || second.startsWith('-')
        ? `${first} needs one more word`
        : `no command named ${JSON.stringify(`${first} ${second}`)}`;
    return err(`${said}; use ${family.join(', ')}`);
  }
  const closest = closestName(first, names);
  return err(
    `no command named ${JSON.stringify(first)}; ${closest === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${closest}?`}`,
  );
}
