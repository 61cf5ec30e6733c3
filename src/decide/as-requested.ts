import type { EventData, Gap, Output } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import type { JsonObject } from '../base/json-value.js';
import { keysAsked, keysGiven, waitsForGap } from '../sessions/drafts.js';
import { severityOf } from './gap-list.js';
import {
  isEmpty,
  keptOutput,
  requestDigest,
  type RequestedGap,
  type RequestedOutput,
  withUsageOf,
  workOf,
} from './requested-output.js';

interface Kept {
  readonly output?: Output;
  readonly gaps?: readonly Gap[];
  readonly context?: JsonObject;
}

interface Requested {
  readonly output: RequestedOutput;
  readonly context: JsonObject | undefined;
}

/** The request that brought what is kept beside a step, to be made anew. */
export const lateRequested = ({ data: { output, gaps, late } }: Event<'checkpoint'>): Requested =>
  asRequested({ output, ...(gaps && { gaps }), ...(late?.context && { context: late.context }) }, (gap) => gap);

/** The request that a draft came with, so that it is a repetition when it comes again with the user's agreement. */
export function draftRequested({ data }: Event<'step_blocked'>): Requested {
  const asKept = asRequested(data, (gap) => gap);
  // A severity that was not named was filled in.
  const unnamed = asRequested(data, ({ severity, ...gap }) =>
    severityOf(gap) === severity ? gap : { ...gap, severity },
  );
  return digestOf(unnamed, data) === data.request ? unnamed : asKept;
}

interface Handed {
  readonly output: RequestedOutput | undefined;
  readonly context: JsonObject | undefined;
  readonly confirmed: boolean;
}

/**
 * What comes with the user's agreement, with a value that only they could give, or in place of a gap that waits for them,
 * and of the draft the rest: whoever has their word, or assumes it, names only what is otherwise. Undefined where what comes is no answer to a draft.
 */
export function withDraft(handed: Handed, drafts: readonly Event<'step_blocked'>[]): Requested | undefined {
  const { output, context, confirmed } = handed;
  const draft = drafts.at(-1);
  if (draft === undefined) return undefined;
  // Gaps that come alone say of those it waits for what is assumed instead.
  const disclosed = waitsForGap(draft) && keptOutput(workOf(output)) === undefined ? (output?.gaps ?? []) : [];
  // A value that was given before and comes again, alone or as another, is still no step of its own.
  const isAnswer = confirmed || disclosed.length > 0 || keysGiven(drafts.flatMap(keysAsked), context).length > 0;
  if (!isAnswer) return undefined;
  const before = draftRequested(draft);
  const [stood, came] = [keptOf(before.output), keptOf(output)];
  const { notes: notesMarkdown } = { ...stood, ...came };
  const artifacts = withUsageOf(came, stood);
  // What only the user could settle is settled by what comes with their agreement; an answer to one question settles no other.
  const settled = confirmed || disclosed.length > 0 || keptOutput(workOf(output)) !== undefined;
  const others = (before.output.gaps ?? []).filter(({ category }) => !settled || category !== 'user_only_dependency');
  const sent = output?.gaps ?? [];
  const beside =
    disclosed.length === 0 ? [] : others.filter(({ detail }) => !sent.some((gap) => gap.detail === detail));
  const gaps = sent.length === 0 ? others : [...beside, ...sent];
  const merged = { ...before.context, ...context };
  return {
    output: {
      ...(notesMarkdown !== undefined && { notesMarkdown }),
      ...(artifacts !== undefined && { artifacts }),
      ...(gaps.length > 0 && { gaps }),
    },
    context: Object.keys(merged).length === 0 ? undefined : merged,
  };
}

/** The same with what was used besides, where that comes with nothing else. */
export function withUsage({ output, context }: Requested, came: RequestedOutput | undefined): Requested {
  const artifacts = withUsageOf(keptOf(came), keptOf(output));
  return { output: { ...output, ...(artifacts !== undefined && { artifacts }) }, context };
}

const keptOf = (output: RequestedOutput | undefined): Output => keptOutput(output) ?? {};

const digestOf = ({ output, context }: Requested, data: EventData<'step_blocked'>): string =>
  requestDigest({
    output,
    context,
    confirmed: data.confirmed ?? false,
    preferences: data.preferences,
    refused: data.refused,
  });

function asRequested({ output, gaps, context }: Kept, spelled: (gap: Omit<Gap, 'id'>) => RequestedGap): Requested {
  const { notes, artifacts } = output ?? {};
  return {
    output: {
      ...(notes !== undefined && { notesMarkdown: notes }),
      ...(artifacts !== undefined && { artifacts }),
      ...(gaps !== undefined && { gaps: gaps.map(({ id: _id, ...gap }) => spelled(gap)) }),
    },
    context,
  };
}

/** What the user said no to, and why: where work waits for their agreement, mere notes that come with a refusal are their reason. */
export function asRefused(
  brought: { readonly output: RequestedOutput | undefined; readonly context: JsonObject | undefined },
  draft: Event<'step_blocked'> | undefined,
): { readonly refused: string } & Partial<Requested> {
  const waits = draft?.data.blockers.some(({ code }) => code === 'CONFIRMATION_REQUIRED') === true;
  if (draft === undefined || !waits) return { refused: '' };
  const { notesMarkdown = '', ...more } = brought.output ?? {};
  const reason = notesMarkdown === draft.data.output?.notes ? '' : notesMarkdown.trim();
  const isReason = isEmpty({ output: workOf(more), context: brought.context });
  return isReason
    ? { ...draftRequested(draft), refused: reason }
    : { ...withDraft({ ...brought, confirmed: true }, [draft]), refused: '' };
}
