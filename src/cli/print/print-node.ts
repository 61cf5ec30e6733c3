import type { JsonObject } from '../../base/json-value.js';
import type { NodeShown } from '../../contract/node-shown.js';
import type { CheckpointStory, EdgeStory, GapStory, NodeStory, OutputStory } from '../../contract/session-story.js';
import { own } from '../../base/own.js';
import { spokenMode, spokenPreference } from '../../base/mode-words.js';
import { preferenceNames } from '../../base/preferences.js';
import { msBetween, tookWords } from '../../base/time-spent.js';
import { usageWords } from '../../base/usage.js';
import { sourceWords } from '../../render/command-words.js';
import type { Page } from './page.js';
import { printCommand } from './print-command.js';
import { gapText, indented, printSaid } from './print-story.js';

/** One step with all that was handed back for it, however often it was done. */
export function printNode(page: Page, shown: NodeShown, when: (at: string) => string): void {
  const { style } = page;
  const { node, parent, children } = shown;
  const { pending, cameBy, checkpoints, notes, blocks, preferences, whole, usage } = node;
  printHead(page, shown, when);
  if (usage !== undefined && usage.reports > 1) page.item('used in all: ', usageWords(usage), style.dim);
  if (!whole) page.say('Earlier steps are missing on disk, so what it inherits is unknown.', style.bad);
  // What belongs to the way into the run, or out of its last step, would otherwise be told nowhere.
  if (parent === undefined || pending === undefined) printEdge(page, cameBy);
  else if (children.length === 0)
    part(page, `Handed in before, for “${cameBy.step?.title ?? ''}”`, () => printEdge(page, cameBy));
  else printSkipped(page, cameBy);
  for (const checkpoint of checkpoints) printCheckpoint(page, checkpoint, when);
  for (const { at, text } of notes) part(page, `Note, ${when(at)}`, () => page.say(indented(text.trim(), 2)));
  printCommand(page, node, when);
  for (const block of blocks) {
    const { at, blockers, output, context, gaps, command } = block;
    part(page, `${command === true ? 'The user was asked' : 'Blocked'}, ${when(at)}`, () => {
      for (const { code, message, fix } of blockers)
        page.item('  - ', command === true ? message : `${message}; ${fix} (${code})`);
      printSaid(page, block, when);
      page.say(command === true ? '  shown to them' : '  sent with it', page.style.dim);
      printOutput(page, output);
      printContext(page, 'context', context);
      printGapList(page, gaps);
    });
  }
  for (const child of children) printDone(page, shown, child, when);
  const { label, says } = spokenMode(preferences);
  part(page, `Mode here: ${label}`, () => {
    page.item('  ', says);
    for (const name of preferenceNames) {
      const one = spokenPreference(name, preferences[name]);
      page.item(`  ${one.label}: `, one.says, style.dim);
    }
    for (const change of node.preferenceChanges) page.item('  - ', `${change.says}, ${when(change.at)}`);
  });
}

/** Which step it is, and where it stands. */
function printHead(
  page: Page,
  { sessionId, run, node, parent, branches = {} }: NodeShown,
  when: (at: string) => string,
): void {
  const { style } = page;
  const { nodeId, pending, depth, cameBy, isPreferredTip } = node;
  const branch = own(branches, nodeId);
  page.say(pending === undefined ? 'The end of the run' : pending.title, style.bold);
  page.say(
    [
      nodeId,
      pending?.path,
      pending === undefined ? `${depth} steps of ${run.workflow.title}` : `step ${depth + 1} of ${run.workflow.title}`,
      sessionId,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
  );
  page.say(
    `${stands(node)}${branch === undefined ? '' : `, on branch ${branch}`}${isPreferredTip ? ', the preferred tip' : ''}; ${cameBy.step === undefined ? 'the run started' : `came from “${cameBy.step.title}” (${parent?.nodeId ?? 'missing'})`} ${when(cameBy.at)}`,
    style.dim,
  );
}

/** One time that the step was done. */
function printDone(
  page: Page,
  { node, children, branches = {} }: NodeShown,
  { nodeId, cameBy, pending, onPreferredPath }: NodeStory,
  when: (at: string) => string,
): void {
  const words = tookWords(msBetween(node.cameBy.at, cameBy.at), node.waited ?? 0);
  const took = words === '' ? '' : `after ${words}, `;
  const branch = `branch ${own(branches, nodeId) ?? '?'}${onPreferredPath ? ', preferred' : ''}`;
  const by = cameBy.command === undefined ? '' : `, ${sourceWords(cameBy.command)}`;
  const head = `Done ${when(cameBy.at)}${by}${cameBy.confirmed ? ', confirmed' : ''}${children.length > 1 ? ` (${branch})` : ''}`;
  part(page, `${head}, ${took}on to ${pending === undefined ? 'the end' : `“${pending.title}”`} (${nodeId})`, () =>
    printEdge(page, cameBy),
  );
}

function stands({ status, children, pending }: NodeStory): string {
  if (pending === undefined) return status === 'complete_with_gaps' ? 'complete, with critical gaps' : status;
  if (children.length > 0) return children.length === 1 ? 'done' : `done ${children.length} times`;
  return status === 'in_progress' ? 'awaited' : status;
}

function part(page: Page, head: string, print: () => void): void {
  page.gap();
  page.say(head, page.style.bold);
  print();
}

function printContext(page: Page, head: string, context: JsonObject): void {
  listed(
    page,
    head,
    Object.entries(context).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
  );
}

function printEdge(
  page: Page,
  { output, usage, context, added = {}, gaps, warnings, skipped, changedSinceDraft = [] }: EdgeStory,
): void {
  listed(page, 'changed after it had waited for the user', changedSinceDraft);
  printOutput(page, output);
  printUsage(page, usage);
  printContext(page, 'set in context', context);
  printContext(page, 'added to lists', added);
  printGapList(page, gaps);
  listed(
    page,
    'warnings',
    warnings.map(({ message, path }) => (path === undefined ? message : `${message} (${path})`)),
  );
  printSkipped(page, { skipped });
}

const printSkipped = (page: Page, { skipped }: Pick<EdgeStory, 'skipped'>): void =>
  listed(
    page,
    'skipped',
    skipped.map(({ title, path, reason }) => `${title} (${path}): ${reason}`),
  );

function printCheckpoint(
  page: Page,
  { at, output, usage, gaps, late, event }: CheckpointStory,
  when: (at: string) => string,
): void {
  part(page, `${late ? 'Arrived late' : 'Checkpoint'}, ${when(at)} (${event})`, () => {
    printOutput(page, output);
    printUsage(page, usage);
    printGapList(page, gaps);
  });
}

function printUsage(page: Page, usage: EdgeStory['usage']): void {
  if (usage !== undefined) page.item('  used: ', usageWords(usage), page.style.dim);
}

function printOutput(page: Page, { notes, artifacts }: OutputStory): void {
  if (notes !== undefined) page.say(indented(notes.trim(), 2));
  for (const artifact of artifacts) printArtifact(page, artifact);
}

function printArtifact(page: Page, artifact: JsonObject): void {
  page.say(`  artifact ${typeof artifact['kind'] === 'string' ? artifact['kind'] : ''}`, page.style.dim);
  page.say(indented(JSON.stringify(artifact, undefined, 2), 4));
}

const printGapList = (page: Page, gaps: readonly GapStory[]): void =>
  listed(
    page,
    'gaps',
    gaps.map((gap) => `${gap.severity}${gap.resolved ? ', settled since' : ''}: ${gapText(gap)}`),
  );

function listed(page: Page, head: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  page.say(`  ${head}`, page.style.dim);
  for (const line of lines) page.item('    - ', line);
}
