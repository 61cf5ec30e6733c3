import type { NextCall } from '../../base/rejection.js';
import { callText } from '../../contract/call-text.js';
import type { CommandTold } from '../../contract/command-told.js';
import type { Reply } from '../../contract/reply.js';
import { lookupReply } from '../../contract/reply-with.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { PurgeAnswer, RunAnswer, RunsAnswer } from '../../contract/run-answers.js';

export function runReply(answer: RunAnswer): Reply {
  const {
    run_id: id,
    workflow_id: workflow,
    message,
    done,
    doneOmitted = 0,
    returned,
    criticalGaps = 0,
    gaps = [],
    failure,
    nextCall,
  } = answer;
  const lines = [
    `Run ${id} of ${workflow}: ${standsAs(answer)}; ${message}.`,
    ...(doneOmitted > 0 ? [`- ${doneOmitted} earlier`] : []),
    ...done.map(doneLine),
    ...(criticalGaps === 0 ? [] : ['Critical gaps; tell the user:', ...gaps.map(({ detail }) => `- ${detail}`)]),
    ...(criticalGaps > gaps.length ? [`- and ${criticalGaps - gaps.length} earlier`] : []),
    ...(returned === undefined ? [] : [`It returns: ${JSON.stringify(returned)}`]),
    ...(failure?.response_payload === undefined ? [] : [`Answered: ${JSON.stringify(failure.response_payload)}`]),
    ...(nextCall === undefined ? [] : [`Next: ${callText(nextCall)}`]),
  ];
  return lookupReply(lines.join('\n'), answer);
}

/** Nobody reads that all is well where something is open. */
const standsAs = ({ state, criticalGaps = 0 }: Pick<RunAnswer, 'state' | 'criticalGaps'>): string =>
  state === 'succeeded' && criticalGaps > 0 ? 'succeeded, but with critical gaps' : state;

const doneLine = ({ path, command, state, status, ms, tries, reused, message }: CommandTold): string =>
  [
    `- ${path}${command === undefined ? '' : ` (${command})`}: ${reused === true ? 'reused' : state}`,
    status === undefined ? '' : `, answered ${status}`,
    ms === undefined ? '' : ` in ${ms} ms`,
    tries === undefined ? '' : `, try ${tries}`,
    message === undefined || state === 'succeeded' ? '' : `; ${message}`,
  ].join('');

export function runsReply(answer: RunsAnswer, asked: RunsAsked): Reply {
  const { runs, unread = [], nextCursor, nextCall } = answer;
  const { state, workflowId } = asked;
  const isFiltered = state !== undefined || workflowId !== undefined;
  const none =
    nextCursor !== undefined ? 'No such runs so far.' : isFiltered ? 'No such runs.' : 'No runs with commands.';
  const lines = [
    runs.length > 0 ? 'Runs:' : none,
    ...runs.map(
      ({ run_id: id, workflow_id: workflow, state, criticalGaps = 0, message, lastAt }) =>
        `- ${id} ${workflow}: ${standsAs({ state, criticalGaps })}; ${message} (${lastAt})`,
    ),
    ...(unread.length === 0 ? [] : ['Cannot be read:']),
    ...unread.map(({ run_id: id, workflow_id: workflow, reason }) => `- ${id} ${workflow}: ${reason}`),
    ...(nextCursor === undefined || runs.length === 0 ? [] : [`More: ${callText(moreRuns(asked, nextCursor))}`]),
    ...(nextCall === undefined ? [] : [`Next: ${callText(nextCall)}`]),
  ];
  return lookupReply(lines.join('\n'), answer);
}

type RunsAsked = RequestOf<'list_runs'>;

/** The next page of the same list. */
export const moreRuns = ({ state, workflowId }: RunsAsked, cursor: string): NextCall => ({
  tool: 'list_runs',
  arguments: { ...(state !== undefined && { state }), ...(workflowId !== undefined && { workflowId }), cursor },
});

export function purgeReply(answer: PurgeAnswer, inputs: readonly string[] | undefined): Reply {
  const { workflow_id: workflowId, dryRun, purged, redacted, kept, confirm } = answer;
  const would = dryRun ? 'Would be' : 'Were';
  const lines = [
    purged.length + redacted.length === 0 ? `Nothing of ${workflowId} ${dryRun ? 'would be' : 'was'} purged.` : '',
    ...(purged.length === 0 ? [] : [`${would} moved to the trash:`, ...purged.map(({ session_id: id }) => `- ${id}`)]),
    ...(redacted.length === 0 ? [] : [`${would} taken out:`]),
    ...redacted.map(({ session_id: id, inputs: names, lines: many }) => `- ${id}: ${names.join(', ')} (${many} lines)`),
    ...(kept.length === 0 ? [] : ['Stay:', ...kept.map(({ session_id: id, reason }) => `- ${id}: ${reason}`)]),
  ].filter((line) => line !== '');
  if (confirm !== undefined) {
    const args = { workflowId, ...(inputs !== undefined && { inputs: [...inputs] }), confirm };
    lines.push(`Once the user agrees: ${callText({ tool: 'purge_history', arguments: args })}`);
  }
  return lookupReply(lines.join('\n'), answer);
}
