import { callText } from '../../contract/call-text.js';
import type { CommandTold } from '../../contract/command-told.js';
import type { Reply } from '../../contract/reply.js';
import { lookupReply } from '../../contract/reply-with.js';
import type { PurgeAnswer, RunAnswer, RunsAnswer } from '../../contract/run-answers.js';

export function runReply(answer: RunAnswer): Reply {
  const {
    run_id: id,
    workflow_id: workflow,
    state,
    message,
    done,
    doneOmitted = 0,
    returned,
    failure,
    nextCall,
  } = answer;
  const lines = [
    `Run ${id} of ${workflow}: ${state}; ${message}.`,
    ...(doneOmitted > 0 ? [`- ${doneOmitted} earlier`] : []),
    ...done.map(doneLine),
    ...(returned === undefined ? [] : [`It returns: ${JSON.stringify(returned)}`]),
    ...(failure?.response_payload === undefined ? [] : [`Answered: ${JSON.stringify(failure.response_payload)}`]),
    ...(nextCall === undefined ? [] : [`Next: ${callText(nextCall)}`]),
  ];
  return lookupReply(lines.join('\n'), answer);
}

const doneLine = ({ path, command, state, status, ms, tries, reused, message }: CommandTold): string =>
  [
    `- ${path}${command === undefined ? '' : ` (${command})`}: ${reused === true ? 'reused' : state}`,
    status === undefined ? '' : `, answered ${status}`,
    ms === undefined ? '' : ` in ${ms} ms`,
    tries === undefined ? '' : `, try ${tries}`,
    message === undefined || state === 'succeeded' ? '' : `; ${message}`,
  ].join('');

export function runsReply(answer: RunsAnswer): Reply {
  const { runs, nextCursor, nextCall } = answer;
  const lines = [
    runs.length > 0 ? 'Runs:' : nextCursor === undefined ? 'No runs with commands.' : 'No such runs on this page.',
    ...runs.map(
      ({ run_id: id, workflow_id: workflow, state, message, lastAt }) =>
        `- ${id} ${workflow}: ${state}; ${message} (${lastAt})`,
    ),
    ...(nextCursor === undefined
      ? []
      : [`More: ${callText({ tool: 'list_runs', arguments: { cursor: nextCursor } })}`]),
    ...(nextCall === undefined ? [] : [`Next: ${callText(nextCall)}`]),
  ];
  return lookupReply(lines.join('\n'), answer);
}

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
