import { firstWords } from '../base/byte-budget.js';
import { shownJson } from '../base/canonical-json.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { plural } from '../base/plural.js';
import type { PersonAnswerTold } from '../contract/draft-told.js';
import type { Who } from '../events/event.js';
import { outcomePointer } from '../sessions/command-standing.js';
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
  if (question === outcomePointer) return outcomeSaid(own(context ?? {}, 'outcome'), said);
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

const outcomes = { repeat: 'is to be sent again', done: 'was done', failed: 'was not done' } as const;

/** What they said of a command whose outcome nobody knew. */
function outcomeSaid(outcome: unknown, said: string): string {
  const words = typeof outcome === 'string' ? own(outcomes, outcome) : undefined;
  return `the user said that it ${words ?? 'is left open'}${said === '' ? '' : `: ${said}`}`;
}

/** What comes of it: for the agent, or at a step that WorkRail does itself. */
export function afterAnswer(
  { data: { answer, context, reason = '' } }: PersonAnswer,
  open: number,
  command: { readonly try?: number } | undefined,
): string {
  if (command !== undefined) return afterCommandAnswer(answer, context?.['outcome']);
  if (answer === 'refused')
    return `The agent’s next call says that you refused${reason === '' ? '' : ', and why'}; it can change the work and ask again.`;
  return open === 0
    ? 'The agent continues with its next call; if it has stopped, tell it to.'
    : `The step still waits for ${plural(open, 'more answer')}.`;
}

function afterCommandAnswer(answer: PersonAnswer['data']['answer'], outcome: unknown): string {
  if (answer === 'refused')
    return 'WorkRail sends nothing, and the run stays here. An agent can go back to an earlier step and do it another way.';
  switch (outcome) {
    case 'repeat':
      return 'WorkRail sends it again and continues with the run.';
    case 'failed':
      return 'WorkRail records that it was not done, and sends nothing.';
    case 'done':
      return 'WorkRail sends nothing and continues with the run.';
    default:
      return 'WorkRail sends it and continues with the run.';
  }
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
