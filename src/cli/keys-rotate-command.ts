import { openRequests } from '../requests/requests.js';
import type { RunCommand } from './command.js';
import { exitCodes } from './exit-codes.js';
import { givenPlaces } from './given-places.js';
import { requestsOptions } from './requests-options.js';

export const runKeysRotate: RunCommand = async (parsed, surroundings) => {
  const { out, err, workingFolder } = surroundings;
  const places = givenPlaces(parsed, surroundings);
  if (!places.ok) {
    err(`workrail keys rotate: ${places.error}`);
    return exitCodes.usage;
  }
  const { workspace = workingFolder, dataDir } = places.value;
  const requests = openRequests(requestsOptions(surroundings, workspace, dataDir));
  try {
    const { id } = requests.rotateKey();
    out(parsed.has('json') ? JSON.stringify({ key: id }) : `The key ${id} signs new tokens from here on. Tokens given out before go on working.`);
  } finally {
    await requests.close();
  }
  return exitCodes.done;
};
