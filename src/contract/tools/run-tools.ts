import type { runSchemas } from './run-schemas.js';
import { reads, showing, type Tool, writes } from './tool.js';

const ids = { id: 'runId', run: 'runId', taskId: 'runId' };
const commands = { byDefault: false, optional: true, toolset: 'commands' } as const;

/** Tools for workflows whose steps WorkRail does itself. */
export const runTools: { readonly [name in keyof typeof runSchemas]: Tool } = {
  run_workflow: {
    title: 'Run a workflow',
    ...showing(
      'Runs a workflow whose steps WorkRail does itself, in the background; steps for an agent wait for continue_workflow. What changes something outside is sent only once the user has agreed: get the plan with plan_steps, show it, then send its hash as confirm. With runId it goes on with a run that was interrupted. Next: get_run.',
      { workflowId: 'team.protect_branch', inputs: { repo: 'app' }, confirm: 'pl_0123456789abcdef', detached: true },
    ),
    ...commands,
    aliases: { id: 'workflowId', workflow: 'workflowId', context: 'inputs', plan: 'confirm', run: 'runId' },
    annotations: { ...writes, idempotentHint: false, destructiveHint: true, openWorldHint: true },
  },
  get_run: {
    title: 'Get a run',
    ...showing(
      'Says where a run stands, what its commands came to, what it waits for and what it gives. Sends nothing.',
      {
        runId: 'run_0123456789ab',
        waitMs: 20000,
      },
    ),
    ...commands,
    aliases: { ...ids, wait: 'waitMs', timeoutMs: 'waitMs', state: 'stateToken' },
    annotations: reads,
  },
  list_runs: {
    title: 'List runs',
    ...showing('Lists runs that have commands, the newest first.', { state: 'running' }),
    ...commands,
    aliases: { status: 'state', workflow: 'workflowId' },
    annotations: reads,
  },
  cancel_run: {
    title: 'Cancel a run',
    ...showing(
      'Ends a run: nothing further is sent. A request that is under way is waited for. What was done is not undone.',
      { runId: 'run_0123456789ab', reason: 'the release is off' },
    ),
    ...commands,
    aliases: ids,
    annotations: { ...writes, destructiveHint: true },
  },
  purge_history: {
    title: 'Purge the history of a workflow',
    ...showing(
      'Moves the sessions with ended runs of a workflow to the trash, or takes the values of some inputs out of their logs. Ask the user first. Without confirm nothing is purged, and you are told what would be, and what stays and why.',
      { workflowId: 'team.protect_branch', inputs: ['token'] },
    ),
    ...commands,
    aliases: { id: 'workflowId', workflow: 'workflowId', keys: 'inputs', inputKeys: 'inputs' },
    annotations: { ...writes, destructiveHint: true },
  },
  settle_command: {
    title: 'Settle a command',
    ...showing(
      'Says what became of a command whose outcome is unknown, once you or the user have looked at the server. The run goes on from there.',
      { runId: 'run_0123456789ab', call: 'c_0123456789ab', choice: 'done', reason: 'issue 12 is there' },
    ),
    ...commands,
    aliases: { ...ids, callId: 'call', outcome: 'choice', body: 'result' },
    annotations: { ...writes, destructiveHint: true, openWorldHint: true },
  },
};
