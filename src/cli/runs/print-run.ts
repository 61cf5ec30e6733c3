import { limits } from '../../base/limits.js';
import { firstWords } from '../../base/byte-budget.js';
import { heldByWords } from '../../contract/held-by.js';
import type { RunAnswer } from '../../contract/run-answers.js';
import type { Page } from '../print/page.js';
import { printCall } from '../print/print-telling.js';

/** How a run stands that goes no further here: why, and the command that continues it. */
export function printStanding(page: Page, told: RunAnswer): void {
  const { run_id: run, state, message, failure, nextCall } = told;
  switch (state) {
    case 'succeeded':
      return printSucceeded(page, told);
    case 'canceled':
      page.say(sentence(message), page.style.bad);
      return page.say(
        'Nothing further is sent, and none of its steps can be completed any more. To do it after all, start a new run (--fresh).',
      );
    case 'failed':
      page.say(sentence(message), page.style.bad);
      if (failure?.response_payload?.['body'] !== undefined)
        page.item('  answered: ', firstWords(JSON.stringify(failure.response_payload['body']), limits.toldPayload));
      printCall(page, 'Once it is fixed; what was done is not sent again: ', nextCall);
      return page.command('See more: ', ['runs', 'show', run]);
    case 'pending':
    case 'running':
      return printWaiting(page, told);
  }
}

function printSucceeded(page: Page, { message, criticalGaps = 0, gaps = [] }: RunAnswer): void {
  page.say(sentence(message), criticalGaps === 0 ? page.style.good : page.style.bad);
  for (const { detail } of gaps) page.item('  - ', detail);
  if (criticalGaps > gaps.length) page.say(`  - and ${criticalGaps - gaps.length} earlier`);
}

function printWaiting(
  page: Page,
  { run_id: run, session_id: session, message, waitingFor, heldBy, step, nextCall }: RunAnswer,
): void {
  const title = `“${step?.title ?? ''}”`;
  switch (waitingFor) {
    case 'agent':
      page.say(`${title} is a step for an agent, or for you.`);
      printCall(page, 'See it, and continue: ', nextCall);
      return page.command('Then follow the run: ', ['run', '--resume', run]);
    case 'user':
      page.say(sentence(`${title} is waiting for you: ${message}`), page.style.bad);
      page.command('Answer at a terminal: ', ['run', '--resume', run]);
      if (step?.call !== undefined && step.unknown === true)
        page.command('Or in a script: ', [
          'runs',
          'settle',
          run,
          step.call,
          '<repeat|done|failed>',
          '--reason',
          '<how you know>',
        ]);
      else page.command('Or see the question: ', ['answer', session]);
      return page.command('To end the run: ', ['runs', 'cancel', run]);
    case 'driver':
      if (heldBy !== undefined) {
        page.say(
          sentence(
            `At ${title}. The run has been ${heldByWords(heldBy)}; nobody here can see whether that process still runs`,
          ),
          page.style.bad,
        );
        return page.command('If it has ended, continue the run here: ', ['run', '--resume', run, '--take-over']);
      }
      page.say(`Interrupted at ${title}; no process continues it.`, page.style.bad);
      return page.command('Continue it: ', ['run', '--resume', run]);
    case 'time':
    case undefined:
      page.say(`${title} is under way in another process.`);
      return page.command('Follow it: ', ['run', '--resume', run]);
  }
}

export const sentence = (words: string): string =>
  `${words.slice(0, 1).toUpperCase()}${words.slice(1).replace(/[.…]+$/u, '')}.`;

/** A state in words: a run that is not over may wait for somebody, and one that succeeded may have left something open. */
export const stateWords = ({
  state,
  waitingFor,
  heldBy,
  criticalGaps = 0,
}: Pick<RunAnswer, 'state' | 'waitingFor' | 'heldBy' | 'criticalGaps'>): string => {
  if (state === 'succeeded' && criticalGaps > 0) return 'succeeded, with critical gaps';
  if (heldBy !== undefined) return 'held elsewhere';
  return waitingFor === undefined || waitingFor === 'time' ? state : waits[waitingFor];
};

const waits = { agent: 'waiting for an agent', user: 'waiting for you', driver: 'interrupted' } as const;
