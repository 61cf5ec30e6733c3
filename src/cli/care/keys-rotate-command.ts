import { openPage } from '../print/page.js';
import { openRequests } from '../../requests/requests.js';
import type { RunCommand } from '../shell/command.js';
import { exitCodes } from '../shell/exit-codes.js';
import { rejectionPayload } from '../shell/rejection-payload.js';
import { requestsOptions } from '../shell/requests-options.js';

export const runKeysRotate: RunCommand = async (parsed, environment) => {
  const { out, err, workingFolder } = environment;
  // That the key is kept in memory matters to a server; here it is a refusal, which is told below.
  const requests = openRequests(
    requestsOptions({ ...environment, err: () => undefined }, workingFolder, undefined, new Set()),
  );
  try {
    const { id, notKept } = requests.rotateKey();
    if (notKept !== undefined) {
      const message = `the new key could not be saved; the keys are unchanged: ${notKept}`;
      const { inline } = openPage(environment);
      const action = `make your configuration folder writable (${inline(['doctor'])} shows its path), then: ${inline(['keys', 'rotate'])}`;
      if (parsed.has('json')) out(JSON.stringify(rejectionPayload({ code: 'STORAGE_FAULT', message, action })));
      else {
        err(`workrail keys rotate: ${message}`);
        err(`Next: ${action}`);
      }
      return exitCodes.fault;
    }
    out(
      parsed.has('json')
        ? JSON.stringify({ key: id })
        : `Key ${id} now signs new tokens. Tokens of the seven keys before it still work. Tokens of older keys no longer do; use resume to get new ones.`,
    );
  } finally {
    await requests.close();
  }
  return exitCodes.done;
};
