import type { EventSum } from '../../base/ids.js';
import type { Fork } from '../../events/event-data.js';
import { compareEvents, draftOf, type Event, type EventDraft } from '../../events/event.js';
import type { Reading } from '../segments/reading.js';
import { segmentBytes, type SessionFolder } from '../segments/session-folder.js';
import { siftSegment, type SoundLine } from '../segments/sift-segment.js';

/** An append that is written anew, and what becomes of each of its lines. */
export interface RedactedAppend {
  readonly lines: readonly {
    readonly event: Event;
    readonly draft: EventDraft;
    readonly places: readonly string[];
    readonly file: string;
    readonly line: number;
  }[];
}

export interface RedactionPlan {
  /** In the order of the session. */
  readonly appends: readonly RedactedAppend[];
  /** By segment: which of its lines go, and from where on its unfinished end goes as well. */
  readonly cuts: ReadonlyMap<string, { readonly sums: ReadonlySet<string>; readonly tailFrom?: number }>;
  /** Lines that were redacted before and are here again. */
  readonly returned: number;
}

export interface RedactionRules {
  /** What takes the place of an event; undefined where it may stay. */
  readonly redact: (event: Event) => { readonly draft: EventDraft; readonly places: readonly string[] } | undefined;
  /** Whether bytes that are no line hold what is to go. */
  readonly inBytes: (bytes: Buffer) => boolean;
}

interface Group {
  readonly file: string;
  readonly lines: readonly SoundLine[];
  readonly refers: readonly EventSum[];
}

/**
 * Which appends hold what is to be taken out. An append is all there or not there, so it goes and comes back as a whole;
 * and one that speaks of such a line by its sum must speak of the new one.
 */
export function planRedaction<S>(
  at: SessionFolder,
  { segments, redacted }: Reading<S>,
  { redact, inBytes }: RedactionRules,
): RedactionPlan {
  const touched: Group[] = [];
  const referring: Group[] = [];
  const cuts = new Map<string, { sums: Set<string>; tailFrom?: number }>();
  const cutsOf = (file: string): { sums: Set<string>; tailFrom?: number } => {
    const known = cuts.get(file) ?? { sums: new Set<string>() };
    cuts.set(file, known);
    return known;
  };
  let returned = 0;
  for (const { name, position } of segments.values()) {
    const whole = segmentBytes(at, name);
    for (const group of groupsOf(
      name,
      siftSegment(whole).sound.filter(({ byte }) => byte < position.offset),
    )) {
      const back = group.lines.filter(({ event }) => redacted.has(event.sum));
      returned += back.length;
      for (const { event } of back) cutsOf(name).sums.add(event.sum);
      if (back.length > 0) continue;
      if (group.lines.some(({ event }) => redact(event) !== undefined)) touched.push(group);
      else if (group.refers.length > 0) referring.push(group);
    }
    if (inBytes(whole.subarray(position.offset))) cutsOf(name).tailFrom = position.offset;
  }
  const chosen = withReferring(touched, referring);
  for (const { file, lines } of chosen) for (const { event } of lines) cutsOf(file).sums.add(event.sum);
  const once = new Map(chosen.map((group) => [group.lines.map(({ event }) => event.sum).join(), group]));
  const appends = [...once.values()].toSorted((a, b) => compareEvents(a.lines[0]!.event, b.lines[0]!.event));
  return {
    returned,
    cuts,
    appends: appends.map(({ file, lines }) => ({
      lines: lines.map(({ event, line }) => ({
        event,
        file,
        line,
        ...(redact(event) ?? { draft: draftOf(event, event.data), places: [] }),
      })),
    })),
  };
}

function groupsOf(file: string, sound: readonly SoundLine[]): readonly Group[] {
  const groups: Group[] = [];
  let lines: SoundLine[] = [];
  for (const line of sound) {
    lines.push(line);
    if (line.event.more !== undefined) continue;
    groups.push({
      file,
      lines,
      refers: lines.flatMap(({ event }) => sumsNamedBy(event)),
    });
    lines = [];
  }
  return groups;
}

function withReferring(touched: readonly Group[], referring: readonly Group[]): readonly Group[] {
  const sums = new Set(touched.flatMap(({ lines }) => lines.map(({ event }) => event.sum)));
  const more = referring.filter(({ refers }) => refers.some((sum) => sums.has(sum)));
  if (more.length === 0) return touched;
  return withReferring(
    [...touched, ...more],
    referring.filter((group) => !more.includes(group)),
  );
}

const sumsIn = ({ branches, recap }: Fork): readonly EventSum[] => [
  ...branches.flatMap(({ newest }) => (newest === undefined ? [] : [newest])),
  ...recap,
];

/** The other events that one names. */
function sumsNamedBy(event: Event): readonly EventSum[] {
  if (event.kind === 'question_answered' || event.kind === 'wait_ended') return [event.data.block];
  if (event.kind !== 'step_acked') return [];
  const { fork, answers = [] } = event.data;
  return [...answers, ...(fork === undefined ? [] : sumsIn(fork))];
}

/** The draft with the sums of lines that have new ones. */
export function withNewSums(draft: EventDraft, renewed: ReadonlyMap<EventSum, EventSum>): EventDraft {
  const now = (sum: EventSum): EventSum => renewed.get(sum) ?? sum;
  if (draft.kind === 'question_answered') return { ...draft, data: { ...draft.data, block: now(draft.data.block) } };
  if (draft.kind === 'wait_ended') return { ...draft, data: { ...draft.data, block: now(draft.data.block) } };
  if (draft.kind !== 'step_acked') return draft;
  const { fork, answers } = draft.data;
  if (fork === undefined && answers === undefined) return draft;
  const branches = fork?.branches.map((branch) =>
    branch.newest === undefined ? branch : { ...branch, newest: now(branch.newest) },
  );
  return {
    ...draft,
    data: {
      ...draft.data,
      ...(answers !== undefined && { answers: answers.map(now) }),
      ...(fork !== undefined && { fork: { ...fork, branches: branches ?? [], recap: fork.recap.map(now) } }),
    },
  };
}
