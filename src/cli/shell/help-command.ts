import type { RunCommand } from './command.js';
import { exitCodes } from './exit-codes.js';
import { findCommand } from './find-command.js';
import { commandHelp, helpText } from './help-text.js';

export const runHelp: RunCommand = ({ words }, environment, table) => {
  const { out, err } = environment;
  if (words.length === 0) {
    for (const line of helpText(table, environment)) out(line);
    return Promise.resolve(exitCodes.done);
  }
  const found = findCommand(words, table);
  if (!found.ok) {
    err(`workrail help: ${found.error}`);
    return Promise.resolve(exitCodes.usage);
  }
  for (const line of commandHelp(found.value.command, environment)) out(line);
  return Promise.resolve(exitCodes.done);
};
