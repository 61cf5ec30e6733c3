import { z } from 'zod';
import { answerKinds } from '../base/closed-sets.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import type { NextCall } from '../base/rejection.js';
import { at, flag, text } from './described.js';

/** What a person answered, at their own door, to one question of a draft. */
export const personAnswerTold = z.strictObject({
  question: text('The question, as a pointer into the request: /confirmed, /context/KEY or /output/gaps/N'),
  answer: z.enum(answerKinds).describe('The kind of answer'),
  says: text('The answer, in a sentence that begins with “the user”'),
  at,
  door: text('Where they answered: terminal, page or client'),
  terminal: flag('On the command line: whether there was a terminal').exactOptional(),
  passedOver: z.literal(true).describe('True if an earlier answer to the same question counts instead').exactOptional(),
});
export type PersonAnswerTold = ReadonlyOutput<typeof personAnswerTold>;

/** What a blocked call handed in: how it begins for whoever sent it, all of it for whoever looks. */
export interface DraftTold {
  readonly notes?: string;
  readonly artifacts?: readonly string[];
  readonly gaps?: readonly string[];
  readonly context: readonly string[];
  /** Bytes of the notes that were left out, before and after what is shown. */
  readonly cut?: { readonly before: number; readonly after: number };
  /** In what it differs from the draft whose place it took. */
  readonly replaces?: readonly string[];
  /** The user said no to it: why, as far as they said. */
  readonly refused?: string;
  /** The user said no at their own door before: they answer this themselves, and nobody for them. */
  readonly themselves?: true;
  /** What the user answered to it themselves. */
  readonly answers?: readonly PersonAnswerTold[];
  /** The user has answered all that it waited for: the same call goes on. */
  readonly settled?: true;
  /** Completes the step with it once the user agrees and has answered what they were asked; absent where more is missing. */
  readonly confirm?: NextCall;
}
