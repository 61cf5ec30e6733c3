import { faultReason } from '../../files/fault-reason.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { rejectionPayload } from './rejection-payload.js';
import type { CliEnvironment } from '../print/cli-environment.js';

/** What a command threw, as a person can use it: what the system refused in one line, a fault of ours with its stack. */
export function printFault(
  cause: unknown,
  name: string,
  json: boolean,
  { out, err }: Pick<CliEnvironment, 'out' | 'err'>,
): ExitCode {
  const reason = faultReason(cause);
  // Whoever reads us may leave before we are done (`workrail render | head -1`); that is no fault.
  if (reason?.code === 'EPIPE') return exitCodes.done;
  const stack = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const rejection =
    reason === undefined
      ? ({
          code: 'INTERNAL',
          message: `${cause instanceof Error ? cause.message : String(cause)}. This is a bug in WorkRail`,
          action: 'report it, with the output on stderr',
        } as const)
      : ({
          code: 'STORAGE_FAULT',
          message: `the system refused to ${reason.doing}: ${reason.why} (${reason.code})`,
          action: reason.cure,
        } as const);
  if (json) out(jsonLine(rejectionPayload(rejection)));
  if (reason === undefined) err(`workrail ${name}: ${stack}`);
  else if (!json) {
    err(`workrail ${name}: ${rejection.message}`);
    err(`Next: ${rejection.action}, then call it again`);
  }
  return exitCodes.fault;
}
