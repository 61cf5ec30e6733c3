import { requestTook } from '../../base/time-spent.js';
import type { CommandTold } from '../../contract/command-told.js';
import { type HeldBy, heldByWords } from '../../contract/held-by.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import { listed, quote, type Reader, said, type Telling, type Told } from '../telling.js';
import { visibleTitle } from '../visible-text.js';
import { settlingLead } from './tell-draft.js';

/** What WorkRail did itself, a line for each step; the one that it is at is told with what is to be done now. */
export function commandLines({ commands = [], commandsOmitted = 0, stopped }: ExecutionAnswer): readonly Told[] {
  const before = commandsOmitted === 0 ? [] : [`${commandsOmitted} earlier`];
  const over = commands.filter((one) => !isAtIt(one) && one.state !== 'canceled');
  // Why the run ended is told below, once.
  const lines = over.map((one) => commandLine(one, stopped !== undefined && one === commands.at(-1)));
  return lines.length === 0 ? [] : listed('WorkRail ran', [...before, ...lines]);
}

/** Whoever goes back may take what follows for undone. */
export function sentSinceLines({ sentSince = [], sentSinceOmitted = 0 }: ExecutionAnswer): readonly Told[] {
  const before = sentSinceOmitted === 0 ? [] : [`${sentSinceOmitted} earlier`];
  const lines = sentSince.map(({ title, request }) => `${visibleTitle(title)} (${visibleTitle(request)})`);
  return lines.length === 0 ? [] : listed('Sent since then, and going back does not undo it', [...before, ...lines]);
}

const isAtIt = ({ state }: CommandTold): boolean => state === 'pending' || state === 'running' || state === 'blocked';

function commandLine(told: CommandTold, isLast: boolean): string {
  const { state, message } = told;
  const why = message === undefined || state === 'succeeded' || isLast ? '' : `; ${visibleTitle(message)}`;
  return `${named(told)}: ${outcome(told)}${why}`;
}

const named = ({ title, command }: CommandTold): string =>
  `${visibleTitle(title)}${command === undefined ? '' : ` (${visibleTitle(command)})`}`;

function outcome({ state, status, ms, tries, reused }: CommandTold): string {
  if (reused === true) return 'taken from another branch, not sent again';
  const took = ms === undefined ? '' : ` in ${requestTook(ms)}`;
  const often = tries === undefined ? '' : `, on try ${tries}`;
  const code = status === undefined || status === 0 ? '' : ` ${status}`;
  if (state === 'succeeded') return code === '' ? 'said to be done, not sent again' : `answered${code}${took}${often}`;
  if (state === 'unknown') return `outcome unknown${often}`;
  return `failed${code === '' ? '' : ` with${code}`}${took}${often}`;
}

/** Where a run stands that waits for no agent: WorkRail is at it, the user is asked, or it has ended early. */
export function standingOfRun(answer: ExecutionAnswer, reader: Reader): Telling {
  const { kind, stopped, workflow, heldBy, commands = [] } = answer;
  const at = commands.at(-1);
  const title = `“${workflow.title}”`;
  const why = stopped === undefined || stopped.message === '' ? '' : `: ${visibleTitle(stopped.message)}`;
  switch (kind) {
    case 'running':
      if (heldBy !== undefined) return [heldElsewhere(answer, heldBy, reader)];
      return [[said(`${title} is running. ${runningWords(at)}`, 'good'), ...nextLine(answer, 'To wait for it: ')]];
    case 'failed':
      return [
        [
          said(ended(`${title} failed${at === undefined ? '' : ` at “${visibleTitle(at.title)}”`}${why}`), 'bad'),
          ...(at?.answered === undefined ? [] : [said(`The server answered: ${visibleTitle(at.answered)}`)]),
        ],
        [said('Nothing more is sent on this branch.'), ...goBack(answer)],
      ];
    case 'canceled':
      return [
        [said(ended(`${title} was canceled${why}`), 'bad')],
        [said('None of its steps can be completed any more, on any branch.'), ...goBack(answer)],
      ];
    case 'blocked':
      return waitsForUser(answer, at, reader);
    case 'ok':
    case 'complete':
      return [];
  }
}

/** It may wait for ever for what is gone: people know, and say so. */
function heldElsewhere(answer: ExecutionAnswer, heldBy: HeldBy, reader: Reader): readonly Told[] {
  const takeOver = { tool: 'run_workflow', arguments: { runId: answer.session.runId, detached: true, takeOver: true } };
  return [
    said(
      ended(
        `“${answer.workflow.title}” has been ${heldByWords(heldBy)}; nobody here can see whether that process still runs`,
      ),
      'bad',
    ),
    ...nextLine(answer, 'If it does, to wait for it: '),
    { kind: 'call', lead: 'If it is certain that it has ended, to take the run over: ', call: takeOver },
    ...(reader === 'agent'
      ? [said(`The user can do so too: workrail run --resume ${answer.session.runId} --take-over`)]
      : []),
  ];
}

function runningWords(at: CommandTold | undefined): string {
  if (at === undefined) return 'WorkRail goes on with it by itself.';
  const { title, command, status = 0, tries, message } = at;
  const place = `“${visibleTitle(title)}”${command === undefined ? '' : ` (${visibleTitle(command)})`}`;
  const often = tries === undefined ? '' : `, on try ${tries}`;
  if (message !== undefined)
    return `The last try of ${place} failed${often}: ${ended(visibleTitle(message))} WorkRail tries again by itself.`;
  return status === 0
    ? `WorkRail is at ${place} and waits for the server.`
    : `${place} last answered ${status}${often}; WorkRail sends it again until it is done.`;
}

const nextLine = ({ nextCall }: ExecutionAnswer, lead: string): readonly Told[] =>
  nextCall === undefined ? [] : [{ kind: 'call', lead, call: nextCall }];

const goBack = (answer: ExecutionAnswer): readonly Told[] => {
  const { kind, nextCall } = answer;
  const isStart = nextCall?.tool === 'start_workflow';
  if (kind === 'canceled') return nextLine(answer, isStart ? 'To start again: ' : 'Another run goes on from it: ');
  return nextLine(answer, isStart ? 'Once the cause is fixed, to start again: ' : 'To do your last step another way: ');
};

function waitsForUser({ draft, blockers = [] }: ExecutionAnswer, at: CommandTold | undefined, reader: Reader): Telling {
  const place = at === undefined ? '' : ` at “${visibleTitle(at.title)}”`;
  const isPerson = reader === 'person';
  const isUnknown = blockers.some(({ code }) => code === 'COMMAND_OUTCOME_UNKNOWN');
  return [
    blockers.flatMap(({ message, fix }) => [
      said(ended(`Blocked${place}: ${visibleTitle(message)}`), 'bad'),
      // To agree is one call, told below; what became of a command takes a look elsewhere first.
      ...(isPerson && isUnknown ? [said(ended(`To continue: ${visibleTitle(fix)}`))] : []),
    ]),
    draft?.notes === undefined
      ? []
      : [{ kind: 'heading', text: isUnknown ? 'What was sent' : 'What is sent' }, quote(draft.notes)],
    isPerson && draft?.confirm !== undefined
      ? [{ kind: 'call', lead: settlingLead(draft.confirm, reader), call: draft.confirm }]
      : [],
  ];
}

const ended = (text: string): string => (/[.…?!]$/u.test(text) ? text : `${text}.`);

/** What an agent is to do at a command that waits for the user. */
export function nextOfCommand({ draft, blockers = [] }: ExecutionAnswer): string {
  if (draft?.confirm === undefined)
    return 'Next: tell the user that this waits for their own answer (workrail answer, or the page). Once they have answered, continue_workflow with the stateToken alone goes on.';
  return blockers.some(({ code }) => code === 'COMMAND_OUTCOME_UNKNOWN')
    ? 'Next: check at the server whether it was done, or ask the user. Then continue_workflow with both tokens and "context": {"outcome": "done"} if it was, "repeat" to send it again, or "failed" if it was not and should not be.'
    : 'Next: show this to the user. Once they agree, continue_workflow with both tokens and "confirmed": true. Nothing is changed before; if they want something else, go back to an earlier step and change it.';
}
