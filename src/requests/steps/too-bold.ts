import type { SessionId } from '../../base/ids.js';
import { modeOf, type Preferences } from '../../base/preferences.js';
import type { Rejection } from '../../base/rejection.js';
import { command } from '../../base/sentence.js';
import type { AckDecision } from '../../decide/decide-ack.js';

/** How far work goes without the user is the user's to say. */
export function tooBold(
  sessionId: SessionId,
  { names, asked, allowed }: Extract<AckDecision, { readonly kind: 'too_bold' }>,
): Rejection {
  const further = names.map((name) => `${name} ${asked[name]} goes further than ${allowed[name]}`).join(', and ');
  return {
    code: 'PRECONDITION_FAILED',
    message: `${further}, which the user or the start of this run chose; only the user can allow more. Nothing was recorded, the tokens stay good`,
    action: [
      'if the run is to go further, ask the user to run ',
      command('prefs', sessionId, ...words(names, asked)),
      '; else make the same call without these preferences',
    ],
    again: [{ at: '/preferences', to: undefined }],
    context: { sessionId },
  };
}

const optionOf = { autonomy: '--autonomy', gateHandling: '--gates' } as const;

function words(names: readonly (keyof typeof optionOf)[], asked: Preferences): readonly string[] {
  const mode = modeOf(asked);
  return mode !== undefined ? ['--mode', mode] : names.flatMap((name) => [optionOf[name], asked[name]]);
}
