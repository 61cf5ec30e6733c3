import { byteLength, cutToBytes, firstWords } from '../base/byte-budget.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import type { Gap } from '../events/event-data.js';
import type { KnownTold } from '../contract/answer.js';
import { draftEntry, standingDraft } from '../sessions/drafts.js';
import { gapsAt, type Settled } from '../sessions/gaps.js';
import { type KnownGaps, settledWords } from '../sessions/gap-words.js';
import { entriesUpFrom, type Entry, notedBeside } from '../sessions/entry.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { type LookPage, recordPageName } from '../sessions/look-page.js';
import { wholeRecord } from '../sessions/records.js';
import { otherRound } from '../sessions/values-of-round.js';

const valueShown = 160;
const keysShown = 12;
/** Of values that are longer, all together: what is cut has to be read from the record. */
const longValuesShown = 1024;

/** What a run was given and what has been set on the way: what a new chat knows nothing of. The page of the whole record adds every output. */
export function tellKnown(session: FoldedSession, node: RunNode, page: LookPage | undefined): KnownTold {
  const inputs = session.runs.get(node.run)?.started.data.inputs ?? {};
  // An input that stands in the context unchanged is said once.
  const context = Object.fromEntries(
    Object.entries(wholeRecord(session, node, 'context')).filter(([key, value]) => own(inputs, key) !== value),
  );
  const told = { inputs: shortened(inputs), context: shortened(context, (key) => otherRound(session, node, key)) };
  return {
    inputs: told.inputs.lines,
    context: told.context.lines,
    isWhole: told.inputs.isWhole && told.context.isWhole,
    page: recordPageName(0),
    ...(page?.kind === 'record' && recordPage(session, node, page.from)),
  };
}

/** What another round left is told as that round's. */
function shortened(
  values: JsonObject,
  roundOf: (key: string) => string | undefined = () => undefined,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const entries = Object.entries(values);
  let room = longValuesShown;
  const shown = entries.slice(0, keysShown).map(([key, value]) => [key, JSON.stringify(value)] as const);
  const long = shown.filter(([, text]) => text.length > valueShown);
  const whole = new Set(
    long
      .toSorted(([, a], [, b]) => a.length - b.length)
      .filter(([, text]) => (room -= byteLength(text)) >= 0)
      .map(([key]) => key),
  );
  const lines = shown.map(([key, text]) => {
    const round = roundOf(key);
    const left = round === undefined ? '' : ` (left by ${round})`;
    return `${firstWords(key, 60)} = ${whole.has(key) ? text : firstWords(text, valueShown)}${left}`;
  });
  const left = entries.length - keysShown;
  return left > 0
    ? { lines: [...lines, `and ${left} more`], isWhole: false }
    : { lines, isWhole: whole.size === long.length };
}

function recordPage(session: FoldedSession, node: RunNode, from: number): Pick<KnownTold, 'text' | 'nextPage'> {
  const rest = Buffer.from(recordText(session, node), 'utf8').toString('utf8', from);
  const text = cutToBytes(rest, limits.recap);
  return { text, ...(text.length < rest.length && { nextPage: recordPageName(from + byteLength(text)) }) };
}

/** Inputs, context, and every output with its artifacts, oldest first. */
function recordText(session: FoldedSession, node: RunNode): string {
  const { inputs = {} } = session.runs.get(node.run)?.started.data ?? {};
  const noted = notedBeside(session, node).map(({ entry }) => entry);
  const known: KnownGaps = new Map(gapsAt(session, node).map((gap) => [gap.id, gap]));
  const context = wholeRecord(session, node, 'context');
  const entries = [...noted, ...entriesUpFrom(session, node)]
    .toReversed()
    .map((entry) => [entryText(entry, known), ...setThere(session, entry, context)].join('\n'));
  const draft = standingDraft(node);
  const started = session.runs.get(node.run)?.started.data.gaps ?? [];
  return [
    `inputs ${JSON.stringify(inputs)}`,
    `context ${JSON.stringify(context)}`,
    ...started.map((gap) => gapText(gap, known.get(gap.id)?.settled)),
    ...entries,
    ...(draft === undefined
      ? []
      : [entryText(draftEntry(draft), known), `context ${JSON.stringify(draft.data.context ?? {})}`]),
  ].join('\n\n');
}

/** What a round set is told with it, and what any step set that a later one has written over. */
function setThere(session: FoldedSession, { kind, path, sum }: Entry, now: JsonObject): readonly string[] {
  const id = kind === 'step' ? session.entries.get(sum) : undefined;
  const { data } = (id === undefined ? undefined : session.nodes.get(id))?.madeBy ?? {};
  if (data === undefined) return [];
  const added = 'added' in data ? data.added : {};
  const set = Object.entries(data.context ?? {})
    .map(([key, value]) => ({ key, text: JSON.stringify(value) }))
    .filter(({ key, text }) => path.includes('@') || text !== JSON.stringify(own(now, key)));
  return [
    ...set.map(({ key, text }) => `set ${key} = ${text}`),
    ...Object.entries(added ?? {}).map(([key, value]) => `added to ${key}: ${JSON.stringify(value)}`),
  ];
}

function entryText({ path, title, kind, output, gaps, confirmed }: Entry, known: KnownGaps): string {
  const kinds: Readonly<Record<Entry['kind'], string>> = {
    step: '',
    checkpoint: 'checkpoint',
    late: 'late',
    draft: 'handed in and waiting for the user',
    note: 'note of a person',
  };
  const agreed = confirmed === true ? 'confirmed by the user' : '';
  return [
    `${title} (${[path, kinds[kind], agreed].filter((part) => part !== '').join(', ')})`,
    ...(output.notes === undefined ? [] : [output.notes]),
    ...(output.artifacts ?? []).map((artifact) => JSON.stringify(artifact)),
    ...gaps.map((gap) => gapText(gap, known.get(gap.id)?.settled, kind !== 'draft')),
  ].join('\n');
}

/** A gap with all of its words; one that only waits to be disclosed has no id yet. */
function gapText(
  { id, severity, category, reason, detail, assumption, resolves }: Gap,
  settled: Settled | undefined,
  isDisclosed = true,
): string {
  return [
    `gap ${isDisclosed ? `${id} ` : ''}(${severity} ${category}, ${reason}${resolves === undefined ? '' : `, settles ${resolves}`}): ${detail}`,
    ...(assumption === undefined ? [] : [`assumed: ${assumption}`]),
    ...(settled === undefined ? [] : [`settled ${settledWords(settled)}`]),
  ].join('\n');
}
