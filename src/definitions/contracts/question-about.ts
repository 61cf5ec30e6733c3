import type { questionKinds } from '../../base/closed-sets.js';
import { own } from '../../base/own.js';
import type { KeySpec, PromptStep } from '../compiled/compiled-workflow.js';

export type QuestionKind = (typeof questionKinds)[number];

/** What a question is about: the key that it asks for with what its value must be, and what sort of thing only a person can do there. */
export interface QuestionAbout {
  readonly asks: QuestionKind;
  readonly key?: string;
  readonly spec?: KeySpec;
}

/** A question for a key of the context, as its step asks for it. */
export function aboutKey({ needs, sets }: PromptStep, key: string): QuestionAbout {
  const spec = own(sets, key);
  return { asks: kindOfReason(needs.find((need) => need.key === key)?.reason), key, ...(spec && { spec }) };
}

export const kindOfReason = (reason: string | undefined): QuestionKind => kinds.get(reason ?? '') ?? 'value';

const kinds: ReadonlyMap<string, QuestionKind> = new Map([
  ['needs_user_secret_or_token', 'secret'],
  ['needs_user_account_access', 'action'],
  ['needs_user_environment_action', 'action'],
  ['needs_user_approval', 'agreement'],
]);
