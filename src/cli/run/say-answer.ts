import type { JsonValue } from '../../base/json-value.js';
import type { QuestionTold } from '../../contract/question-told.js';
import { typedValue } from '../shell/given-values.js';
import type { RequestsContext } from '../shell/with-requests.js';

/** What a person said: with `given` there is nothing to record but that it was done. */
export interface Said {
  readonly answer: 'agreed' | 'refused' | 'value' | 'file';
  readonly value?: JsonValue | undefined;
  readonly reason?: string | undefined;
}

export const atTerminal = ({ stdinIsTerminal, stderrIsTerminal }: RequestsContext['environment']): boolean =>
  stdinIsTerminal && stderrIsTerminal;

/** What a person answers to a question, line by line; undefined where they leave it open. */
export async function sayTo(
  { asks }: QuestionTold,
  ask: (words: string) => Promise<string>,
): Promise<Said | undefined> {
  if (asks === 'value') {
    const answer = await ask('Your answer (@path for a file, /no to refuse, Enter to skip): ');
    if (answer === '') return undefined;
    if (answer === '/no') return { answer: 'refused', reason: await ask('Why not? ') };
    return answer.startsWith('@') ? { answer: 'file', value: answer.slice(1) } : { answer: 'value', value: answer };
  }
  const answer = await ask(`${promptOf[asks]} [y]es, [n]o, Enter to skip: `);
  if (/^y(?:es)?$/iu.test(answer)) return { answer: asks === 'secret' ? 'value' : 'agreed' };
  return /^no?$/iu.test(answer) ? { answer: 'refused', reason: await ask('Why not? ') } : undefined;
}

const promptOf = {
  agreement: 'Do you agree?',
  secret: 'Have you handed it over where the agent can read it?',
  action: 'Have you done it?',
};

/** Records it. */
export async function recordAnswer(
  { requests, environment }: RequestsContext,
  session: string,
  { block, question, type }: QuestionTold,
  { answer, value, reason }: Said,
): ReturnType<RequestsContext['requests']['people']['answerQuestion']> {
  return requests.people.answerQuestion({
    session,
    block,
    question,
    answer,
    value: answer === 'value' && typeof value === 'string' ? typedValue(value, type) : value,
    reason,
    terminal: atTerminal(environment),
  });
}
