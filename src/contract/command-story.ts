import { z } from 'zod';
import { afterTry, callOutcomes, commandSources, confirmers, repeatRules, settlements } from '../base/closed-sets.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { at, count, eventSum, jsonObject, jsonValue, text } from './described.js';

const status = z.number().int().describe('HTTP status of the answer; absent if none came').exactOptional();

const request = z.strictObject({
  method: text('HTTP method'),
  url: text('The URL without secrets; before it is sent for the first time, its path as the API document has it'),
  body: z
    .strictObject({
      bytes: count('Its size'),
      preview: text('How it begins, with secrets by their names'),
    })
    .describe('The body; absent without one, and for reads')
    .exactOptional(),
  repeat: z
    .enum(repeatRules)
    .describe('Whether it may be sent again if its outcome is unknown; absent for reads')
    .exactOptional(),
});

const tried = z.strictObject({
  event: eventSum,
  at,
  try: count('Which try, from 1'),
  outcome: z.enum([...callOutcomes, 'sent']).describe('What became of it; sent if no answer is recorded'),
  then: z.enum(afterTry).describe('What followed; absent if no answer is recorded').exactOptional(),
  status,
  ms: count('How many milliseconds it took; absent if no answer is recorded').exactOptional(),
  bytes: count('Size of the answer').exactOptional(),
  pages: count('How many pages were read; absent for one').exactOptional(),
  error: z
    .strictObject({ code: text('Its code'), message: text('What went wrong'), action: text('What to do about it') })
    .describe('Why it failed or is unknown')
    .exactOptional(),
});
export type TriedStory = ReadonlyOutput<typeof tried>;

const response = z.strictObject({
  status,
  headers: jsonObject('Headers that say something about the answer'),
  bytes: count('Size of the answer as it came'),
  body: jsonValue('What is kept of the body; absent if it is cut').exactOptional(),
  cut: z
    .strictObject({ bytes: count('Size of what is kept, as JSON'), text: text('How it begins, as JSON') })
    .describe('In place of a body too large to show here: ask for the step with body=whole')
    .exactOptional(),
});

/** A step that WorkRail does itself: what is sent, and what is known of it. */
export const commandStory = z.strictObject({
  catalog: text('ID of the catalog'),
  command: text('Name of the command'),
  state: z
    .enum(['pending', 'running', 'succeeded', 'failed', 'unknown', 'blocked', 'canceled'])
    .describe('How it stands'),
  says: text('What is known of it, in a sentence'),
  request: request.describe('The request; absent if it is unknown').exactOptional(),
  tries: z.array(tried).describe('Each time it was sent, of many the last ones'),
  triesOmitted: count('How many earlier tries are left out; absent if none').exactOptional(),
  until: text('The condition that it polls for, as the author wrote it').exactOptional(),
  waits: z
    .strictObject({ from: at, ms: count('How many milliseconds after that it is sent again') })
    .describe('When it is tried next; absent unless it waits for that')
    .exactOptional(),
  response: response.describe('The last answer; absent if none came').exactOptional(),
  source: z
    .enum(commandSources)
    .describe('How the run went on: sent, reused from another branch, settled by somebody, or skipped')
    .exactOptional(),
  reusedFrom: text('ID of the node where it was sent, if it was reused and that node is known').exactOptional(),
  settled: z
    .strictObject({
      at,
      choice: z.enum(settlements).describe('Send it again, it was done, or it was not done'),
      by: z.enum(['agent', 'user']).describe('Who said so'),
      reason: text('Why, if they said').exactOptional(),
    })
    .describe('What somebody said of an unknown outcome')
    .exactOptional(),
  agreed: z
    .strictObject({
      event: eventSum,
      at,
      by: z.enum(confirmers).describe('caller: an agent in the user’s name; asked: the user themselves'),
      to: z.enum(['plan', 'request']).describe('Everything the run may change, or this request alone'),
      plan: text('Hash of what was agreed to'),
      writes: z
        .array(z.strictObject({ path: text('Path of the step'), command: text('The command') }))
        .describe('What was agreed to'),
    })
    .describe('The agreement under which it is sent; absent for reads and until somebody agrees')
    .exactOptional(),
});
export type CommandStory = ReadonlyOutput<typeof commandStory>;

/** How a run ended before its last step. */
export const stopStory = z.strictObject({
  event: eventSum,
  at,
  status: z.enum(['failed', 'canceled']).describe('Whether it failed or was canceled'),
  code: text('Code of the error'),
  message: text('Why'),
});
export type StopStory = ReadonlyOutput<typeof stopStory>;
