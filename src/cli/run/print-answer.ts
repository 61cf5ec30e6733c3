import type { ExecutionAnswer } from '../../contract/answer.js';
import type { RequestsContext } from '../shell/with-requests.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { printExecution } from '../print/print-execution.js';

/** Gives a person or a script where the run stands now. A block that this call met is no success. */
export function printAnswer({ tell }: RequestsContext, answer: ExecutionAnswer): ExitCode {
  return tell(answer, printExecution, answer.kind === 'blocked' ? exitCodes.rejected : exitCodes.done);
}
