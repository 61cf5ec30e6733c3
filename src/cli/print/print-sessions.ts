import { agentWords } from '../../base/agent-name.js';
import { branchesOpen } from '../../base/branches-open.js';
import { plural } from '../../base/plural.js';
import { tookWords } from '../../base/time-spent.js';
import { usageBrief } from '../../base/usage.js';
import { longestWords } from '../../contract/longest-words.js';
import { withoutJson } from '../../contract/plain-words.js';
import type { SessionHit, SessionList, SessionListed } from '../../contract/session-list.js';
import { cutToColumns, displayWidth } from './display-width.js';
import type { Page } from './page.js';
import { printable } from './printable.js';
import type { CliEnvironment } from './cli-environment.js';
import { ago, dayWords, localTime } from './time-words.js';

const between = '  ·  ';

export interface ListedHow {
  /** Under its day. */
  readonly byDay: boolean;
  /** With its longest step. */
  readonly byTook: boolean;
}

/** On a terminal two or three lines a session, under its day where they stand by time; anywhere else one line of columns, to be cut up. */
export function printSessions(
  list: SessionList,
  environment: CliEnvironment,
  page: Page,
  { byDay, byTook }: ListedHow,
): void {
  const { out, stdoutIsTerminal, style, now, env } = environment;
  let day: string | undefined;
  if (!stdoutIsTerminal && list.sessions.length > 0) out(columns.map(([name]) => name).join('\t'));
  list.sessions.forEach((session, index) => {
    if (!stdoutIsTerminal) {
      out(columns.map(([, value]) => printable(value(session))).join('\t'));
      return;
    }
    if (index > 0) out('');
    const itsDay = byDay ? dayWords(session.lastAt, now(), env['TZ']) : undefined;
    if (itsDay !== undefined && itsDay !== day) out(style.dim(itsDay));
    day = itsDay;
    for (const line of card(session, environment, byTook)) out(line);
    if (session.trouble !== undefined) page.command('  ', ['doctor', session.sessionId]);
  });
  for (const { sessionId, folder, message } of list.unreadable)
    page.say(`${sessionId ?? 'Something'} in ${folder} could not be read: ${message}`, page.style.bad);
}

/** Never changed but at the end: scripts count them. */
const columns: readonly (readonly [string, (session: SessionListed) => string])[] = [
  ['session', ({ sessionId }) => sessionId],
  ['last', ({ lastAt }) => lastAt],
  ['status', ({ run }) => run?.status ?? 'notes'],
  ['workflow', ({ run }) => run?.workflowId ?? ''],
  ['pending', ({ run }) => run?.pending ?? ''],
  ['branch', ({ branch }) => branch ?? ''],
  ['branches', ({ branches }) => String(branches)],
  ['gaps', ({ openGaps }) => String(openGaps)],
  ['place', ({ place }) => place],
  ['keep', ({ keep }) => (keep ? 'keep' : '')],
  ['trouble', ({ trouble }) => trouble ?? ''],
  ['title', ({ about }) => about],
  [
    'hit',
    ({ hits = [] }) =>
      hits
        .slice(0, 1)
        .map((hit) => hitTold(hit))
        .join(''),
  ],
  ['tookMs', ({ took }) => (took === undefined ? '' : String(took))],
  ['waitedMs', ({ waited = 0 }) => String(waited)],
  ['askedBy', ({ askedBy }) => (askedBy === undefined ? '' : agentWords(askedBy))],
  ['costUsd', ({ usage }) => (usage?.costUsd === undefined ? '' : String(usage.costUsd))],
  ['trash', ({ goesAt }) => goesAt ?? ''],
  ['longestStep', ({ longest }) => longest?.title ?? ''],
  ['longestStepMs', ({ longest }) => (longest === undefined ? '' : String(longest.took))],
  ['longestStepNode', ({ longest }) => longest?.nodeId ?? ''],
];

function card(
  session: SessionListed,
  { style, columns: width, now, env }: CliEnvironment,
  byTook: boolean,
): readonly string[] {
  const when = ago(session.lastAt, now());
  const room = width - displayWidth(when) - 2;
  const title = cutToColumns(printable(session.about), room);
  const first = `${style.bold(title)}${' '.repeat(Math.max(2, width - displayWidth(title) - displayWidth(when)))}${style.dim(when)}`;
  const paint =
    session.run?.status === 'blocked'
      ? style.bad
      : session.run?.status.startsWith('complete') === true
        ? style.good
        : (text: string): string => text;
  const [id, stands, facts] = [printable(session.sessionId), printable(standsAt(session)), factsOf(session)];
  const goes = goesWords(session, now(), env['TZ']);
  return [
    first,
    ...(displayWidth(id) + displayWidth(stands) + 4 <= width
      ? [`  ${id}  ${paint(stands)}`]
      : [`  ${cutToColumns(id, width - 2)}`, `  ${paint(cutToColumns(stands, width - 2))}`]),
    ...(facts.length > 0 ? [`  ${style.dim(cutToColumns(printable(facts.join(between)), width - 2))}`] : []),
    ...(!byTook || session.longest === undefined
      ? []
      : [`  ${style.dim(cutToColumns(printable(longestTold(session.longest)), width - 2))}`]),
    ...(session.hits ?? []).map(
      (hit) => `  ${style.dim(cutToColumns(printable(hitTold(hit, whereShown)), width - 2))}`,
    ),
    ...(goes === undefined ? [] : [`  ${style.dim(cutToColumns(goes, width - 2))}`]),
    ...(session.trouble === undefined ? [] : [`  ${style.bad(cutToColumns(troubles[session.trouble], width - 2))}`]),
  ];
}

/** The step, the letters that name it for `workrail show --node`, and the words around what was found. */
const hitTold = ({ where, nodeId, quote }: SessionHit, room = Infinity): string =>
  `${cutToColumns(where, room)}${nodeId === undefined ? '' : ` [${shortNode(nodeId)}]`}: ${withoutJson(quote)}`;

const longestTold = (longest: NonNullable<SessionListed['longest']>): string =>
  `longest step [${shortNode(longest.nodeId)}]: ${longestWords(longest)}`;

const nodeLetters = 8;
const shortNode = (nodeId: string): string => nodeId.slice(2, 2 + nodeLetters);
const whereShown = 32;

const troubles: { readonly [trouble in NonNullable<SessionListed['trouble']>]: string } = {
  damage: 'damaged, read-only',
  newer: 'written by a newer WorkRail, read-only',
  incomplete: 'incomplete',
};

/** What retention is about to take is named before it goes. */
function goesWords({ goesAt }: SessionListed, now: Date, timeZone: string | undefined): string | undefined {
  if (goesAt === undefined) return undefined;
  const when = Date.parse(goesAt) <= now.getTime() ? 'soon' : `on ${localTime(goesAt, timeZone).slice(0, 10)}`;
  return `goes to the trash ${when}, unless somebody opens it; see workrail retention`;
}

/** The workflow and where in it the work is; of several runs, which one. */
function standsAt({ run: last, runs }: SessionListed): string {
  if (last === undefined) return 'notes only';
  const which = runs > 1 ? ` (run ${last.number} of ${runs})` : '';
  const run = { ...last, workflowTitle: `${last.workflowTitle}${which}` };
  switch (run.status) {
    case 'in_progress':
      return `${run.workflowTitle}, at “${run.pending ?? '?'}”`;
    case 'blocked':
      return `${run.workflowTitle}, blocked at “${run.pending ?? '?'}”`;
    case 'running':
    case 'failed':
    case 'canceled':
      return `${run.workflowTitle}, ${run.status}${run.pending === null ? '' : ` at “${run.pending}”`}`;
    case 'complete':
      return `${run.workflowTitle}, complete${branchesOpen(run.openBranches)}`;
    case 'complete_with_gaps':
      return `${run.workflowTitle}, complete with critical gaps${branchesOpen(run.openBranches)}`;
  }
}

/** A session shorter than this, in milliseconds, took no time worth telling. */
const shortly = 1000;

function factsOf({
  branch,
  repository,
  branches,
  runs,
  openGaps,
  tags,
  keep,
  place,
  why,
  took = 0,
  waited = 0,
  usage,
  askedBy,
}: SessionListed): readonly string[] {
  return [
    askedBy === undefined ? undefined : `asked by ${agentWords(askedBy)}`,
    place === 'user' ? `private${repository === undefined ? '' : `, ${repository}`}` : undefined,
    branch === undefined ? undefined : `on ${branch}`,
    branches > Math.max(1, runs) ? `${branches} branches` : undefined,
    took < shortly ? undefined : `took ${tookWords(took, waited)}`,
    usage && usageBrief(usage),
    openGaps > 0 ? plural(openGaps, 'open gap', 'open gaps') : undefined,
    keep ? 'kept' : undefined,
    tags.length > 0 ? tags.map((tag) => `#${tag}`).join(' ') : undefined,
    why,
  ].filter((fact) => fact !== undefined);
}
