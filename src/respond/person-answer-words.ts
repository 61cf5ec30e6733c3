import { firstWords } from '../base/byte-budget.js';
import { shownJson } from '../base/canonical-json.js';
import { limits } from '../base/limits.js';
import { plural } from '../base/plural.js';
import type { PersonAnswerTold } from '../contract/draft-told.js';
import type { Who } from '../events/event.js';
import { keyOfQuestion, type PersonAnswer } from '../sessions/person-answers.js';

const atDoor: Readonly<Record<Who['door'], string>> = {
  terminal: 'on the command line',
  page: 'in the page',
  client: 'whom their agent’s program asked',
};

/** Where a person came in. A program with their rights may use the command line without a terminal, which is said. */
export const doorWords = ({ door }: Who, terminal?: boolean): string =>
  `${atDoor[door]}${terminal === false ? ' without a terminal' : ''}`;

/** One answer in a sentence, and where it was given. */
export const personAnswerWords = (event: PersonAnswer): string =>
  `${whatTheySaid(event)}${event.who === undefined ? '' : `, ${doorWords(event.who, event.data.terminal)}`}`;

function whatTheySaid({ data: { question, answer, context, reason = '' } }: PersonAnswer): string {
  // A sentence goes on behind it.
  const said = firstWords(reason, limits.recordedReason).replace(/\.$/u, '');
  const key = keyOfQuestion(question);
  switch (answer) {
    case 'agreed':
      return `${key === undefined ? 'the user agreed' : `the user says that it is done (context.${key})`}${said === '' ? '' : `: ${said}`}`;
    case 'refused':
      return `the user said no${key === undefined ? '' : ` to context.${key}`}${said === '' ? '' : `: ${said}`}`;
    case 'file':
    case 'value': {
      if (key === undefined) return `the user answered: ${said}`;
      const value = Object.values(context ?? {})[0];
      if (value === undefined) return `the user gave context.${key} elsewhere; it is not recorded`;
      return `the user gave ${answer === 'file' ? 'a file, ' : ''}context.${key} = ${shownJson(value)}`;
    }
  }
}

/** What comes of it for the agent. */
export function afterAnswer({ data: { answer, reason = '' } }: PersonAnswer, open: number): string {
  if (answer === 'refused')
    return `The agent’s next call says that you refused${reason === '' ? '' : ', and why'}; it can change the work and ask again.`;
  return open === 0
    ? 'The agent continues with its next call; if it has stopped, tell it to.'
    : `The step still waits for ${plural(open, 'more answer')}.`;
}

/** As an answer tells it. */
export function tellPersonAnswer(event: PersonAnswer, isPassedOver: boolean): PersonAnswerTold {
  const { at, who, data } = event;
  return {
    question: data.question,
    answer: data.answer,
    says: personAnswerWords(event),
    at,
    door: who?.door ?? '',
    ...(data.terminal !== undefined && { terminal: data.terminal }),
    ...(isPassedOver && { passedOver: true }),
  };
}
