import type { RunCommand } from './command.js';
import { exitCodes } from './exit-codes.js';

export const runVersion: RunCommand = (parsed, { out, version }) => {
  out(
    parsed.has('json')
      ? JSON.stringify({ name: 'workrail', version, node: process.versions.node })
      : `workrail ${version}`,
  );
  return Promise.resolve(exitCodes.done);
};
