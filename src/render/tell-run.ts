import { canonicalJson } from '../base/canonical-json.js';
import type { JsonObject } from '../base/json-value.js';
import type { LedgerTold } from '../contract/ledger-told.js';
import type { NodeStory, RunStory } from '../contract/session-story.js';
import { branchesOpen } from '../base/branches-open.js';
import { type RunPlaces, stepsOf } from './run-places.js';
import { plural } from '../base/plural.js';
import { own } from '../base/own.js';
import { msBetween, tookWords } from '../base/time-spent.js';
import { usageWords } from '../base/usage.js';
import type { Block, Inline, Line, Tone } from './page.js';
import {
  apart,
  aside,
  badge,
  code,
  fact,
  facts,
  goto,
  listOf,
  paragraph,
  part,
  quiet,
  section,
  strong,
  text,
  time,
} from './page.js';
import { spokenLedger } from './spoken-ledger.js';
import { spokenName } from './spoken-name.js';
import { tellCommand, tellStop } from './tell-command.js';
import { inReadingOrder, tellDocument } from './tell-document.js';
import { foldedNamed, tellNamed } from './tell-output.js';
import { tellPreferences } from './tell-preferences.js';
import { tellEdge, tellStep, whileAwaited } from './tell-step.js';
import type { Track } from '../contract/plan-tracks.js';

const statusWords: { readonly [status in RunStory['status']]: { readonly words: string; readonly tone: Tone } } = {
  in_progress: { words: 'in progress', tone: 'waiting' },
  blocked: { words: 'blocked', tone: 'grave' },
  running: { words: 'running', tone: 'waiting' },
  complete: { words: 'complete', tone: 'good' },
  complete_with_gaps: { words: 'complete, with gaps', tone: 'warning' },
  failed: { words: 'failed', tone: 'grave' },
  canceled: { words: 'canceled', tone: 'plain' },
};

export const statusBadge = (status: RunStory['status']): Inline =>
  badge(statusWords[status].words, statusWords[status].tone);

/** One run: what it was for, how it went, what came of it, and each step in order. */
export function tellRun(run: RunStory, number: number, anchor: string, places: RunPlaces): Block {
  const { plan, anchors } = places;
  const [main, ...others] = plan.tracks;
  const stepAt = stepOn(main, places);
  const documents = inReadingOrder(run.documents).map((document, index) =>
    section(
      'part',
      [text(spokenName(document.name))],
      `${anchor}-document-${index + 1}`,
      tellDocument(document, stepAt),
    ),
  );
  return section('run', [text(`Run ${number}: `), text(run.workflow.title)], anchor, [
    ...aboutRun(run, plan.tracks.length),
    ...part('Path', `${anchor}-way`, [{ is: 'railway', run, anchors, anchor: `${anchor}-railway` }]),
    ...part('Rounds', `${anchor}-rounds`, run.ledgers.flatMap(tellLedger)),
    ...part('Results', `${anchor}-documents`, documents),
    ...part(
      others.length === 0 ? 'Steps' : 'Steps of the preferred branch',
      `${anchor}-steps`,
      main === undefined ? [] : tellTrack(run, main, anchor, places),
    ),
    ...others.flatMap((track) =>
      part(`Branch ${track.number}, from step ${stepsOf(track)[0]?.number ?? 1}`, `${anchor}-branch-${track.number}`, [
        ...whereItLeaves(track, places),
        ...tellTrack(run, track, `${anchor}-branch-${track.number}`, places),
      ]),
    ),
  ]);
}

function tellLedger(ledger: LedgerTold): readonly Block[] {
  const { head, lines } = spokenLedger(ledger);
  return [paragraph(strong(head)), ...listOf(lines.map((line) => [[text(line)]]))];
}

function aboutRun(run: RunStory, branches: number): readonly Block[] {
  const { workflow, runId, startedAt, lastAt, preferences, inputs, context, usage } = run;
  const tip = run.nodes.find(({ nodeId }) => nodeId === run.preferredTip);
  const took = tookWords(msBetween(startedAt, lastAt), run.waited ?? 0);
  const standing: Line = [
    statusBadge(run.status),
    ...(run.status.startsWith('complete') && run.openBranches > 0 ? [text(branchesOpen(run.openBranches))] : []),
    apart,
    text(`${plural(tip?.depth ?? 0, 'step')} done`),
    ...(branches > 1 ? [apart, text(`${plural(branches, 'branch', 'branches')}`)] : []),
  ];
  return [
    ...facts(
      fact('Status', standing),
      fact('Workflow', [
        code(workflow.id),
        text(` ${workflow.version}`),
        apart,
        quiet('hash '),
        code(workflow.hash.slice(0, 19)),
      ]),
      fact('Run', [code(runId)]),
      fact('Began', [time(startedAt)]),
      fact('Last work', [time(lastAt)]),
      ...(took === '' || startedAt === lastAt ? [] : [fact('Took', [text(took)])]),
      ...(usage === undefined ? [] : [fact('Used', [text(usageWords(usage))])]),
      fact('Mode', tellPreferences(preferences)),
    ),
    ...(Object.keys(inputs).length === 0 ? [] : [aside('plain', [strong('Inputs')], tellNamed(inputs, false))]),
    ...foldedNamed(branches > 1 ? 'Context at the preferred tip' : 'Context where the run stands', context),
  ];
}

/** Where a document was said: always a step of the preferred branch. */
function stepOn(main: Track<NodeStory> | undefined, { anchors }: RunPlaces): (path: string) => Inline {
  const steps = new Map(
    (main === undefined ? [] : stepsOf(main)).map(({ next, number }) => [
      next.cameBy.step?.path,
      { number, anchor: anchors.get(next.nodeId) },
    ]),
  );
  return (path) => {
    const step = steps.get(path);
    return step?.anchor === undefined ? code(path) : goto(`step ${step.number}`, step.anchor);
  };
}

/** What a run was started with is told with the run; a list that is to be collected, when something has come to it. */
const besidesInputs = ({ inputs }: RunStory, context: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(context).filter(
      ([name, value]) => !['[]', canonicalJson(own(inputs, name) ?? null)].includes(canonicalJson(value)),
    ),
  );

function whereItLeaves({ leaves, lost }: Track<NodeStory>, { lineOf }: RunPlaces): readonly Block[] {
  if (lost) return [paragraph(quiet('The steps before these are not on disk here.'))];
  if (leaves === undefined) return [];
  const line = lineOf.get(leaves.nodeId) ?? 1;
  const from = `It leaves ${line === 1 ? 'the preferred branch' : `branch ${line}`} ${leaves.depth === 0 ? 'at the start' : `after step ${leaves.depth}`}: `;
  return [paragraph(quiet(from), text(leaves.pending?.title ?? ''), quiet(' was done differently.'))];
}

function tellTrack(run: RunStory, track: Track<NodeStory>, anchor: string, { gaps }: RunPlaces): readonly Block[] {
  const [first] = track.nodes;
  const tip = track.nodes.at(-1);
  const start =
    first?.cameBy.kind === 'started'
      ? tellEdge({ ...first.cameBy, context: besidesInputs(run, first.cameBy.context) }, gaps)
      : [];
  const steps = stepsOf(track).map((place) => tellStep(place, `${anchor}-step-${place.number}`, gaps));
  return [
    ...(start.length === 0 || first === undefined
      ? []
      : [section('step', [text('Start')], `${anchor}-start`, [paragraph(time(first.cameBy.at)), ...start])]),
    ...steps,
    ...(tip === undefined ? [] : [tellTip(tip, `${anchor}-tip`, gaps)]),
  ];
}

const tipWaits: { readonly [status in RunStory['status']]?: string } = {
  blocked: 'Blocked until this is settled.',
  running: 'WorkRail is at this step by itself.',
};

function tellTip(tip: NodeStory, anchor: string, gaps: RunPlaces['gaps']): Block {
  const { pending, status, depth } = tip;
  const standing = whileAwaited(tip, gaps, status === 'blocked');
  if (pending === undefined)
    return section('step', [text('The end')], anchor, [paragraph(statusBadge(status)), ...standing]);
  const waits = own(tipWaits, status) ?? 'This step has not been done yet.';
  return section('step', [text(`${depth + 1}. `), text(pending.title)], anchor, [
    paragraph(statusBadge(status), apart, code(pending.path)),
    ...tellStop(tip.stopped),
    ...(tip.stopped === undefined ? [paragraph(quiet(waits))] : []),
    ...tellCommand(tip.command),
    ...standing,
  ]);
}
