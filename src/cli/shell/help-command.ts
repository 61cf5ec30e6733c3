import type { RunCommand } from './command.js';
import { exitCodes } from './exit-codes.js';
import { findCommand } from './find-command.js';
import { commandHelp, helpText } from './help-text.js';

export const runHelp: RunCommand = ({ words }, environment, table) => {
  const { out, err } = environment;
  const found = words.length === 0 ? undefined : findCommand(words, table);
  if (found?.ok === false) {
    err(`workrail help: ${found.error}`);
    return Promise.resolve(exitCodes.usage);
  }
  const lines = found === undefined ? helpText(table, environment) : commandHelp(found.value.command, environment);
  for (const line of lines) out(line);
  return Promise.resolve(exitCodes.done);
};
