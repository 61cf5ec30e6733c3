import type { ExecutionAnswer } from '../../contract/answer.js';
import { tellElsewhere, tellExecution } from '../../render/answers/tell-execution.js';
import { settlingLead } from '../../render/answers/tell-draft.js';
import type { Page } from './page.js';
import { printCall, printTelling } from './print-telling.js';

/** The answer to start and continue, for a person: what happened, the step to do now, and the next command. */
export function printExecution(page: Page, answer: ExecutionAnswer): void {
  const audience = { reader: 'person', keeps: true } as const;
  printTelling(page, [...tellExecution(answer, audience), ...tellElsewhere(answer, audience)]);
  if (answer.page !== undefined) return;
  page.gap();
  if (answer.pending === null && answer.kind !== 'complete' && answer.nextCall !== undefined) return;
  if (answer.pending === null) page.command('Read it: ', ['show', answer.session.sessionId]);
  else printNext(page, answer);
}

/** The command that completes the step: what is to be filled in is refused when it is sent as it stands. */
function printNext(page: Page, { nextCall, kind, pending, recorded, draft }: ExecutionAnswer): void {
  if (nextCall === undefined) return page.command('Nothing can be recorded here until that is fixed: ', ['doctor']);
  if (kind === 'blocked' && draft?.confirm !== undefined)
    return printCall(page, settlingLead(draft.confirm, 'person'), draft.confirm);
  if (kind === 'blocked') page.say('Once it is settled, send the result with --confirmed; the rest is saved:');
  printCall(page, 'Next: ', nextCall);
  page.say(
    `--notes - reads the notes from stdin; --notes "…" and --notes @file work too.${pending?.expects.confirmation.required === true ? ' Add --confirmed once you agree.' : ''}`,
    page.style.dim,
  );
  printCall(page, 'To redo the step before: ', recorded?.redo);
}
