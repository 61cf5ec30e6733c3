import type { RunAnswer } from '../../contract/run-answers.js';
import { durationWords } from '../../base/time-spent.js';
import { cutToColumns } from '../print/display-width.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import type { Page } from '../print/page.js';
import { printable } from '../print/printable.js';
import { localTime } from '../print/time-words.js';
import { glyphs, printStep, stepName } from './print-steps.js';

/** A run while it goes on: a line for each step that is over, and on a terminal one that is written over for the one under way. */
export interface RunBoard {
  show(told: RunAnswer): void;
  /** Takes the line of the step under way away. */
  rest(): void;
}

const everyMs = 1000;

export function openRunBoard(environment: CliEnvironment, page: Page): RunBoard {
  const { stderrIsTerminal, progress, columns, now, env } = environment;
  let printed = 0;
  let at = '';
  let waitTold = '';
  let since = now().getTime();
  let told: RunAnswer | undefined;
  let ticking: NodeJS.Timeout | undefined;
  const live = (): void => {
    const line = told && lineOf(told, now().getTime() - since, env['TZ']);
    progress(line === undefined ? '' : cutToColumns(printable(line), columns - 1));
  };
  const rest = (): void => {
    clearInterval(ticking);
    ticking = undefined;
    progress('');
  };
  return {
    rest,
    show: (next) => {
      rest();
      const { done, doneOmitted = 0 } = next;
      const over = done.filter(({ state }) => !['running', 'pending', 'blocked'].includes(state));
      const unseen = doneOmitted - printed;
      if (unseen > 0) page.say(`  … ${unseen} more`, page.style.dim);
      for (const step of over.slice(Math.max(0, printed - doneOmitted))) printStep(page, step);
      printed = doneOmitted + over.length;
      const place = `${printed} ${next.step?.path ?? ''}`;
      if (place !== at) [at, since] = [place, now().getTime()];
      told = next;
      if (!isGoing(next)) return;
      if (stderrIsTerminal) {
        live();
        ticking = setInterval(live, everyMs);
      } else if (next.waitingFor === 'time' && waitTold !== place) {
        // What waits for long would look as if nothing went on.
        waitTold = place;
        page.say(lineOf(next, 0, env['TZ']) ?? '');
      }
    },
  };
}

const isGoing = ({ state, waitingFor }: RunAnswer): boolean =>
  (state === 'running' || state === 'pending') && (waitingFor === undefined || waitingFor === 'time');

function lineOf({ step }: RunAnswer, spentMs: number, timeZone: string | undefined): string | undefined {
  if (step === undefined) return undefined;
  const { command, try: tries = 0, nextTryAt } = step;
  return [
    `${glyphs.running} ${stepName(step)}`,
    ...(command === undefined ? [] : [command]),
    ...(tries > 1 ? [`try ${tries}`] : []),
    ...(nextTryAt === undefined ? [] : [`waits until ${localTime(nextTryAt, timeZone).slice(11)}`]),
    ...(spentMs < 2 * everyMs ? [] : [durationWords(spentMs)]),
  ].join('  ');
}
