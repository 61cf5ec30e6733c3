import { requestTook } from '../../base/time-spent.js';
import type { CommandTold } from '../../contract/command-told.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import { listed, quote, type Reader, said, type Telling, type Told } from '../telling.js';
import { visibleTitle } from '../visible-text.js';

/** What WorkRail did itself, a line for each step. */
export function commandLines({ commands = [], commandsOmitted = 0 }: ExecutionAnswer): readonly Told[] {
  const before = commandsOmitted === 0 ? [] : [`${commandsOmitted} earlier`];
  return listed('WorkRail ran', [...before, ...commands.map(commandLine)]);
}

const commandLine = ({ title, command, state, status, ms, tries, reused, message }: CommandTold): string => {
  const took = ms === undefined ? '' : ` in ${requestTook(ms)}`;
  const answered = status === undefined || status === 0 ? '' : ` with ${status}`;
  const how = reused === true ? 'taken from another branch, not sent again' : `${stateWords[state]}${answered}${took}`;
  const said_ = message === undefined || state === 'succeeded' ? '' : `; ${visibleTitle(message)}`;
  return `${visibleTitle(title)}${command === undefined ? '' : ` (${visibleTitle(command)})`}: ${how}${tries === undefined ? '' : `, try ${tries}`}${said_}`;
};

const stateWords: { readonly [state in CommandTold['state']]: string } = {
  pending: 'not begun',
  running: 'running',
  succeeded: 'answered',
  failed: 'failed',
  unknown: 'unknown outcome',
  blocked: 'waits for the user',
  canceled: 'canceled',
};

/** Where a run stands that waits for no agent: WorkRail is at it, the user is asked, or it has ended early. */
export function standingOfRun(answer: ExecutionAnswer, reader: Reader): Telling {
  const { kind, stopped, workflow, nextCall, draft, blockers = [] } = answer;
  const title = `“${workflow.title}”`;
  switch (kind) {
    case 'running':
      return [
        [
          said(`${title} is running: WorkRail goes on with the step above by itself.`, 'good'),
          ...(nextCall === undefined ? [] : [{ kind: 'call', lead: 'To wait for it: ', call: nextCall } as const]),
        ],
      ];
    case 'failed':
      return [
        [
          said(`${title} failed: ${visibleTitle(stopped?.message ?? '')}.`, 'bad'),
          said('Nothing further is sent. To do it another way, go back to an earlier step.'),
        ],
      ];
    case 'canceled':
      return [[said(`${title} was canceled: ${visibleTitle(stopped?.message ?? '')}.`, 'bad')]];
    case 'blocked':
      return [
        blockers.flatMap(({ message, fix }) => [
          said(`${visibleTitle(message)}.`, 'bad'),
          said(`${visibleTitle(fix)}.`),
        ]),
        draft?.notes === undefined ? [] : [{ kind: 'heading', text: 'What is sent' }, quote(draft.notes)],
        reader === 'person' && draft?.confirm !== undefined
          ? [{ kind: 'call', lead: 'Once you agree, with what is asked for filled in: ', call: draft.confirm }]
          : [],
      ];
    case 'ok':
    case 'complete':
      return [];
  }
}

/** What an agent is to do at a command that waits for the user. */
export function nextOfCommand({ draft, blockers = [] }: ExecutionAnswer): string {
  if (draft?.confirm === undefined)
    return 'Next: tell the user that this waits for their own answer (workrail answer, or the page), then continue_workflow with the stateToken alone.';
  return blockers.some(({ code }) => code === 'COMMAND_OUTCOME_UNKNOWN')
    ? 'Next: find out whether the server did it, or ask the user; then continue_workflow with both tokens and "context": {"outcome": "repeat"}, "done" or "failed".'
    : 'Next: show the user what is sent. If they agree, continue_workflow with both tokens and "confirmed": true. Until then nothing is sent.';
}
