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
  count,
  eventSum,
  flag,
  jsonObject,
  jsonObjects,
  jsonValue,
  nodeId,
  path,
  runId,
  sessionId,
  text,
} from './described.js';

const step = z.strictObject({ path, title: text('Its title') }).describe('The step that waits');

export const questionTold = z.strictObject({
  block: eventSum,
  question: text('Which one it is of those that the step waits for: /confirmed, /context/KEY or /output/gaps/N'),
  asks: z
    .enum(questionKinds)
    .describe(
      'agreement: agree or refuse; value: give it; secret: hand it over elsewhere and say so; action: do it and say so',
    ),
  text: text('What is asked'),
  key: text('Key of the context that the answer goes to').exactOptional(),
  wanted: text('What a right value is, in words').exactOptional(),
  type: text('Type of a right value').exactOptional(),
  values: z.array(jsonValue('One of them')).describe('The only values that it may have').exactOptional(),
});
export type QuestionTold = ReadonlyOutput<typeof questionTold>;

/** Work that waits for a person: what an agent handed in, and what it waits for. */
export const waitingTold = z.strictObject({
  runId,
  nodeId,
  workflow: text('Title of the workflow'),
  step,
  since: at,
  agent: agentName
    .describe('The program that handed it in, as it names itself; absent where that is not known on this machine')
    .exactOptional(),
  questions: z.array(questionTold).describe('What nobody has answered yet'),
  answered: z.array(personAnswerTold).describe('What people have answered to it already'),
  handedIn: z
    .strictObject({
      notes: text('The notes').exactOptional(),
      artifacts: jsonObjects('The artifacts').exactOptional(),
      context: jsonObject('The keys that it would set').exactOptional(),
      gaps: z.array(text('One of them')).describe('The gaps that it would disclose').exactOptional(),
    })
    .describe('What the agent handed in, which an agreement is to'),
});
export type WaitingTold = ReadonlyOutput<typeof waitingTold>;

/** GET /api/sessions/:id/questions */
export const questionsTold = z.strictObject({
  sessionId,
  waiting: z.array(waitingTold).describe('The longest waiting first'),
});
export type QuestionsTold = ReadonlyOutput<typeof questionsTold>;

/** One thing that waits for a person, in a list of all that do. What waits in another way is a kind of its own. */
export const waitingRow = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('question').describe('An agent asks what only a person can say'),
    sessionId,
    name: text('What people call the session'),
    trouble: sessionHead.shape.trouble,
    ...waitingTold.shape,
  }),
]);
export type WaitingRow = ReadonlyOutput<typeof waitingRow>;

/** GET /api/waiting */
export const waitingHere = z.strictObject({
  rows: z.array(waitingRow).describe('The longest waiting first'),
  more: count('How many sessions wait besides these').exactOptional(),
  unreadable: z
    .array(z.strictObject({ sessionId, message: text('Why it cannot be told') }))
    .describe('Sessions in which something waits that cannot be told'),
  reading: sessionsReading.exactOptional(),
});
export type WaitingHere = ReadonlyOutput<typeof waitingHere>;

/** POST /api/sessions/:id/answers */
export const questionAnswered = z.strictObject({
  sessionId,
  nodeId,
  step,
  question: text('Which question was answered'),
  answer: z.enum(answerKinds).describe('What kind of answer it was'),
  says: text('What was answered, in a sentence'),
  next: text('What comes of it, in a sentence'),
  event: eventSum,
  at,
  added: flag('False where it had been answered just so'),
  open: z.array(questionTold).describe('What the step still waits for'),
  warnings: z.array(warningTold).describe('What to know'),
});
export type QuestionAnswered = ReadonlyOutput<typeof questionAnswered>;
