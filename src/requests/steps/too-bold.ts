import type { SessionId } from '../../base/ids.js';
import { modeWords } from '../../base/mode-words.js';
import { modeOf, type Preferences } from '../../base/preferences.js';
import type { Rejection } from '../../base/rejection.js';
import { command } from '../../base/sentence.js';
import type { AckDecision } from '../../decide/decide-ack.js';

export type TooBold = Extract<AckDecision, { readonly kind: 'too_bold' }>;

/** How far work goes without the user is the user's to say. */
export function tooBold(sessionId: SessionId, { names, asked, allowed }: TooBold): Rejection {
  const further = names.map((name) => `${name} ${asked[name]} goes further than ${allowed[name]}`).join(', and ');
  return {
    code: 'PRECONDITION_FAILED',
    message: `${further}, which the user or the start of this run chose; only the user can allow more. Nothing was recorded; the tokens stay valid`,
    action: [
      'to allow more, ask the user to run ',
      command('prefs', sessionId, ...words(names, asked)),
      '; otherwise make the same call without these preferences',
    ],
    again: [{ at: '/preferences', to: undefined }],
    context: { sessionId },
  };
}

/** The same as a question to the user. Its words are the workflow's and ours: an agent has no part in them. */
export function boldQuestion(workflow: string, step: string, { names, asked, allowed }: TooBold): string {
  const further = names.map((name) => `${name} ${asked[name]} instead of ${allowed[name]}`).join(', and ');
  const mode = modeOf(asked);
  const means = mode === undefined ? '' : ` (${modeWords[mode].label}: ${modeWords[mode].says})`;
  return `The agent working on “${workflow}” asks to go further without you once “${step}” is done: ${further}${means}. Do you allow it?`;
}

const optionOf = { autonomy: '--autonomy', gateHandling: '--gates' } as const;

function words(names: readonly (keyof typeof optionOf)[], asked: Preferences): readonly string[] {
  const mode = modeOf(asked);
  return mode !== undefined ? ['--mode', mode] : names.flatMap((name) => [optionOf[name], asked[name]]);
}
