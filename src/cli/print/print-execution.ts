import { modeNames, modes, type Preferences, preferenceNames } from '../../base/preferences.js';
import type { BranchTold, ExecutionAnswer, GapTold, RecapTold } from '../../contract/answer.js';
import { blockerSentence } from './blocker-sentence.js';
import { commandOfCall } from './command-of-call.js';
import { inOwnWords, optionAt } from './command-wording.js';
import type { Page } from './page.js';
import { printCall } from './print-call.js';
import { printListed, printStep } from './print-step.js';

/** The answer to start and continue, for a person: what happened, the step to do now, and the next command. */
export function printExecution(page: Page, answer: ExecutionAnswer): void {
  printHeadline(page, answer);
  if (answer.happened === 'started' || answer.happened.startsWith('looked')) printAbout(page, answer);
  if (answer.happened.startsWith('looked')) printDone(page, answer);
  printStanding(page, answer);
  page.gap();
  if (answer.pending === null) return printEnd(page, answer);
  printStep(page, answer.pending, answer.stepsDone + 1, answer.preferences);
  page.gap();
  printNext(page, answer);
}

function printHeadline(page: Page, answer: ExecutionAnswer): void {
  const { workflow, session, pending, stepsDone, recorded } = answer;
  const { style } = page;
  const where = pending === null ? 'the end of the run' : `step ${stepsDone + 1}, ${pending.title}`;
  switch (answer.happened) {
    case 'started':
      return page.say(`Started “${workflow.title}” (${workflow.id}) in session ${session.sessionId}.`, style.good);
    case 'advanced':
      page.say(recordedText(recorded), style.good);
      if (answer.preferencesChanged === true) page.say(`From here on: ${mannerText(answer.preferences)}.`);
      return;
    case 'forked':
      page.say(recordedText(recorded), style.good);
      page.say(
        `This is a fork: ${recorded?.step ?? 'the step'} had been done before, and the work went on from there:`,
      );
      printBranches(page, answer);
      if (answer.recap !== undefined) printRecap(page, 'What is known there', answer.recap, answer.stateToken);
      return;
    case 'blocked':
      return page.say(
        `Blocked at ${where}: only you can settle this. Nothing was completed; the tokens stay good.`,
        style.bad,
      );
    case 'looked_at_tip':
      page.say(`“${workflow.title}” (${workflow.id}), session ${session.sessionId}, is at ${where}.`, style.good);
      if (answer.preferredTip !== undefined)
        printTip(page, 'The newest work of this run stands on another branch: ', answer.preferredTip.stateToken);
      return;
    case 'looked_back':
      page.say(
        `Back at ${where} of “${workflow.title}”, session ${session.sessionId}. The work went on from here:`,
        style.good,
      );
      printBranches(page, answer);
      if (answer.preferredTip !== undefined)
        printTip(page, 'To go on where the work stands: ', answer.preferredTip.stateToken);
      if (pending !== null) page.say(`To redo ${pending.title} on a branch of its own, use the command at the end.`);
  }
}

function printTip(page: Page, lead: string, stateToken: string): void {
  page.say(lead.trimEnd());
  page.command('  ', ['workrail', 'continue', stateToken]);
}

function recordedText(recorded: ExecutionAnswer['recorded']): string {
  if (recorded === undefined) return 'Recorded.';
  const { step, notes, artifacts, context } = recorded;
  const what = [
    notes === undefined ? 'no notes' : `notes “${notes}”`,
    ...(artifacts > 0 ? [`${artifacts} artifact${artifacts === 1 ? '' : 's'}`] : []),
    ...(context.length > 0 ? [`context ${context.join(', ')}`] : []),
  ];
  return `Recorded for ${step}: ${what.join(', ')}.`;
}

/** The mode that comes nearest, and what is other than in it. */
export function mannerText(preferences: Preferences): string {
  const [mode, ...others] = modeNames.map((name) => ({
    name,
    other: preferenceNames.filter((field) => modes[name][field] !== preferences[field]),
  }));
  const nearest = others.reduce((best, next) => (next.other.length < best.other.length ? next : best), mode!);
  const differs = nearest.other.map((field) => `${field} ${preferences[field]}`);
  return `mode ${nearest.name}${differs.length === 0 ? '' : `, but ${differs.join(', ')}`}`;
}

function printBranches(page: Page, { branches = [], branchesOmitted, moreBranches }: ExecutionAnswer): void {
  for (const branch of branches) page.item(`- ${branch.name} `, branchText(branch));
  if (branchesOmitted === undefined) return;
  page.say(`- and ${branchesOmitted} more:`);
  printCall(page, '  ', moreBranches);
}

function branchText({ steps, path, pending, newest, preferred, stateToken }: BranchTold): string {
  const end = pending === null ? 'complete' : `at “${pending}”`;
  return `(${preferred ? 'where the work stands, ' : ''}${steps} step${steps === 1 ? '' : 's'} on): ${[...path, end].join(' → ')}, ${stateToken}${newest === undefined ? '' : `, newest “${newest}”`}`;
}

function printAbout(page: Page, { workflow, preferences, pending }: ExecutionAnswer): void {
  const { description = '', guidance = [], preconditions = [], clarify = [] } = workflow;
  if (description !== '') page.say(`Purpose: ${description}`);
  if (pending === null) return;
  page.say(`Preferences: ${mannerText(preferences)}.`);
  if (guidance.length + preconditions.length + clarify.length === 0) return;
  page.gap();
  if (guidance.length > 0) printListed(page, 'For the whole run', guidance);
  if (preconditions.length > 0) printListed(page, 'Make sure first', preconditions);
  if (clarify.length > 0) printListed(page, 'Settle first', clarify);
}

/** What was known and done on the way, for whoever comes back. */
function printDone(page: Page, { known, recap, documents = [], stateToken }: ExecutionAnswer): void {
  const whole = (name: string): readonly string[] => ['workrail', 'continue', stateToken, '--page', name];
  if (known !== undefined) {
    const lines = [...known.inputs.map((line) => `input ${line}`), ...known.context];
    if (lines.length > 0) {
      page.gap();
      page.say('Known', page.style.bold);
      for (const line of lines) page.item('- ', line);
    }
    if (known.text !== undefined) {
      page.gap();
      page.say('The record', page.style.bold);
      page.say(known.text);
      if (known.nextPage !== undefined) page.command('More: ', whole(known.nextPage));
    }
  }
  if (recap !== undefined) printRecap(page, 'Done so far', recap, stateToken);
  for (const { name, fold, size, page: shown, text, nextPage } of documents) {
    page.gap();
    page.say(
      `Document ${name} (${size} ${fold === 'header' ? 'fields' : fold === 'table' ? 'rows' : 'entries'})`,
      page.style.bold,
    );
    if (text !== undefined) page.say(text);
    if (text === undefined) page.command('Read it: ', whole(shown));
    else if (nextPage !== undefined) page.command('More: ', whole(nextPage));
  }
}

function printRecap(
  page: Page,
  lead: string,
  { entries, omitted, policy, olderPage }: RecapTold,
  stateToken: string,
): void {
  page.gap();
  page.say(lead, page.style.bold);
  if (omitted > 0) page.say(`- (${omitted} older left out; ${policy})`);
  for (const { title, kind, notes, artifacts, gaps, cut } of entries) {
    const about = [
      ...(kind === 'checkpoint' ? ['checkpoint'] : kind === 'late' ? ['came with a repeated ack'] : []),
      ...(artifacts === undefined ? [] : [`artifacts ${artifacts.join(', ')}`]),
      ...(gaps === undefined ? [] : [`gaps ${gaps.join(', ')}`]),
      ...(cut === undefined ? [] : ['cut']),
    ];
    page.item('- ', `${title}${about.length === 0 ? '' : ` (${about.join('; ')})`}: ${(notes ?? 'no notes').trim()}`);
  }
  if (olderPage !== undefined) page.command('Older: ', ['workrail', 'continue', stateToken, '--page', olderPage]);
}

/** What stands in the way or beside it. */
function printStanding(
  page: Page,
  { happened, blockers = [], blockersOmitted, warnings, gaps, gapsOmitted, pending }: ExecutionAnswer,
): void {
  if (blockers.length > 0 && happened !== 'blocked') page.say('The last try waits for you:', page.style.bad);
  for (const [index, blocker] of blockers.entries())
    page.item(`${index + 1}. `, `${optionAt(blocker.pointer)}: ${blockerSentence(blocker)}`);
  if (blockersOmitted !== undefined) page.say(`and ${blockersOmitted} more`);
  for (const { code, message } of warnings) {
    if (code === 'GAP_RECORDED' && gaps !== undefined) continue;
    page.say(
      code === 'STEP_SKIPPED' ? `S${message.slice(1)}.` : `Warning: ${inOwnWords(message)}.`,
      code === 'STEP_SKIPPED' ? page.style.dim : page.style.bad,
    );
  }
  if (pending !== null && gaps !== undefined && gaps.length > 0) printGaps(page, 'Gaps', gaps, gapsOmitted);
}

function printGaps(page: Page, lead: string, gaps: readonly GapTold[], omitted: number | undefined): void {
  page.say(lead, page.style.bold);
  for (const { id, severity, category, detail, assumption, resolves } of gaps) {
    page.item(
      '- ',
      `${id} (${severity}, ${category}${resolves === undefined ? '' : `, settles ${resolves}`}): ${detail}${assumption === undefined ? '' : `; assumed: ${assumption}`}`,
    );
  }
  if (omitted !== undefined) page.say(`- and ${omitted} more`);
}

/** The command that completes the step: what is to be filled in is refused when it is sent as it stands. */
function printNext(page: Page, { nextCall, kind, pending, recorded }: ExecutionAnswer): void {
  const words = nextCall === undefined ? undefined : commandOfCall(nextCall);
  if (words === undefined) return page.say('Nothing can be recorded here until that is mended: workrail doctor');
  if (kind === 'blocked') page.say('Once it is settled, send everything again with the same tokens:');
  page.command('Next: ', words);
  page.say(
    `--notes - reads them from stdin; --notes "…" and --notes @file work too.${pending?.expects.confirmation.required === true ? ' Add --confirmed once you agree.' : ''}`,
    page.style.dim,
  );
  if (recorded?.redo !== undefined) printCall(page, 'To redo the step before: ', recorded.redo);
}

function printEnd(page: Page, { workflow, status, gaps, gapsOmitted, session, stateToken }: ExecutionAnswer): void {
  page.say(
    `“${workflow.title}” is complete${status === 'complete_with_gaps' ? ', with critical gaps open' : ''}.`,
    status === 'complete_with_gaps' ? page.style.bad : page.style.good,
  );
  if (gaps !== undefined && gaps.length > 0) {
    printGaps(page, 'Open gaps', gaps, gapsOmitted);
    const [first] = gaps;
    const settled = {
      category: 'agent_disclosed',
      reason: 'settled',
      detail: '<fill in: how it ended>',
      severity: 'info',
      resolves: first?.id ?? '',
    };
    page.say('One is settled with');
    printCall(page, '  ', { tool: 'checkpoint_workflow', arguments: { stateToken, output: { gaps: [settled] } } });
  }
  page.command('Read it: ', ['workrail', 'show', session.sessionId]);
  page.command('Keep later work with it: ', ['workrail', 'checkpoint', stateToken, '--notes', '-']);
}
