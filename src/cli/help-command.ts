import type { RunCommand } from './command.js';
import { exitCodes } from './exit-codes.js';
import { findCommand } from './find-command.js';
import { commandHelp, helpText } from './help-text.js';

export const runHelp: RunCommand = ({ words }, surroundings, table) => {
  const { out, err } = surroundings;
  if (words.length === 0) {
    for (const line of helpText(table, surroundings)) out(line);
    return Promise.resolve(exitCodes.done);
  }
  const found = findCommand(words, table);
  if (!found.ok) {
    err(`workrail help: ${found.error}`);
    return Promise.resolve(exitCodes.usage);
  }
  for (const line of commandHelp(found.value.command, surroundings)) out(line);
  return Promise.resolve(exitCodes.done);
};
