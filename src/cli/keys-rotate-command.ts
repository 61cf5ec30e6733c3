import { openRequests } from '../requests/requests.js';
import type { RunCommand } from './command.js';
import { exitCodes } from './exit-codes.js';
import { requestsOptions } from './requests-options.js';

export const runKeysRotate: RunCommand = async (parsed, surroundings) => {
  const { out, workingFolder } = surroundings;
  const requests = openRequests(requestsOptions(surroundings, workingFolder, undefined, new Set()));
  try {
    const { id } = requests.rotateKey();
    out(parsed.has('json') ? JSON.stringify({ key: id }) : `The key ${id} signs new tokens from here on. Tokens of the seven keys before it go on working.`);
  } finally {
    await requests.close();
  }
  return exitCodes.done;
};
