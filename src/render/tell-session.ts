import type { SessionStory } from '../contract/session-story.js';
import { isOpen } from './node-marks.js';
import type { RunPlaces } from './run-places.js';
import { plural } from '../base/plural.js';
import { usageWords } from '../base/usage.js';
import type { Block, Inline, Line, Page } from './page.js';
import { aside, badge, code, fact, facts, goto, listOf, paragraph, part, quiet, text, time } from './page.js';
import { listGap } from './tell-gap.js';
import { tellCheckpoint, tellNote } from './tell-output.js';
import { statusBadge, tellRun } from './tell-run.js';
import { tellStates } from './tell-states.js';
import { tellSummary, type ToldRun, toldRun } from './tell-summary.js';
import { separated } from './tell-value.js';

/** Session report as a page. Nothing of it hangs on the place, the time or the machine where it is told. */
export function tellSession(story: SessionStory): Page {
  const runs = story.runs.map(toldRun);
  return {
    title: nameWithKey(story),
    blocks: [
      ...aboutSession(story),
      ...tellFindings(story),
      ...tellSummary(runs),
      ...runsInShort(runs),
      ...openPoints(story, runs),
      ...runs.map(({ run, number, anchor, places }) => tellRun(run, number, anchor, places)),
      ...tellStates(story.sharedStates),
      ...besideRuns(story),
    ],
  };
}

/** A report is kept and passed on, and says in its first line which work it is of. */
const nameWithKey = ({ about, key }: SessionStory): string =>
  key === undefined || about.includes(key) ? about : `${key}: ${about}`;

function aboutSession({
  sessionId,
  key,
  tags,
  keep,
  startedAt,
  lastAt,
  eventCount,
  observations,
  usage,
  runs,
}: SessionStory): readonly Block[] {
  const seen = (name: 'repository' | 'remote' | 'branch' | 'commit'): readonly string[] => [
    ...new Set(observations.flatMap((observation) => observation[name] ?? [])),
  ];
  const codes = (values: readonly string[]): Line =>
    separated(
      values.map((value) => [code(value)]),
      text(', '),
    );
  return facts(
    fact('Session', [code(sessionId)]),
    ...(key === undefined || key === sessionId ? [] : [fact('Key', [code(key)])]),
    fact('Began', startedAt === '' ? [] : [time(startedAt)]),
    fact('Last work', lastAt === '' ? [] : [time(lastAt)]),
    fact('Repository', codes(seen('repository'))),
    fact('Remote', codes(seen('remote'))),
    fact('Branches', codes(seen('branch'))),
    fact('Commits', codes(seen('commit').map((commit) => commit.slice(0, 12)))),
    fact('Tags', codes(tags)),
    // Of one run it is told with the run.
    ...(usage === undefined || runs.length === 1 ? [] : [fact('Used', [text(usageWords(usage))])]),
    ...(keep ? [fact('Kept', [text('never pruned')])] : []),
    fact('On record', [text(plural(eventCount, 'event'))]),
  );
}

const findingWords = { torn: 'torn end', incomplete: 'incomplete', damage: 'damaged', newer: 'newer format' } as const;

function tellFindings({ findings }: SessionStory): readonly Block[] {
  const told = findings.map(({ level, file, line, message, remedy }) => {
    const tone = level === 'damage' || level === 'newer' ? 'grave' : 'warning';
    const place = code(line === undefined ? file : `${file}:${line}`);
    const todo = remedy === '' ? [] : [paragraph(quiet('To do: '), text(remedy))];
    return aside(tone, [badge(findingWords[level], tone), text(' '), place], [paragraph(text(message)), ...todo]);
  });
  return part('What is damaged or missing', 'findings', told);
}

function runsInShort(runs: readonly ToldRun[]): readonly Block[] {
  if (runs.length < 2) return [];
  const rows = runs.map(({ run, number, anchor, places }): readonly Line[] => [
    [goto(`${number}. ${run.workflow.title}`, anchor)],
    [statusBadge(run.status)],
    [text(String(places.plan.tracks.length))],
    [text(String(run.gaps.filter(isOpen).length))],
    [time(run.lastAt)],
  ]);
  return part('Runs', 'runs', [
    { is: 'table', columns: ['Run', 'Status', 'Branches', 'Open gaps', 'Last work'], rows },
  ]);
}

/** What a reader has to know before trusting the rest: what is open, and what was decided without being asked. */
function openPoints(story: SessionStory, runs: readonly ToldRun[]): readonly Block[] {
  const several = runs.length > 1;
  const beside = story.checkpoints.flatMap(({ gaps }) => gaps).map((gap) => ({ gap, told: listGap(gap, undefined) }));
  const inRuns = runs.flatMap(({ run, number, places }) =>
    run.gaps.map((gap) => ({ gap, told: listGap(gap, gotoGap(places, gap.id, several ? number : undefined)) })),
  );
  const all = [...beside, ...inRuns];
  const open = all.filter(({ gap }) => isOpen(gap));
  const elsewhere = runs.flatMap(({ run, number, places }) => {
    const preferred = new Set(run.gaps.map(({ id }) => id));
    return [...places.gaps.values()]
      .filter((gap) => isOpen(gap) && !preferred.has(gap.id))
      .map((gap) => listGap(gap, gotoGap(places, gap.id, several ? number : undefined)));
  });
  const decided = all.filter(({ gap }) => !isOpen(gap) && gap.assumption !== undefined);
  return [
    ...part('Open gaps', 'open-gaps', listOf(open.map(({ told }) => told))),
    ...part('Open gaps on other branches', 'open-gaps-elsewhere', listOf(elsewhere)),
    ...part('Assumptions that were settled', 'assumptions', listOf(decided.map(({ told }) => told))),
  ];
}

function gotoGap({ ofGap }: RunPlaces, id: string, run: number | undefined): Inline | undefined {
  const place = ofGap.get(id);
  return place && goto(`${place.words}${run === undefined ? '' : ` of run ${run}`}`, place.anchor);
}

function besideRuns({ notes, checkpoints, runs, sharedStates = [] }: SessionStory): readonly Block[] {
  const none = new Map<string, never>();
  return [
    ...part('Session notes', 'notes', notes.map(tellNote)),
    ...part(
      'Recorded outside runs',
      'outside',
      checkpoints.map((checkpoint) => tellCheckpoint(checkpoint, none)),
    ),
    ...(runs.length + notes.length + checkpoints.length + sharedStates.length === 0
      ? [paragraph(quiet('Nothing recorded yet.'))]
      : []),
  ];
}
