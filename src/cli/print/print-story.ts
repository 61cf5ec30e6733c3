import { longestWords } from '../../contract/longest-words.js';
import { msBetween, tookWords } from '../../base/time-spent.js';
import { byteLength } from '../../base/byte-budget.js';
import { plural } from '../../base/plural.js';
import { usageWords } from '../../base/usage.js';
import type { CheckpointStory, GapStory, NodeStory, RunStory, SessionStory } from '../../contract/session-story.js';
import { requestWords } from '../../render/command-words.js';
import { answeredWords, refusedWords } from '../../render/blocker-text.js';
import { spokenLedger } from '../../render/spoken-ledger.js';
import { branchesOpen } from '../../base/branches-open.js';
import { isOpen } from '../../render/node-marks.js';
import { byteWords } from './byte-words.js';
import type { Page } from './page.js';
import { printable } from './printable.js';
import { printBranches } from './print-branches.js';
import { findingText, isReadOnly } from './print-findings.js';
import { printTree } from './print-tree.js';
import type { CliEnvironment } from './cli-environment.js';
import { ago } from './time-words.js';

const notesShown = 3;
const linesShown = 8;

interface Noted {
  readonly at: string;
  readonly where: string;
  readonly text: string;
  readonly nodeId?: string;
}

/** A session for whoever comes back to it: what it is, where it stands, what was said last, what is open, how to go on. */
export function printStory(page: Page, environment: CliEnvironment, story: SessionStory): void {
  const { style } = page;
  const { runs } = story;
  const when = whenFor(environment);
  const last = runs.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1))[0];
  printHead(page, story, when);
  for (const run of runs) {
    page.gap();
    page.say(
      `${run.workflow.id} ${run.workflow.version}, ${run.runId}, started ${when(run.startedAt)}${tookIn(run)}${run.status.startsWith('complete') ? `, complete${branchesOpen(run.openBranches)}` : ''}`,
      style.dim,
    );
    printSpent(page, run);
    printTree(run, environment, false);
    printStanding(page, run);
    printWaits(page, run, when);
  }
  printNotes(page, story.sessionId, notesOf(story, last), when);
  for (const run of runs) printBranches(page, story.sessionId, run, runs.length > 1);
  for (const run of runs) printGaps(page, run, runs.length > 1);
  for (const run of runs) printLedgers(page, run);
  for (const run of runs) printDocuments(page, run);
  printStates(page, story, when);
  printOnward(page, story, last);
}

export const whenFor =
  ({ stdoutIsTerminal, now }: CliEnvironment) =>
  (at: string): string =>
    stdoutIsTerminal ? ago(at, now()) : at;

/** From its start to its last work. */
function tookIn({ startedAt, lastAt, waited = 0 }: RunStory): string {
  const words = tookWords(msBetween(startedAt, lastAt), waited);
  return words === '' || startedAt === lastAt ? '' : `, took ${words}`;
}

/** Where the time went, and what the work used. */
function printSpent(page: Page, { longest, usage }: RunStory): void {
  if (longest !== undefined)
    page.item('longest step: ', `${longestWords(longest)} (${longest.nodeId})`, page.style.dim);
  if (usage !== undefined) page.item('used: ', usageWords(usage), page.style.dim);
}

/** What is known of the commands at which its branches stand, and why a run goes no further. */
function printStanding(page: Page, { nodes, tips }: RunStory): void {
  for (const { nodeId, pending, command, stopped } of nodes) {
    if (pending?.does === undefined || !tips.includes(nodeId)) continue;
    page.gap();
    page.say(pending.title, page.style.bold);
    if (command !== undefined) {
      if (command.request !== undefined) page.item('  request    ', requestWords(command.request));
      page.item('  outcome    ', command.says);
    }
    if (stopped !== undefined)
      page.item(stopped.status === 'failed' ? '  failed     ' : '  canceled   ', stopped.message, page.style.bad);
  }
}

/** What a blocked step waits for, and what people said to it. */
function printWaits(page: Page, { nodes, tips }: RunStory, when: (at: string) => string): void {
  for (const node of nodes) {
    const block = node.blocks.at(-1);
    if (block === undefined || node.pending === undefined || !tips.includes(node.nodeId)) continue;
    page.gap();
    page.say(
      `${block.command === true ? 'The user was asked' : 'Handed in'} at ${node.pending.title}, ${when(block.at)}`,
      page.style.bold,
    );
    if (node.status === 'blocked') for (const { message } of block.blockers) page.item('  waits for  ', message);
    printSaid(page, block, when);
  }
}

/** What people said to what was handed in. */
export function printSaid(
  page: Page,
  { refused, answers }: NodeStory['blocks'][number],
  when: (at: string) => string,
): void {
  if (refused !== undefined) page.item('  ', refusedWords(refused), page.style.bad);
  for (const answer of answers) page.item('  ', answeredWords(answer, when(answer.at)));
}

function printHead(page: Page, story: SessionStory, when: (at: string) => string): void {
  const { style } = page;
  const {
    sessionId,
    key,
    about: head,
    tags,
    keep,
    place,
    startedAt,
    lastAt,
    eventCount,
    observations,
    findings,
    usage,
    runs,
  } = story;
  for (const finding of findings) page.say(findingText(finding), style.bad);
  if (isReadOnly(findings))
    page.say(`The session is read-only until this is fixed: ${page.inline(['doctor'])}`, style.bad);
  if (findings.length > 0) page.gap();
  page.say(head, style.bold);
  const branch = observations.findLast((seen) => seen.branch !== undefined)?.branch;
  const repository = observations.findLast((seen) => seen.repository !== undefined)?.repository;
  const facts = [
    sessionId === head ? undefined : sessionId,
    key !== undefined && key !== sessionId && key !== head ? `key ${key}` : undefined,
    place === 'user' ? 'private' : undefined,
    repository === undefined ? undefined : `${repository}${branch === undefined ? '' : ` on ${branch}`}`,
    keep ? 'never pruned' : undefined,
    tags.length > 0 ? tags.map((tag) => `#${tag}`).join(' ') : undefined,
  ];
  const said = facts.filter((fact) => fact !== undefined);
  if (said.length > 0) page.say(said.join(' · '));
  if (startedAt !== '')
    page.say(
      `started ${when(startedAt)}, last active ${when(lastAt)}, ${plural(eventCount, 'event', 'events')}`,
      style.dim,
    );
  // Of one run it is told with the run.
  if (usage !== undefined && runs.length !== 1) page.item('used in all: ', usageWords(usage), style.dim);
}

/** What was noted on the way to where the work stands, and beside it: the newest last. */
function notesOf({ notes, checkpoints }: SessionStory, run: RunStory | undefined): readonly Noted[] {
  const onPath = (run?.nodes ?? []).filter(({ onPreferredPath }) => onPreferredPath);
  return [
    ...notes.map(({ at, text }) => ({ at, where: 'note on the session', text })),
    ...checkpoints.flatMap((checkpoint) => outputNoted(checkpoint, { where: 'checkpoint of the session' })),
    ...onPath.flatMap(notedAt),
  ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const outputNoted = (
  { at, output }: Pick<CheckpointStory, 'at' | 'output'>,
  place: Omit<Noted, 'at' | 'text'>,
): readonly Noted[] => (output.notes === undefined ? [] : [{ at, text: output.notes, ...place }]);

function notedAt({ cameBy, checkpoints, notes, pending, nodeId, parent }: NodeStory): readonly Noted[] {
  const here = pending?.title ?? 'the end';
  return [
    ...outputNoted(cameBy, { where: `“${cameBy.step?.title ?? 'the start'}” done`, nodeId: parent ?? nodeId }),
    ...checkpoints.flatMap((checkpoint) => outputNoted(checkpoint, { where: `checkpoint at “${here}”`, nodeId })),
    ...notes.map(({ at, text }) => ({ at, where: `note at “${here}”`, text, nodeId })),
  ];
}

function printNotes(page: Page, sessionId: string, noted: readonly Noted[], when: (at: string) => string): void {
  if (noted.length === 0) return;
  page.gap();
  const shown = noted.slice(-notesShown);
  page.say(`Last notes${noted.length > shown.length ? ` (${shown.length} of ${noted.length})` : ''}`, page.style.bold);
  for (const { at, where, text, nodeId } of shown) {
    page.say(`  ${where}, ${when(at)}`, page.style.dim);
    const lines = text.trim().split('\n');
    page.say(indented(lines.slice(0, linesShown).join('\n'), 4));
    if (lines.length > linesShown)
      page.say(
        `    … ${lines.length - linesShown} more lines${nodeId === undefined ? '' : `: ${page.inline(['show', sessionId, '--node', nodeId])}`}`,
        page.style.dim,
      );
  }
}

export const indented = (text: string, by: number): string =>
  text
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line}`)
    .join('\n');

function printGaps(page: Page, { gaps, workflow }: RunStory, several: boolean): void {
  const open = gaps.filter(isOpen);
  if (open.length === 0) return;
  page.gap();
  page.say(`Open gaps${several ? ` of ${workflow.title}` : ''} (${open.length})`, page.style.bold);
  for (const gap of open)
    page.item(
      gap.severity === 'critical' ? '  ▲ critical: ' : '  ▲ ',
      gapText(gap),
      gap.severity === 'critical' ? page.style.bad : undefined,
    );
}

export function gapText({ id, reason, detail, assumption, path, resolves, settled }: GapStory): string {
  const assumed = assumption === undefined ? '' : `; assumed: ${assumption}`;
  const ended = settled === undefined ? '' : `; settled by the ${settled.who}: ${settled.how}`;
  return `${reason}: ${detail}${assumed}${ended} (${resolves === undefined ? id : `settles ${resolves}`}${path === '' ? '' : `, at ${path}`})`;
}

/** All rounds: whoever comes back wants to know which are left. */
function printLedgers(page: Page, { ledgers }: RunStory): void {
  for (const { head, lines } of ledgers.map(spokenLedger)) {
    page.gap();
    page.say(head, page.style.bold);
    for (const line of lines) page.say(`  ${line}`);
  }
}

function printDocuments(page: Page, { documents }: RunStory): void {
  if (documents.length === 0) return;
  page.gap();
  page.say('Documents', page.style.bold);
  for (const { name, fold, header, rows, entries, leftOut } of documents) {
    const held =
      header !== undefined
        ? plural(Object.keys(header).length, 'field')
        : rows !== undefined
          ? plural(rows.length, 'row')
          : plural(entries?.length ?? 0, 'entry', 'entries');
    const size = byteWords(byteLength(JSON.stringify(header ?? rows ?? entries ?? {})));
    page.item('  ', `${name}: ${fold}, ${held}, ${size}${leftOut > 0 ? `, ${leftOut} more left out` : ''}`);
  }
}

function printStates(page: Page, { sharedStates: states = [] }: SessionStory, when: (at: string) => string): void {
  if (states.length === 0) return;
  page.gap();
  page.say(states.length === 1 ? 'Shared state' : 'Shared states', page.style.bold);
  for (const { id, schema, version, at, bytes, closed, conflicts } of states) {
    const unsettled = conflicts.length === 0 ? '' : `, ${plural(conflicts.length, 'change')} to settle`;
    const over = closed === undefined ? '' : ', closed';
    page.item('  ', `${id}: ${schema}, version ${version}, ${when(at)}, ${byteWords(bytes)}${over}${unsettled}`);
  }
}

const tipOf = ({ nodes, preferredTip }: RunStory): NodeStory | undefined =>
  nodes.find(({ nodeId }) => nodeId === preferredTip);

function printOnward(
  page: Page,
  { sessionId, findings, sharedStates: states = [] }: SessionStory,
  run: RunStory | undefined,
): void {
  page.gap();
  page.say('Continue', page.style.bold);
  if (isReadOnly(findings)) page.command('  find the problem:    ', ['doctor', sessionId]);
  else if (run?.status === 'blocked' && tipOf(run)?.command !== undefined)
    page.command('  answer it:           ', ['answer', sessionId]);
  else if (run !== undefined && (run.status === 'running' || run.status === 'failed' || run.status === 'canceled'))
    page.command('  one step in full:    ', ['show', sessionId, '--node', run.preferredTip]);
  else if (run === undefined || run.status.startsWith('complete'))
    page.command('  start a workflow:    ', ['start', '<workflow>', '--session', sessionId]);
  else {
    page.say(`  tell an agent:       resume ${printable(sessionId)}`);
    page.command('  or do the step:      ', ['continue', '--session', sessionId]);
  }
  page.command('  see what happened:   ', ['log', sessionId]);
  page.command('  one step in full:    ', ['show', sessionId, '--node', '<id>']);
  const [state] = states;
  if (state !== undefined) page.command('  the shared state:    ', ['state', 'show', state.id]);
  page.command('  a full report:       ', ['render', sessionId]);
}
