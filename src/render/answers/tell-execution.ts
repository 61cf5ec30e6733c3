import { isAgreementGap } from '../../base/agreement-gap.js';
import { byteLength, cutToBytes } from '../../base/byte-budget.js';
import { hole } from '../../base/hole.js';
import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { spokenMode } from '../../base/mode-words.js';
import type { NextCall } from '../../base/rejection.js';
import type { ExecutionAnswer, GapTold, PendingStep, RecapTold, WarningTold } from '../../contract/answer.js';
import { notesHole } from '../../base/notes-hole.js';
import { commandLines, sentSinceLines, standingOfRun } from './tell-commands.js';
import { answerLines, handedText, tellDraft } from './tell-draft.js';
import { tellPending } from './tell-pending.js';
import {
  branchLines,
  halfDone,
  look,
  notedLines,
  recapLines,
  remembered,
  tellPage,
  tellSpokenOf,
  openRunLines,
  otherBranchLines,
  placeLines,
} from './tell-remembered.js';
import { type Audience, listed, said, type Telling, type Told } from '../telling.js';
import { visibleTitle } from '../visible-text.js';

/** What happened and the step to do now, for whoever asked. How to send it back is each door's to say. */
export function tellExecution(answer: ExecutionAnswer, audience: Audience, earlier?: PendingStep): Telling {
  const { pending, stepsDone, stepsAbout, preferences, stateToken, kind, begun } = answer;
  if (answer.page !== undefined) return tellPage(answer, audience);
  if (pending === null && kind !== 'complete')
    return [...headline(answer, audience), commandLines(answer), ...standingOfRun(answer, audience.reader)];
  const told = [...headline(answer, audience), commandLines(answer), ...standing(answer, audience)];
  if (pending === null) return [...told, ...ending(answer, audience)];
  const whole = look(stateToken);
  if (kind === 'blocked') return [...told, [{ kind: 'call', lead: 'The step again: ', call: whole }]];
  const place = {
    number: stepsDone + 1,
    about: stepsAbout,
    earlier: earlier && { pending: earlier, whole },
  };
  // A later round tells what differs; what has been found is a call away.
  const spokenOf = earlier === undefined ? tellSpokenOf(answer) : [];
  const [heading = [], ...step] = tellPending(pending, place, preferences, audience.reader);
  return [...told, ...spokenOf, heading, ...(begun === undefined ? [] : [halfDone(begun)]), ...step];
}

/** What else there is, told after the step: a token of it must not be taken for the one to go on with. */
export function tellElsewhere(answer: ExecutionAnswer, audience: Audience): Telling {
  if (answer.page !== undefined) return [];
  const open = openRunLines(answer, audience);
  if (answer.happened !== 'forked') return [open];
  return [
    open,
    [
      said('The work that went on from there before:'),
      ...branchLines(answer, audience),
      ...placeLines('To go on there instead: ', answer.preferredTip, audience),
    ],
  ];
}

function headline(answer: ExecutionAnswer, audience: Audience): Telling {
  const { workflow, session, recorded, pending, stepsDone, preferredTip } = answer;
  const isAgent = audience.reader === 'agent';
  const where = pending === null ? placeWithoutStep(answer) : `step ${stepsDone + 1}, ${pending.title}`;
  switch (answer.happened) {
    case 'started':
      return [
        [said(`Started “${workflow.title}” (${workflow.id}) in session ${session.sessionId}.`, 'good')],
        about(answer, audience),
        notedLines(answer, audience),
      ];
    case 'advanced':
      return [
        otherWork(answer, audience),
        [...recordedLines(recorded, audience), ...answerLines(answer.answered)],
        answer.preferencesChanged === true && pending !== null ? manner(answer, audience) : [],
      ];
    case 'forked':
      return [
        otherWork(answer, audience),
        [...recordedLines(recorded, audience), ...answerLines(answer.answered)],
        [
          said(
            `This is a new branch: ${recorded?.step ?? 'the step'} had been done before. How to go on where the work stood is told at the end of this answer.`,
          ),
        ],
        knownFromThere(answer.recap, audience),
      ];
    case 'blocked':
      return [
        [
          said(
            `${blockedWords(answer, where, isAgent ? 'the user' : 'you')} Nothing was completed, the tokens stay good.`,
            'bad',
          ),
        ],
      ];
    case 'looked_at_tip':
      return [
        [
          said(
            `“${workflow.title}” (${workflow.id}), session ${session.sessionId}: ${isAgent ? 'you are' : 'the work is'} at ${where}.`,
            'good',
          ),
        ],
        about(answer, audience),
        [
          ...placeLines('The newest work of this run stands on another branch: ', preferredTip, audience),
          ...otherBranchLines(answer, audience),
        ],
        ...remembered(answer, audience),
      ];
    case 'looked_back':
      return [
        [
          said(
            `You are back at ${where} of “${workflow.title}”, session ${session.sessionId}. The work went on from here:`,
            'good',
          ),
          ...branchLines(answer, audience),
          ...sentSinceLines(answer),
        ],
        [
          ...placeLines('To go on where the work stands: ', preferredTip, audience),
          ...(pending === null || answer.ackToken === undefined
            ? []
            : [
                said(
                  `To redo ${pending.title} on a new branch, ${isAgent ? 'do the step below and use the ackToken given here' : 'use the command at the end'}.`,
                ),
              ]),
        ],
        keptLines(answer),
        knownFromThere(answer.ahead, audience),
        about(answer, audience),
        ...remembered(answer, audience),
      ];
  }
}

const placeWithoutStep = ({ isComplete, commands = [] }: ExecutionAnswer): string =>
  isComplete ? 'the end of the run' : `step ${commands.at(-1)?.title ?? ''}, which WorkRail does itself`;

function blockedWords({ draft }: ExecutionAnswer, where: string, user: string): string {
  if (draft?.refused === undefined) return `Blocked at ${where}: only ${user} can settle this.`;
  // Their own no is on record already, and told below with its door and time.
  return draft.answers === undefined
    ? `Recorded that ${user} said no at ${where}.`
    : `Blocked at ${where}: ${user} said no.`;
}

/** A rewound chat has lost what was known on the branch that was left. */
const knownFromThere = (recap: RecapTold | undefined, audience: Audience): readonly Told[] =>
  recap === undefined
    ? []
    : [
        said(`Done on the other branch${audience.reader === 'agent' ? ', which this chat may have lost' : ''}:`),
        ...recapLines(recap, undefined, audience),
      ];

const keptLines = ({ keptBeside = [] }: ExecutionAnswer): readonly Told[] =>
  keptBeside.map(({ notes, branch }) => ({
    kind: 'call',
    lead: `Other work came for this step and is kept beside it${notes === undefined ? '' : ` (“${visibleTitle(notes)}”)`}. To make it a branch: `,
    call: branch,
  }));

/** What the workflow asks for as a whole, and how the mode wants it done. At the end of a run only what it was for. */
function about(answer: ExecutionAnswer, audience: Audience): readonly Told[] {
  const { workflow, preferences, pending } = answer;
  const { description = '', guidance, preconditions, clarify } = workflow;
  const purpose = description === '' ? [] : [said(`Purpose: ${description}`)];
  if (pending === null) return purpose;
  const settle =
    audience.reader === 'person'
      ? 'Settle first'
      : preferences.autonomy === 'guided'
        ? 'Settle first with the user'
        : 'Settle first, yourself, by looking and by explicit assumptions';
  return [
    ...purpose,
    ...listed('For the whole run', guidance),
    ...listed('Make sure first', preconditions),
    ...listed(settle, clarify),
    ...manner(answer, audience),
  ];
}

/** How the preferences want things done: told at the start, on looking again, and when they change. */
function manner({ preferences }: ExecutionAnswer, { reader, keeps }: Audience): readonly Told[] {
  if (reader === 'person') {
    const { label, says } = spokenMode(preferences);
    return [said(`Mode: ${label} (${says}).`)];
  }
  const alone = preferences.autonomy !== 'guided';
  const worth = keeps ? ' Much work between steps is worth a checkpoint_workflow.' : '';
  const stops =
    preferences.autonomy === 'full_auto_stop_on_user_deps'
      ? ' What only the user can give or agree to still waits for them.'
      : '';
  const roles = alone
    ? [
        said(
          `You play both roles in this mode: answer the questions meant for the user by looking and by explicit assumptions, and disclose each in output.gaps as {"category":"agent_disclosed","reason":…,"detail":…,"assumption":…}; user_only_dependency is for what cannot be assumed.${stops}${worth}`,
        ),
      ]
    : [];
  if (preferences.assumptionPolicy === 'ask_when_missing')
    return [...roles, said('When something is missing, ask the user.')];
  return alone
    ? roles
    : [
        said(
          'When something is missing, assume, go on, and disclose it in output.gaps (category agent_disclosed, with assumption).',
        ),
      ];
}

/** An agent that redid a step after a rewind believes what an answer begins with. */
function otherWork({ otherWork: other, stateToken }: ExecutionAnswer, { reader }: Audience): readonly Told[] {
  if (other === undefined) return [];
  const { step, holds, kept, differs, branch } = other;
  const beginning = (notes: string | undefined): string =>
    notes === undefined ? 'no notes' : `notes “${visibleTitle(notes)}”`;
  return [
    said(
      `NOT recorded as ${step}: that step was done before, and holds other work (${beginning(holds)}). What you sent is kept beside it (${beginning(kept)}), and nothing of the run rests on it. They differ in ${differs.join(', ')}.`,
      'bad',
    ),
    {
      kind: 'call',
      lead: 'To make it a branch of its own: ',
      call: branch,
      rest: reader === 'agent' ? ' takes what is kept; nothing has to be sent again.' : '',
    },
    {
      kind: 'call',
      lead: 'The run may have gone on since; where it stands: ',
      call: look(stateToken),
    },
    said('Below is the answer to the step as it was recorded:'),
  ];
}

function recordedLines(recorded: ExecutionAnswer['recorded'], { reader }: Audience): readonly Told[] {
  if (recorded === undefined) return [];
  return [said(`Recorded for ${recorded.step}: ${handedText(recorded, reader)}.`, 'good')];
}

/** What stands in the way or beside it. */
function standing(answer: ExecutionAnswer, { reader }: Audience): Telling {
  const { happened, blockers = [], blockersOmitted, warnings, gaps, gapsOmitted, pending } = answer;
  const missing: Told[] = blockers.map((blocker, index) => {
    const need = pending?.expects.needs.find(({ key }) => blocker.pointer === `/context/${key}`);
    return { kind: 'missing', index, blocker, need };
  });
  if (blockersOmitted !== undefined) missing.push(said(`and ${blockersOmitted} more`));
  if (missing.length > 0 && happened !== 'blocked')
    missing.unshift(
      said(
        answer.draft?.refused === undefined
          ? `The last try waits for ${reader === 'agent' ? 'the user' : 'you'}:`
          : 'The last try was refused:',
        'bad',
      ),
    );
  // What a gap says, or the first words, is not said again as a warning.
  const told = warnings.filter(
    ({ code }) => code !== 'OTHER_WORK_KEPT' && (gaps === undefined || code !== 'GAP_RECORDED'),
  );
  const open = pending === null ? [] : gapLines(gaps, gapsOmitted);
  return [
    missing,
    tellDraft(answer, reader),
    warningLines(told),
    open.length === 0 ? [] : [{ kind: 'heading', text: 'Gaps' }, ...open],
  ];
}

/** A skip is no cause for alarm; it is said all the same, all of them in one line. */
function warningLines(warnings: readonly WarningTold[]): readonly Told[] {
  const skips = warnings
    .filter(({ code }) => code === 'STEP_SKIPPED')
    .map(({ message }) => message.replace(/^skipped /u, ''));
  const others = warnings
    .filter(({ code }) => code !== 'STEP_SKIPPED')
    .map(({ message }) => `Warning: ${visibleTitle(message)}`);
  const ended = (text: string): string => (/[.…?!]$/u.test(text) ? text : `${text}.`);
  return [
    ...others.map((text) => said(ended(text), 'bad')),
    ...(skips.length === 0 ? [] : [said(ended(`Skipped ${skips.join('; ')}`), 'dim')]),
  ];
}

function gapLines(gaps: readonly GapTold[] = [], omitted: number | undefined): readonly Told[] {
  const lines = gaps.map(({ id, severity, category, detail, assumption, resolves }): Told => {
    const assumed = assumption === undefined ? '' : `; assumed: ${assumption}`;
    const kind = `${severity}, ${category}${resolves === undefined ? '' : `, resolves ${resolves}`}`;
    return { kind: 'item', lead: '- ', text: `${id} (${kind}): ${visibleTitle(`${detail}${assumed}`)}` };
  });
  return omitted === undefined ? lines : [...lines, said(`- and ${omitted} more`)];
}

const givenText = (returned: JsonObject): string => {
  const text = JSON.stringify(returned);
  return byteLength(text) <= limits.recap ? text : `${cutToBytes(text, limits.recap)}… (${byteLength(text)} bytes)`;
};

function ending(
  { status, gaps = [], gapsOmitted, workflow, stateToken, returned }: ExecutionAnswer,
  { reader, keeps }: Audience,
): Telling {
  const graver = status === 'complete_with_gaps';
  const keep = (lead: string, output: NextCall['arguments']): readonly Told[] =>
    keeps ? [{ kind: 'call', lead, call: { tool: 'checkpoint_workflow', arguments: { stateToken, output } } }] : [];
  // An agent that went past a confirmation does not agree in the user's place.
  const settleable = gaps.find((gap) => reader === 'person' || !isAgreementGap(gap));
  const settled = {
    category: 'agent_disclosed',
    reason: 'settled',
    detail: hole('how it ended'),
    severity: 'info',
    resolves: settleable?.id ?? '',
  };
  const open = gapLines(gaps, gapsOmitted);
  const given = returned === undefined ? [] : [said(`It returns: ${givenText(returned)}`)];
  const ofUser = reader === 'agent' && gaps.some(isAgreementGap);
  return [
    [
      said(
        `“${workflow.title}” is complete${graver ? ', with critical gaps open' : ''}.${reader === 'agent' ? ' Tell the user what came of it.' : ''}`,
        graver ? 'bad' : 'good',
      ),
      ...given,
    ],
    open.length === 0
      ? []
      : [
          { kind: 'heading', text: 'Open gaps' },
          ...open,
          ...(settleable === undefined ? [] : keep('One is settled with ', { gaps: [settled] })),
          ...(ofUser ? [said('What the user has not confirmed only the user can settle: tell them.')] : []),
        ],
    keep('Later work on it can still be kept: ', { notesMarkdown: notesHole }),
  ];
}
