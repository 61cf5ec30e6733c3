import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { answerKinds, questionKinds } from '../base/closed-sets.js';
import { warningTold } from './answer.js';
import { personAnswerTold } from './draft-told.js';
import { sessionsReading } from './session-list.js';
import { sessionHead } from './session-story.js';
import {
  agentName,
  at,
  branchNumber,
  count,
  eventSum,
  flag,
  jsonObject,
  jsonObjects,
  jsonValue,
  nodeId,
  path,
  runId,
  runStatus,
  sessionId,
  text,
} from './described.js';

const step = z.strictObject({ path, title: text('Its title') }).describe('The pending step');

export const questionTold = z.strictObject({
  block: eventSum,
  question: text('Which question of the step: /confirmed, /context/KEY or /output/gaps/N'),
  asks: z
    .enum(questionKinds)
    .describe(
      'agreement: agree or refuse; value: give it; secret: give it elsewhere and say so; action: do it and say so',
    ),
  text: text('The question'),
  key: text('Context key for the answer').exactOptional(),
  wanted: text('What is valid, in words').exactOptional(),
  type: text('Type of a valid value').exactOptional(),
  values: z.array(jsonValue('One of them')).describe('The only values allowed').exactOptional(),
  choices: z
    .array(
      z.strictObject({
        value: text('The value to answer with'),
        label: text('The choice in a few words'),
        says: text('What comes of it'),
      }),
    )
    .describe('The same values with what each does; absent if they say it themselves')
    .exactOptional(),
});
export type QuestionTold = ReadonlyOutput<typeof questionTold>;

/** Work that waits for a person: what an agent handed in, and what it waits for. */
export const waitingTold = z.strictObject({
  runId,
  nodeId,
  branch: branchNumber,
  workflow: text('Title of the workflow'),
  step,
  since: at,
  agent: agentName
    .describe('The program that sent it, by the name it gives itself; absent if unknown on this machine')
    .exactOptional(),
  command: text('The command that WorkRail sends there itself; absent if an agent does the step').exactOptional(),
  questions: z.array(questionTold).describe('Questions without an answer'),
  answered: z.array(personAnswerTold).describe('Answers that people have given'),
  handedIn: z
    .strictObject({
      notes: text('The notes').exactOptional(),
      artifacts: jsonObjects('The artifacts').exactOptional(),
      context: jsonObject('The keys it would set').exactOptional(),
      gaps: z.array(text('One of them')).describe('The gaps it would disclose').exactOptional(),
    })
    .describe('What the agent sent, to agree or refuse; of a command the request, in notes'),
});
export type WaitingTold = ReadonlyOutput<typeof waitingTold>;

/** GET /api/sessions/:id/questions */
export const questionsTold = z.strictObject({
  sessionId,
  waiting: z.array(waitingTold).describe('Longest wait first'),
});
export type QuestionsTold = ReadonlyOutput<typeof questionsTold>;

/** One thing that waits for a person, in a list of all that do. What waits in another way is a kind of its own. */
export const waitingRow = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('question').describe('An agent asks something that only a person can answer'),
    sessionId,
    name: text('Name of the session for people'),
    trouble: sessionHead.shape.trouble,
    ...waitingTold.shape,
  }),
]);
export type WaitingRow = ReadonlyOutput<typeof waitingRow>;

/** GET /api/waiting */
export const waitingHere = z.strictObject({
  rows: z.array(waitingRow).describe('Longest wait first'),
  more: count('How many more sessions are waiting').exactOptional(),
  unreadable: z
    .array(z.strictObject({ sessionId, message: text('Why it cannot be read') }))
    .describe('Sessions with something waiting that cannot be read'),
  reading: sessionsReading.exactOptional(),
});
export type WaitingHere = ReadonlyOutput<typeof waitingHere>;

/** POST /api/sessions/:id/answers */
export const questionAnswered = z.strictObject({
  sessionId,
  nodeId,
  step,
  question: text('The question that was answered'),
  answer: z.enum(answerKinds).describe('The kind of answer'),
  says: text('The answer, in a sentence'),
  next: text('What happens next, in a sentence'),
  event: eventSum,
  at,
  added: flag('False if the same answer was already recorded'),
  open: z.array(questionTold).describe('What the step is still waiting for'),
  came: z
    .strictObject({ status: runStatus, says: text('In a sentence') })
    .describe('Where the run stands since, if WorkRail continued with it; absent if an agent does the step')
    .exactOptional(),
  warnings: z.array(warningTold).describe('Warnings'),
});
export type QuestionAnswered = ReadonlyOutput<typeof questionAnswered>;
