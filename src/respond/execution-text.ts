import { hole, isHole } from '../base/hole.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { NextCall } from '../base/rejection.js';
import type { BranchTold, ExecutionAnswer, GapTold, RecapTold, WarningTold } from '../contract/answer.js';
import { blockerText } from './blocker-text.js';
import { callText } from './call-text.js';
import { notesHole } from './notes-hole.js';
import { stepText } from './step-text.js';

/** What an agent reads: what happened, the step to do now, and the backbone in a fenced block at the end. `keeps` says that checkpoints are offered. */
export function executionText(answer: ExecutionAnswer, keeps: boolean): string {
  const parts = [...headline(answer, keeps), ...standing(answer)];
  if (answer.pending !== null) {
    parts.push(stepText(answer.pending, answer.stepsDone + 1, answer.preferences));
    parts.push(closing(answer));
  } else parts.push(...ending(answer, keeps));
  parts.push(`\`\`\`json\n${JSON.stringify(backbone(answer))}\n\`\`\``);
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The lean part of an answer that calls are made of. */
function backbone(answer: ExecutionAnswer): JsonObject {
  const { kind, stateToken, ackToken, pending, isComplete, session, preferences, warnings, nextCall } = answer;
  return {
    kind,
    stateToken,
    ...(ackToken !== undefined && { ackToken }),
    pending:
      pending === null
        ? null
        : {
            stepId: pending.stepId,
            path: pending.path,
            title: pending.title,
            requireConfirmation: pending.requireConfirmation,
          },
    isComplete,
    session,
    preferences,
    warnings: [...new Set(warnings.map(({ code }) => code))],
    ...(nextCall !== undefined && { nextCall: leanCall(nextCall) }),
  };
}

/** The call with a bare hole for each thing: what goes into it stands in the text already. */
function leanCall({ tool, arguments: args }: NextCall): JsonObject {
  return { tool, arguments: Object.fromEntries(Object.entries(args).map(([field, value]) => [field, bare(value)])) };
}

function bare(value: JsonValue): JsonValue {
  if (isHole(value)) return hole();
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([field, inner]) => [field, Array.isArray(inner) ? inner : bare(inner)]),
      )
    : value;
}

function headline(answer: ExecutionAnswer, keeps: boolean): readonly string[] {
  const { workflow, session, recorded, pending, stepsDone } = answer;
  const where = pending === null ? 'the end of the run' : `step ${stepsDone + 1}, ${pending.title}`;
  switch (answer.happened) {
    case 'started':
      return [`Started “${workflow.title}” (${workflow.id}) in session ${session.sessionId}.`, about(answer, keeps)];
    case 'advanced':
      return [
        recordedText(recorded),
        answer.preferencesChanged === true && answer.pending !== null ? manner(answer, keeps).join('\n') : '',
      ];
    case 'forked':
      return [
        recordedText(recorded),
        `This is a fork: ${recorded?.step ?? 'the step'} had been done before. The work already went on from there:\n${branchLines(answer)}${newestOf(answer)}`,
      ];
    case 'blocked':
      return [`Blocked at ${where}: only the user can settle this. Nothing was completed, the tokens stay good.`];
    case 'looked_at_tip':
      return [
        `“${workflow.title}” (${workflow.id}), session ${session.sessionId}: you are at ${where}.`,
        about(answer, keeps),
        elsewhere(answer),
        knownText(answer),
        recapText(answer),
        documentsText(answer),
      ];
    case 'looked_back':
      return [
        `You are back at ${where} of “${workflow.title}”, session ${session.sessionId}. The work went on from here:\n${branchLines(answer)}`,
        redoOrGoOn(answer),
        about(answer, keeps),
        knownText(answer),
        recapText(answer),
        documentsText(answer),
      ];
  }
}

/** What the workflow asks for as a whole, and how the mode wants it done. At the end of a run only what it was for. */
function about(answer: ExecutionAnswer, keeps: boolean): string {
  const { workflow, preferences, pending } = answer;
  const purpose =
    workflow.description === undefined || workflow.description === '' ? '' : `Purpose: ${workflow.description}`;
  if (pending === null) return purpose;
  const settle =
    preferences.autonomy === 'guided'
      ? 'Settle first with the user'
      : 'Settle first, yourself, by looking and by explicit assumptions';
  return [
    purpose,
    listed('For the whole run', workflow.guidance),
    listed('Make sure first', workflow.preconditions),
    listed(settle, workflow.clarify),
    ...manner(answer, keeps),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** How the preferences want things done: told at the start, on looking again, and when they change. */
function manner({ preferences }: ExecutionAnswer, keeps: boolean): readonly string[] {
  const alone = preferences.autonomy !== 'guided';
  const worth = keeps ? ' Much work between steps is worth a checkpoint_workflow.' : '';
  const stops =
    preferences.autonomy === 'full_auto_stop_on_user_deps'
      ? ' What only the user can give or agree to still waits for them.'
      : '';
  const roles = alone
    ? [
        `You play both roles in this mode: answer the questions meant for the user by looking and by explicit assumptions, and disclose those in output.gaps.${stops}${worth}`,
      ]
    : [];
  if (preferences.assumptionPolicy === 'ask_when_missing')
    return [...roles, 'When something is missing, ask the user.'];
  return alone ? roles : ['When something is missing, assume, go on, and disclose it in output.gaps.'];
}

function listed(lead: string, lines: readonly string[] | undefined): string {
  if (lines === undefined || lines.length === 0) return '';
  return lines.length === 1 ? `${lead}: ${lines[0]}` : `${lead}:\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function recordedText(recorded: ExecutionAnswer['recorded']): string {
  if (recorded === undefined) return '';
  const { notes, artifacts, context, redo } = recorded;
  const what = [
    notes === undefined ? 'no notes' : `notes “${notes}”`,
    ...(artifacts > 0 ? [`${artifacts} artifact${artifacts === 1 ? '' : 's'}`] : []),
    ...(context.length > 0 ? [`context ${context.join(', ')}`] : []),
  ];
  const again = redo === undefined ? '' : `\nRedid it differently? ${callText(redo)} gives an attempt that forks.`;
  return `Recorded for ${recorded.step}: ${what.join(', ')}.${again}`;
}

function branchLines({ branches, branchesOmitted, moreBranches }: ExecutionAnswer): string {
  const lines = (branches ?? []).map(branchLine);
  if (branchesOmitted !== undefined && moreBranches !== undefined)
    lines.push(`- and ${branchesOmitted} more branch${branchesOmitted === 1 ? '' : 'es'}: ${callText(moreBranches)}`);
  return lines.join('\n');
}

function branchLine({ name, steps, path, pending, newest, preferred, stateToken }: BranchTold): string {
  const end = pending === null ? 'complete' : `pending “${pending}”`;
  const said = newest === undefined ? '' : ` Newest: “${newest}”`;
  return `- branch ${name} (${preferred ? 'where the work stands, ' : ''}${steps} step${steps === 1 ? '' : 's'} on): ${[...path, end].join(' → ')}, ${stateToken}.${said}`;
}

/** After a fork: what was known on the branch that was left, since a rewound chat has lost it. */
function newestOf({ recap, preferredTip }: ExecutionAnswer): string {
  const back =
    preferredTip === undefined
      ? ''
      : `\nTo go on there instead: ${callText({ tool: 'continue_workflow', arguments: { stateToken: preferredTip.stateToken } })}`;
  return recap === undefined
    ? back
    : `${back}\n\nKnown from there, which this chat may have lost:\n${recapLines(recap, undefined)}`;
}

function redoOrGoOn({ preferredTip, pending, ackToken }: ExecutionAnswer): string {
  const onward =
    preferredTip === undefined
      ? ''
      : `To go on where the work stands: ${callText({ tool: 'continue_workflow', arguments: { stateToken: preferredTip.stateToken } })}\n`;
  return `${onward}${pending === null || ackToken === undefined ? '' : `To redo ${pending.title} on a new branch, do the step below and use the ackToken given here.`}`;
}

/** At a tip that is not the one where the work stands. */
function elsewhere({ preferredTip }: ExecutionAnswer): string {
  if (preferredTip === undefined) return '';
  return `The newest work of this run stands on another branch: ${callText({ tool: 'continue_workflow', arguments: { stateToken: preferredTip.stateToken } })}`;
}

function recapText({ recap, stateToken }: ExecutionAnswer): string {
  return recap === undefined ? '' : `Done so far\n${recapLines(recap, stateToken)}`;
}

function knownText({ known, stateToken }: ExecutionAnswer): string {
  if (known === undefined) return '';
  const call = (page: string): string => callText({ tool: 'continue_workflow', arguments: { stateToken, page } });
  const lines = [listed('Inputs', known.inputs), listed('Context', known.context)].filter((line) => line !== '');
  if (known.text === undefined)
    return [...lines, `All of it, with every output and artifact: ${call(known.page)}`].join('\n');
  return [
    ...lines,
    'The record',
    known.text,
    ...(known.nextPage === undefined ? [] : [`… more: ${call(known.nextPage)}`]),
  ].join('\n');
}

function documentsText({ documents, stateToken }: ExecutionAnswer): string {
  return (documents ?? [])
    .map(({ name, size, fold, page, text, nextPage }) => {
      const of = fold === 'header' ? 'fields' : fold === 'table' ? 'rows' : 'entries';
      const call = (to: string): string => callText({ tool: 'continue_workflow', arguments: { stateToken, page: to } });
      if (text === undefined) return `Document ${name} (${size} ${of}): ${call(page)}`;
      return `Document ${name} (${size} ${of})\n${text}${nextPage === undefined ? '' : `\n… more: ${call(nextPage)}`}`;
    })
    .join('\n');
}

function recapLines(recap: RecapTold, stateToken: string | undefined): string {
  const more =
    recap.olderPage !== undefined && stateToken !== undefined
      ? `: ${callText({ tool: 'continue_workflow', arguments: { stateToken, page: recap.olderPage } })}`
      : '';
  const rest = recap.entries.some(({ cut }) => (cut?.after ?? 0) > 0) ? ', and the rest of the next one' : '';
  const left =
    recap.omitted > 0 || recap.olderPage !== undefined
      ? [`- (${recap.omitted} older left out${rest}; ${recap.policy}${more})`]
      : [];
  const lines = recap.entries.map(({ title, kind, notes, artifacts, gaps, cut }) => {
    const about = [
      ...(kind === 'checkpoint' ? ['checkpoint'] : kind === 'late' ? ['came with a repeated ack'] : []),
      ...(artifacts === undefined ? [] : [`artifacts ${artifacts.join(', ')}`]),
      ...(gaps === undefined ? [] : [`gaps ${gaps.join(', ')}`]),
      ...(cut === undefined
        ? []
        : [
            `${cut.before > 0 ? 'continued' : 'begins here'}${cut.after > 0 ? `, ${cut.after} more bytes follow on the next page` : ''}`,
          ]),
    ];
    return `- ${title}${about.length === 0 ? '' : ` (${about.join('; ')})`}: ${(notes ?? 'no notes').trim().replaceAll('\n', '\n  ')}`;
  });
  return [...left, ...lines].join('\n');
}

/** What stands in the way or beside it. */
function standing({
  happened,
  blockers,
  blockersOmitted,
  warnings,
  gaps,
  gapsOmitted,
  pending,
}: ExecutionAnswer): readonly string[] {
  const missing = (blockers ?? []).map((blocker, index) => `${index + 1}. ${blocker.code} ${blockerText(blocker)}`);
  if (blockersOmitted !== undefined) missing.push(`and ${blockersOmitted} more`);
  if (missing.length > 0 && happened !== 'blocked') missing.unshift('The last try waits for the user:');
  // What a gap says is not said again as a warning.
  const told = gaps === undefined ? warnings : warnings.filter(({ code }) => code !== 'GAP_RECORDED');
  const open = pending === null ? [] : gapLines(gaps, gapsOmitted);
  return [missing.join('\n'), warningLines(told).join('\n'), open.length === 0 ? '' : `Gaps\n${open.join('\n')}`];
}

/** A skip is no cause for alarm; it is said all the same, all of them in one line. */
function warningLines(warnings: readonly WarningTold[]): readonly string[] {
  const skips = warnings
    .filter(({ code }) => code === 'STEP_SKIPPED')
    .map(({ message }) => message.replace(/^skipped /u, ''));
  const others = warnings.filter(({ code }) => code !== 'STEP_SKIPPED').map(({ message }) => `Warning: ${message}`);
  return [...others, ...(skips.length === 0 ? [] : [`Skipped ${skips.join('; ')}`])].map((said) =>
    /[.…]$/u.test(said) ? said : `${said}.`,
  );
}

function gapLines(gaps: readonly GapTold[] | undefined, omitted: number | undefined): readonly string[] {
  const lines = (gaps ?? []).map(({ id, severity, category, detail, assumption, resolves }) => {
    const assumed = assumption === undefined ? '' : `; assumed: ${assumption}`;
    return `- ${id} (${severity}, ${category}${resolves === undefined ? '' : `, resolves ${resolves}`}): ${detail}${assumed}`;
  });
  return omitted === undefined ? lines : [...lines, `- and ${omitted} more`];
}

/** What makes a session readable only. */
const readOnly = new Set(['SESSION_DAMAGED', 'SESSION_NEWER_FORMAT']);

function closing({ kind, pending, warnings }: ExecutionAnswer): string {
  if (warnings.some(({ code }) => readOnly.has(code))) return 'Nothing can be recorded here until that is mended.';
  if (kind === 'blocked') return 'Next: ask the user, then continue_workflow with both tokens and everything again.';
  const { artifacts = [], context = [], needs = [], confirmation } = pending?.expects ?? {};
  const also =
    artifacts.length + context.length + needs.length === 0 && confirmation?.required !== true
      ? 'the notes'
      : 'the above';
  return `When done: continue_workflow with both tokens and ${also}.`;
}

function ending(
  { status, gaps, gapsOmitted, workflow, stateToken }: ExecutionAnswer,
  keeps: boolean,
): readonly string[] {
  const lines = gapLines(gaps, gapsOmitted);
  const state = status === 'complete_with_gaps' ? 'is complete, with critical gaps open' : 'is complete';
  const later = callText({
    tool: 'checkpoint_workflow',
    arguments: { stateToken, output: { notesMarkdown: notesHole } },
  });
  const [first] = gaps ?? [];
  const settling = callText({
    tool: 'checkpoint_workflow',
    arguments: {
      stateToken,
      output: {
        gaps: [
          {
            category: 'agent_disclosed',
            reason: 'settled',
            detail: hole('how it ended'),
            severity: 'info',
            resolves: first?.id ?? '',
          },
        ],
      },
    },
  });
  const settle = lines.length === 0 ? '' : `Open gaps\n${lines.join('\n')}\nOne is settled with ${settling}`;
  return [
    `“${workflow.title}” ${state}. Tell the user what came of it.`,
    keeps || lines.length === 0 ? settle : `Open gaps\n${lines.join('\n')}`,
    keeps ? `Later work on it can still be kept: ${later}` : '',
  ];
}
