import type { NodeId, RunId } from '../base/ids.js';
import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { Gap, Output } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import { draftEntry, standingDraft } from './drafts.js';
import { entriesUpFrom, type Entry, sessionEntries } from './entry.js';
import type { FoldedSession, Run, RunNode } from './folded-session.js';
import { withoutUsage } from './usage.js';

/** What the session is called; its branches and repositories; what was said near the tip; the workflow's names; all of it. The closest match comes first. */
export const textParts = ['title', 'branch', 'tip', 'workflow', 'deep'] as const;
export type TextPart = (typeof textParts)[number];
/** For each part, which of the words that are asked for stand in it, by their bits. */
export type Hits = ArrayLike<number>;

/** A text by which work can be found, and all parts that it stands in: so that each text is looked through once. */
export interface SearchableText {
  readonly text: string;
  readonly parts: readonly TextPart[];
}

const nearAndDeep: readonly TextPart[] = ['tip', 'deep'];
const nearAlone: readonly TextPart[] = ['tip'];
const deepAlone: readonly TextPart[] = ['deep'];

/** What the places of a session have to say: near the tip as much as `searchNearTip`, in all as much as `searchDeep`. */
export function searchableText(
  sessionId: string,
  session: FoldedSession,
): (run: Run | undefined, tip: RunNode | undefined) => readonly SearchableText[] {
  const { key, title, tags, observations } = session;
  const names: readonly SearchableText[] = [
    { text: [sessionId, key, title, ...tags].join('\n'), parts: ['title', 'deep'] },
    {
      text: observations.flatMap(({ branch, repository }) => [branch, repository]).join('\n'),
      parts: ['branch', 'deep'],
    },
  ];
  let nodesBy: ReadonlyMap<RunId, readonly RunNode[]> | undefined;
  return (run, tip) => {
    const { said, near } = nearTip(session, tip);
    said.push(...names);
    if (run !== undefined)
      said.push({ text: `${run.started.data.workflowId} ${run.started.data.title}`, parts: ['workflow', 'deep'] });
    nodesBy ??= nodesByRun(session);
    let room: number = limits.searchDeep;
    for (const { text } of everythingSaid(session, run === undefined ? [] : (nodesBy.get(run.id) ?? []), near)) {
      said.push({ text: text.length > room ? text.slice(0, room) : text, parts: deepAlone });
      room -= text.length;
      if (room <= 0) break;
    }
    return said;
  };
}

function nodesByRun({ nodes }: FoldedSession): ReadonlyMap<RunId, readonly RunNode[]> {
  const by = new Map<RunId, RunNode[]>();
  for (const node of nodes.values()) {
    const same = by.get(node.run);
    if (same === undefined) by.set(node.run, [node]);
    else same.push(node);
  }
  return by;
}

/** The outputs on the way to the tip, newest first; `near` are those that are there as a whole. */
function nearTip(
  session: FoldedSession,
  tip: RunNode | undefined,
): { readonly said: SearchableText[]; readonly near: ReadonlySet<Output> } {
  const said: SearchableText[] = [];
  const near = new Set<Output>();
  let titles = '';
  let room: number = limits.searchNearTip;
  for (const { title, output } of tip === undefined ? sessionEntries(session) : standingUpFrom(session, tip)) {
    const text = outputText(output);
    titles += `${title}\n`;
    room -= title.length + text.length;
    if (room < 0) {
      said.push({ text: text.slice(0, Math.max(0, text.length + room)), parts: nearAlone });
      break;
    }
    near.add(output);
    said.push({ text, parts: nearAndDeep });
  }
  said.push({ text: titles, parts: nearAndDeep });
  return { said, near };
}

/** What waits for the user is the newest that was said. */
function* standingUpFrom(session: FoldedSession, tip: RunNode): Generator<Entry> {
  const draft = standingDraft(tip);
  if (draft !== undefined) yield draftEntry(draft);
  yield* entriesUpFrom(session, tip);
}

/** One text that was recorded: where, and on which node of its run. */
export interface SaidAt {
  readonly text: string;
  readonly where: string;
  readonly node?: RunNode;
  /** The node of the step that it was left at, where that is another. */
  readonly stepNode?: NodeId;
}

/** What the nodes of a run and the session itself have to say. */
export const everythingIn = (session: FoldedSession, run: Run | undefined): Iterable<SaidAt> =>
  everythingSaid(session, run === undefined ? [] : (nodesByRun(session).get(run.id) ?? []), new Set());

/** Whichever branch of the run it is on, and beside the runs of the session; without what is `near`. */
function* everythingSaid(
  session: FoldedSession,
  nodes: readonly RunNode[],
  near: ReadonlySet<Output>,
): Generator<SaidAt> {
  for (const { data } of session.notes) yield { text: data.text, where: 'a note on the session' };
  yield* checkpointsSaid(session.checkpoints, near, { where: 'what was kept at the session' });
  for (const node of nodes) {
    const {
      madeBy: { data },
      did,
      parent,
      pending,
      checkpoints,
      blocks,
      notes,
    } = node;
    const here = pending?.title ?? 'the end of the run';
    const step = did?.title ?? here;
    const left = leftAt(node);
    if ('output' in data && !near.has(withoutUsage(data.output)))
      yield { text: outputText(data.output), where: step, ...left };
    // What was done here was pending at the node before.
    const done = parent === undefined ? did?.title : '';
    const facts = [
      done,
      pending?.title,
      pending?.path,
      'inputs' in data ? valueText(data.inputs) : '',
      valueText(data.context),
      leftByRounds(data),
      gapsText(data.gaps),
    ];
    yield { text: facts.join(' '), where: `what was set at ${step}`, ...left };
    const late = checkpoints.filter((event) => event.data.late !== undefined);
    yield* checkpointsSaid(
      checkpoints.filter((event) => !late.includes(event)),
      near,
      { where: `what was kept at ${here}`, node },
    );
    yield* checkpointsSaid(late, near, { where: `other work that came for ${step} and was not recorded`, node });
    const standing = standingDraft(node);
    for (const block of blocks) {
      const { output, context, gaps } = block.data;
      const where =
        block === standing
          ? `what was handed in at ${here} for the user to settle`
          : `an earlier try at ${here}, which was not recorded so`;
      const waits = { where, node };
      if (output !== undefined && !near.has(withoutUsage(output))) yield { ...waits, text: outputText(output) };
      yield { ...waits, text: `${valueText(context)} ${gapsText(gaps)}` };
    }
    yield* answersSaid(node, here);
    for (const note of notes) yield { text: note.data.text, where: `a note at ${here}`, node };
  }
}

function* answersSaid(node: RunNode, here: string): Generator<SaidAt> {
  for (const { data } of node.answers ?? [])
    yield {
      text: `${data.reason ?? ''} ${valueText(data.context)}`,
      where: `what the user answered at ${here}`,
      node,
    };
}

/** A step is done at the node before the one that it leads to. */
const leftAt = (node: RunNode): Pick<SaidAt, 'node' | 'stepNode'> =>
  node.did === undefined || node.parent === undefined ? { node } : { node, stepNode: node.parent };

const leftByRounds = (data: RunNode['madeBy']['data']): string =>
  'step' in data ? `${valueText(data.added)} ${valueText(data.rounds?.map(({ line }) => line))}` : '';

function* checkpointsSaid(
  checkpoints: readonly Event<'checkpoint'>[],
  near: ReadonlySet<Output>,
  at: Omit<SaidAt, 'text'>,
): Generator<SaidAt> {
  for (const { data } of checkpoints) {
    if (!near.has(withoutUsage(data.output))) yield { ...at, text: outputText(data.output) };
    yield { ...at, text: `${valueText(data.late?.context)} ${gapsText(data.gaps)}` };
  }
}

function outputText(output: Output): string {
  const { notes = '', artifacts } = withoutUsage(output);
  return artifacts === undefined ? notes : `${notes}\n${valueText(artifacts)}`;
}

const gapsText = (gaps: readonly Gap[] | undefined): string =>
  gaps === undefined
    ? ''
    : gaps
        .map(({ category, reason, detail, assumption = '' }) => `${category} ${reason} ${detail} ${assumption}`)
        .join('\n');

/** An escape is a sign of its own in JSON and none of a word's letters; it is quoted as it was said. */
const valueText = (value: JsonValue | undefined): string =>
  value === undefined
    ? ''
    : JSON.stringify(value).replaceAll(/\\(u[\da-f]{4}|.)/gu, (_, sign: string) => (/["\\]/u.test(sign) ? sign : ' '));
