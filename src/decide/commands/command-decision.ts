import type { RunId } from '../../base/ids.js';
import type { EventData } from '../../events/event-data.js';
import type { EventDraft } from '../../events/event.js';
import type { CommandToSend, CommandWorld } from './command-at.js';
import type { Going } from './go-on.js';

/** What is decided with, besides the session. */
export interface CommandHere extends CommandWorld, Going {
  /** This installation and its data root: what is agreed to here is agreed to for here. */
  readonly home: string;
  /** Hash of the plan as it is now. */
  readonly plan: () => string;
  readonly now: number;
  /** Seals that this installation was told of an agreement; a log may hold what others wrote. */
  readonly seal: (run: RunId, agreed: Pick<EventData<'plan_confirmed'>, 'plan' | 'home'>) => string;
  readonly isSealed: (run: RunId, agreed: EventData<'plan_confirmed'>) => boolean;
  readonly isAnswerSealed: (answer: EventData<'question_answered'>) => boolean;
}

export type CommandDecision =
  /** An agent or a person is next, or nobody is. */
  | { readonly kind: 'settled'; readonly events?: readonly EventDraft[]; readonly asked?: Asked }
  /** Something is recorded, and it goes on from there. */
  | { readonly kind: 'recorded'; readonly events: readonly EventDraft[] }
  | { readonly kind: 'send'; readonly command: CommandToSend; readonly waitMs: number; readonly events?: undefined };

/** What the user is asked before a command is sent. */
export interface Asked {
  /** What is asked: the same question again is the same. */
  readonly id: string;
  readonly command: NonNullable<EventData<'step_blocked'>['command']>;
  /** What they agree to; nothing where they are asked for more than a yes. */
  readonly writes?: readonly EventData<'plan_confirmed'>['writes'][number][];
  readonly blocker: EventData<'step_blocked'>['blockers'][number];
  /** What the user agrees to. */
  readonly shows: string;
}
