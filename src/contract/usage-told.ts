import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, nodeId, path, text, texts } from './described.js';

/** What was used, as agents handed it in: whoever told nothing counts for nothing. */
export const usageTold = z.strictObject({
  reports: count('How many artifacts reported usage'),
  models: texts('Names of the models, the first twenty by name'),
  inputTokens: count('Input tokens; absent if unknown').exactOptional(),
  outputTokens: count('Output tokens').exactOptional(),
  cacheReadTokens: count('Tokens read from the cache').exactOptional(),
  cacheWriteTokens: count('Tokens written to the cache').exactOptional(),
  costUsd: z.number().min(0).describe('What it cost, in US dollars').exactOptional(),
});

/** The step of a run that took longest, what it waited for a person apart. */
export const longestStep = z.strictObject({
  nodeId,
  path,
  title: text('Title of the step'),
  took: count('How many milliseconds passed until it was first done'),
  waited: count('How many of these milliseconds it waited for a person'),
  otherBranch: z.literal(true).describe('True if it is not on the preferred branch; else absent').exactOptional(),
});
export type LongestStep = ReadonlyOutput<typeof longestStep>;
