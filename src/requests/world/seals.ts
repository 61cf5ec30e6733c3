import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RunId } from '../../base/ids.js';
import type { EventData } from '../../events/event-data.js';
import type { Keys } from '../../machine/keys.js';

/** Logs travel, and whoever may write into one might write that somebody agreed: what counts bears a seal of this installation. */
type Sealed = readonly [what: 'plan' | 'answer', ...parts: readonly string[]];

const hexDigits = 16;

const sealWith = (secret: Uint8Array, parts: Sealed): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex').slice(0, hexDigits);

export const sealOf = (keys: Keys, parts: Sealed): string => sealWith(keys.current().secret, parts);

export const isSealed = (keys: Keys, parts: Sealed, seal: string | undefined): boolean =>
  seal?.length === hexDigits &&
  keys.all().some(({ secret }) => timingSafeEqual(Buffer.from(sealWith(secret, parts)), Buffer.from(seal)));

/** That the user agrees to a plan, or to one request, of a run. */
export const agreementParts = (
  run: RunId,
  { plan, home }: Pick<EventData<'plan_confirmed'>, 'plan' | 'home'>,
): Sealed => ['plan', run, plan, home];

/** What a person answered to a question of a command. */
export const answerParts = ({
  block,
  question,
  answer,
}: Pick<EventData<'question_answered'>, 'block' | 'question' | 'answer'>): Sealed => [
  'answer',
  block,
  question,
  answer,
];
