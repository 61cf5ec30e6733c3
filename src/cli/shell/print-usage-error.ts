import { type ExitCode, exitCodes } from './exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';
import { rejectionPayload } from './rejection-payload.js';
import type { ParsedOptions } from './parse-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';

/** A mistake in the command line: what is wrong, and where the right way stands. `name` is the command's, where one was found. */
export function printUsageError(
  message: string,
  name: string | undefined,
  json: boolean,
  environment: CliEnvironment,
  given?: ParsedOptions,
): ExitCode {
  const page = openPage(environment, { to: 'err' });
  const said = openPage(environment, { to: 'err', given }).words(message);
  const help = page.inline(['help', ...(name?.split(' ') ?? [])]);
  if (json)
    environment.out(jsonLine(rejectionPayload({ code: 'VALIDATION_ERROR', message: said, action: `see: ${help}` })));
  else {
    page.say(`workrail${name === undefined ? '' : ` ${name}`}: ${said}`);
    page.say(`See: ${help}`);
  }
  return exitCodes.usage;
}
