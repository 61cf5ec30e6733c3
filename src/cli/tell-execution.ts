import type { ExecutionAnswer } from '../contract/answer.js';
import type { AtDesk } from './at-desk.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { givenAgain, openPage } from './page.js';
import { printExecution } from './print-execution.js';

/** Gives a person or a script where the run stands now. A block that this call met is no success. */
export function tellExecution({ json, parsed, surroundings }: AtDesk, answer: ExecutionAnswer): ExitCode {
  if (json) surroundings.out(JSON.stringify(answer));
  else printExecution(openPage(surroundings, { again: givenAgain(parsed) }), answer);
  return answer.kind === 'blocked' ? exitCodes.rejected : exitCodes.done;
}
