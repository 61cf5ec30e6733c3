import type { RunCommand } from './command.js';
import { exitCodes } from './exit-codes.js';
import { findCommand } from './find-command.js';
import { commandHelp, helpText, optionsHelp } from './help-text.js';

export const runHelp: RunCommand = ({ words }, environment, table) => {
  const { out, err } = environment;
  if (words.length === 1 && words[0] === 'options') {
    for (const line of optionsHelp(environment)) out(line);
    return Promise.resolve(exitCodes.done);
  }
  const found = words.length === 0 ? undefined : findCommand(words, table);
  if (found?.ok === false) {
    err(`workrail help: ${found.error}`);
    return Promise.resolve(exitCodes.usage);
  }
  const lines = found === undefined ? helpText(table, environment) : commandHelp(found.value.command, environment);
  for (const line of lines) out(line);
  return Promise.resolve(exitCodes.done);
};
