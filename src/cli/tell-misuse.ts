import { type ExitCode, exitCodes } from './exit-codes.js';
import { jsonLine } from './json-line.js';
import { openPage } from './page.js';
import { rejectionPayload } from './rejection-payload.js';
import type { Surroundings } from './surroundings.js';

/** A mistake in the command line: what is wrong, and where the right way stands. `name` is the command's, where one was found. */
export function tellMisuse(
  message: string,
  name: string | undefined,
  json: boolean,
  surroundings: Surroundings,
): ExitCode {
  const help = name === undefined ? 'workrail help' : `workrail help ${name}`;
  if (json) surroundings.out(jsonLine(rejectionPayload({ code: 'VALIDATION_ERROR', message, action: `see: ${help}` })));
  else {
    const page = openPage(surroundings, { to: 'err' });
    page.say(`workrail${name === undefined ? '' : ` ${name}`}: ${message}`);
    page.say(`See: ${help}`);
  }
  return exitCodes.usage;
}
