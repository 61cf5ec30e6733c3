import type { JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { QuestionTold } from '../../contract/question-told.js';
import type { RunAnswer } from '../../contract/run-answers.js';
import type { Page } from '../print/page.js';
import { sentenceOf } from '../print/print-waiting.js';
import { recordAnswer, sayTo } from '../run/say-answer.js';
import { ask } from '../shell/ask.js';
import { parseJson } from '../shell/given-values.js';
import type { Lines } from '../shell/lines-of.js';
import type { RequestsContext } from '../shell/with-requests.js';
import { sentence } from './print-run.js';

interface Asking {
  readonly command: RequestsContext;
  readonly page: Page;
  readonly told: RunAnswer;
  readonly lines: Lines;
}

/** Asks what a run waits for, with the request in full. False where something is left open. */
export async function askUser(asking: Asking): Promise<boolean> {
  const { command, page, told } = asking;
  const read = await command.requests.people.readQuestions({ session: told.session_id });
  if (!read.ok) {
    command.reject(read.error);
    return false;
  }
  // What is asked before a request says why; of a step for an agent, what it handed in.
  const ofCommand = told.step?.command !== undefined;
  let answered = 0;
  for (const { step, handedIn, questions } of read.value.waiting.filter(({ runId }) => runId === told.run_id)) {
    page.gap();
    page.say(`“${step.title}” is waiting for you.`, page.style.bold);
    if (handedIn.notes !== undefined) page.say(handedIn.notes);
    for (const question of questions) {
      page.say(
        ofCommand && question.asks === 'agreement' ? sentence(told.message) : sentenceOf(question),
        page.style.bad,
      );
      if (!(await answerOne(asking, question))) return false;
      answered += 1;
    }
  }
  return answered > 0;
}

/** A request is sent or left; a no for good is `workrail answer --refuse`, and the end of the run `workrail runs cancel`. */
async function answerOne(asking: Asking, question: QuestionTold): Promise<boolean> {
  const { command, told, lines } = asking;
  if (told.step?.command === undefined) {
    const said = await sayTo(question, (words) => lines.ask(words));
    return said !== undefined && (await record(asking, question, said));
  }
  if (question.asks === 'agreement') {
    const yes = /^y(?:es)?$/iu.test(await lines.ask('Send it? [y/N] '));
    return yes && (await record(asking, question, { answer: 'agreed' }));
  }
  const outcome = await outcomeOf(lines);
  if (outcome === undefined) return false;
  const body = outcome === 'done' ? await bodyOf(asking) : undefined;
  if (body === undefined) return record(asking, question, { answer: 'value', value: outcome });
  const settled = await ask(command, 'settle_command', {
    runId: told.run_id,
    call: told.step.call!,
    choice: outcome,
    reason: 'said at the terminal',
    result: body,
  });
  return settled.ok;
}

async function record(
  { command, told }: Asking,
  question: QuestionTold,
  said: Parameters<typeof recordAnswer>[3],
): Promise<boolean> {
  const recorded = await recordAnswer(command, told.session_id, question, said);
  if (!recorded.ok) command.reject(recorded.error);
  return recorded.ok;
}

async function outcomeOf(lines: Lines): Promise<string | undefined> {
  for (;;) {
    const words = await lines.ask('[r]epeat it, [d]one, [f]ailed, Enter to leave it open: ');
    if (words === '') return undefined;
    const outcome = own(outcomes, words.slice(0, 1).toLowerCase());
    if (outcome !== undefined) return outcome;
  }
}

const outcomes: { readonly [letter: string]: string } = { r: 'repeat', d: 'done', f: 'failed' };

/** Later steps may read what the server would have answered. */
async function bodyOf({ lines, page }: Asking): Promise<JsonValue | undefined> {
  for (;;) {
    const words = await lines.ask('Its answer as JSON, if later steps need it (Enter for none): ');
    if (words === '') return undefined;
    const body = parseJson(words);
    if (body.ok) return body.value;
    page.say(`That is not JSON: ${body.error}.`, page.style.bad);
  }
}
