import { own } from '../../base/own.js';
import type { QuestionTold } from '../../contract/question-told.js';
import type { RunAnswer } from '../../contract/run-answers.js';
import type { Page } from '../print/page.js';
import { sentenceOf } from '../print/print-waiting.js';
import { recordAnswer, type Said, sayTo } from '../run/say-answer.js';
import type { Lines } from '../shell/lines-of.js';
import type { RequestsContext } from '../shell/with-requests.js';

/** Asks what a run waits for, with the request in full. False where something is left open. */
export async function askUser(command: RequestsContext, page: Page, told: RunAnswer, lines: Lines): Promise<boolean> {
  const { requests, reject } = command;
  const read = await requests.people.readQuestions({ session: told.session_id });
  if (!read.ok) {
    reject(read.error);
    return false;
  }
  const waiting = read.value.waiting.filter(({ runId }) => runId === told.run_id);
  let answered = 0;
  for (const { step, handedIn, questions } of waiting) {
    page.gap();
    page.say(`“${step.title}” waits for you.`, page.style.bold);
    if (handedIn.notes !== undefined) page.say(handedIn.notes);
    for (const question of questions) {
      page.say(sentenceOf(question), page.style.bad);
      const said = await sayOf(question, told, lines);
      if (said === undefined) return false;
      const recorded = await recordAnswer(command, told.session_id, question, said);
      if (!recorded.ok) {
        reject(recorded.error);
        return false;
      }
      answered += 1;
    }
  }
  return answered > 0;
}

/** A request is sent or left; a no for good is `workrail answer --refuse`, and the end of the run `workrail runs cancel`. */
async function sayOf(question: QuestionTold, { step }: RunAnswer, lines: Lines): Promise<Said | undefined> {
  const ask = (words: string): Promise<string> => lines.ask(words);
  if (step?.command === undefined) return sayTo(question, ask);
  if (question.asks === 'agreement')
    return /^y(?:es)?$/iu.test(await ask('Send it? [y/N] ')) ? { answer: 'agreed' } : undefined;
  for (;;) {
    const words = await ask('[r]epeat it, [d]one, [f]ailed, Enter to leave it open: ');
    if (words === '') return undefined;
    const value = own(outcomes, words.slice(0, 1).toLowerCase());
    if (value !== undefined) return { answer: 'value', value };
  }
}

const outcomes: { readonly [letter: string]: string } = { r: 'repeat', d: 'done', f: 'failed' };
