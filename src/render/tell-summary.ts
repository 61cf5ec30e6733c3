import { branchesOpen } from '../base/branches-open.js';
import { plural } from '../base/plural.js';
import { msBetween, tookWords } from '../base/time-spent.js';
import { usageWords } from '../base/usage.js';
import type { GapStory, NodeStory, RunStory } from '../contract/session-story.js';
import { answeredWords, refusedWords } from './blocker-text.js';
import { isOpen } from './node-marks.js';
import type { Block, Inline, Line } from './page.js';
import { apart, aside, fact, facts, goto, listOf, paragraph, part, quiet, strong, text, time } from './page.js';
import { placesOf, type RunPlaces, stepsOf } from './run-places.js';
import { shortNotes } from './quote-notes.js';
import { spokenName } from './spoken-name.js';
import { statusBadge } from './tell-run.js';
import { prose, separated } from './tell-value.js';
import type { Track } from '../contract/plan-tracks.js';
import { branchWords } from './branch-words.js';

/** A run with where everything of it stands on the page. */
export interface ToldRun {
  readonly run: RunStory;
  readonly number: number;
  readonly anchor: string;
  readonly places: RunPlaces;
}

export const toldRun = (run: RunStory, index: number): ToldRun => {
  const anchor = `run-${index + 1}`;
  return { run, number: index + 1, anchor, places: placesOf(run, anchor) };
};

/** What fits on a page: the newest runs, and of each list as many as this. */
const runsTold = 3;
const mostDecisions = 8;
const mostBranches = 6;
const slowestTold = 3;
/** Of what a branch said last. */
const longestSaid = 140;

/** One page for who has a minute: what the work was about, how it stands, what came of it, who decided what. */
export function tellSummary(runs: readonly ToldRun[]): readonly Block[] {
  const told = runs.slice(-runsTold);
  const left = runs.length - told.length;
  return part('Summary', 'summary', [
    ...told.flatMap((one) => ofRun(one, runs.length > 1)),
    ...(left > 0 ? [paragraph(quiet(`${plural(left, 'earlier run')} below.`))] : []),
  ]);
}

function ofRun(told: ToldRun, several: boolean): readonly Block[] {
  const { run, number, anchor, places } = told;
  const [main] = places.plan.tracks;
  const steps = main === undefined ? [] : stepsOf(main);
  const last = steps.findLast(({ next }) => (next.cameBy.output.notes ?? '').trim() !== '');
  const notes = last?.next.cameBy.output.notes ?? '';
  const { shown, isCut } = shortNotes(notes);
  const name = run.workflow.title;
  return [
    paragraph(goto(several ? `Run ${number}: ${name}` : name, anchor)),
    ...facts(
      fact('About', run.about === undefined ? [] : prose(run.about)),
      fact('Status', standing(told)),
      fact('Took', ...spent(told)),
      fact('Used', run.usage === undefined ? [] : [text(usageWords(run.usage))]),
      fact('Result', ...resultOf(run)),
      fact('Open gaps', openGaps(run.gaps)),
    ),
    ...(last === undefined
      ? []
      : [
          paragraph(
            strong('Last notes'),
            apart,
            quiet(isCut ? 'how it begins, at ' : 'at '),
            placeOf(last.next, told) ?? text(last.next.cameBy.step?.title ?? ''),
          ),
          { is: 'notes' as const, markdown: shown },
        ]),
    ...boxed('Decided by people', decisionsOf(told), mostDecisions),
    ...boxed(
      'Other branches',
      places.plan.tracks.slice(1).map((track) => branchLine(track, told)),
      mostBranches,
    ),
  ];
}

function boxed(title: string, lines: readonly Line[], most: number): readonly Block[] {
  if (lines.length === 0) return [];
  const left = lines.length - most;
  const shown = lines.slice(0, most).map((line): readonly Line[] => [line]);
  return [aside('plain', [strong(title)], listOf(left > 0 ? [...shown, [[quiet(`and ${left} more`)]]] : shown))];
}

function standing({ run, places }: ToldRun): Line {
  const tip = run.nodes.find(({ nodeId }) => nodeId === run.preferredTip);
  const branches = places.plan.tracks.length;
  return [
    statusBadge(run.status),
    text(run.status.startsWith('complete') ? branchesOpen(run.openBranches) : ''),
    apart,
    text(`${plural(tip?.depth ?? 0, 'step')} done`),
    ...(branches > 1 ? [apart, text(plural(branches, 'branch', 'branches'))] : []),
    ...(tip?.pending === undefined ? [] : [apart, quiet('waits at '), text(tip.pending.title)]),
  ].filter((piece) => !('text' in piece) || piece.text !== '');
}

/** How long, and where most of it went. */
function spent(told: ToldRun): readonly Line[] {
  const { run } = told;
  const took = tookWords(msBetween(run.startedAt, run.lastAt), run.waited ?? 0);
  if (took === '' || run.startedAt === run.lastAt) return [];
  const nodes = new Map(run.nodes.map((node) => [node.nodeId, node]));
  const longest = separated(
    run.slowest.map(({ nodeId, title, took, waited }): Line => {
      // Where it was first done.
      const next = nodes.get(nodes.get(nodeId)?.children[0] ?? '');
      const place = next && placeOf(next, told);
      return [...(place === undefined ? [] : [place, text(' ')]), text(`${title}, ${tookWords(took, waited)}`)];
    }),
    text('; '),
  );
  const done = run.nodes.filter(({ cameBy }) => cameBy.kind === 'acked').length;
  return [[text(took)], ...(done > slowestTold && run.slowest.length > 0 ? [[quiet('longest: '), ...longest]] : [])];
}

/** The fields in which the documents of a run say what it came to. */
const resultFields = ['verdict', 'summary', 'recommendation', 'result'] as const;

const resultOf = ({ documents }: RunStory): readonly Line[] => [
  ...new Map(
    documents
      .flatMap(({ header = {} }) =>
        resultFields.flatMap((field) => {
          const said = header[field];
          return typeof said === 'string' && said.trim() !== '' ? [{ field, said: said.trim() }] : [];
        }),
      )
      .map(({ field, said }): [string, Line] => [said, [quiet(`${spokenName(field)}: `), ...prose(said)]]),
  ).values(),
];

function openGaps(gaps: readonly GapStory[]): Line {
  const open = gaps.filter(isOpen);
  const critical = open.filter(({ severity }) => severity === 'critical').length;
  if (open.length === 0) return [];
  return [
    goto(plural(open.length, 'gap'), 'open-gaps'),
    ...(critical > 0 ? [text(`, ${critical === open.length ? 'all' : critical} critical`)] : []),
  ];
}

/** What people agreed to, refused, gave and settled, in the order of the run. */
function decisionsOf(told: ToldRun): readonly Line[] {
  const line = (words: string, at: string, node: NodeStory | undefined): Line => {
    const place = node === undefined ? undefined : placeOf(node, told);
    return [...prose(words), ...(place === undefined ? [] : [apart, place]), apart, time(at)];
  };
  const nodes = new Map(told.run.nodes.map((node) => [node.nodeId, node]));
  const settledAt = new Map<string, GapStory[]>();
  for (const gap of told.places.gaps.values()) {
    if (gap.settled?.who !== 'user') continue;
    settledAt.set(gap.settled.path, [...(settledAt.get(gap.settled.path) ?? []), gap]);
  }
  return told.run.nodes.flatMap((node): readonly Line[] => {
    const { cameBy, blocks, children } = node;
    const next = nodes.get(children[0] ?? '') ?? node;
    const path = cameBy.step?.path ?? '';
    const settled = settledAt.get(path) ?? [];
    // Of two branches that came by the same step, one is enough.
    settledAt.delete(path);
    return [
      ...(cameBy.confirmed ? [line(`Agreed to “${cameBy.step?.title ?? ''}”`, cameBy.at, node)] : []),
      ...settled.map((gap) => line(`Settled “${gap.detail}”: ${gap.settled?.how ?? ''}`, cameBy.at, node)),
      ...blocks.flatMap(({ at, refused, answers }) => [
        ...(refused === undefined ? [] : [line(refusedWords(refused), at, next)]),
        ...answers.map((answer) => line(answeredWords(answer, ''), answer.at, next)),
      ]),
    ];
  });
}

function branchLine(track: Track<NodeStory>, { anchor }: ToldRun): Line {
  const { stands, said } = branchWords(track);
  return [
    goto(`Branch ${track.number}`, `${anchor}-branch-${track.number}`),
    text(stands),
    ...(said === undefined ? [] : [apart, text(cutAt(said, longestSaid))]),
  ];
}

/** Characters, and no halves of them. */
const cutAt = (words: string, most: number): string =>
  words.length <= most ? words : `${Array.from(words).slice(0, most).join('')} …`;

/** The step that led to a node, where it is told. */
function placeOf(node: NodeStory, { places }: ToldRun): Inline | undefined {
  const [anchor, tip] = [places.anchors.get(node.nodeId), places.anchors.get(`tip:${node.nodeId}`)];
  const line = places.lineOf.get(node.nodeId) ?? 1;
  const branch = line === 1 ? '' : ` of branch ${line}`;
  if (anchor !== undefined && node.cameBy.kind === 'acked') {
    const number = /\d+$/u.exec(anchor)?.[0] ?? '';
    return goto(`step ${number}${branch}`, anchor);
  }
  return tip === undefined ? undefined : goto(`the waiting step${branch}`, tip);
}
