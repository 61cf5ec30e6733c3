import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { workflowDifference } from '../../definitions/compiled/workflow-difference.js';
import type { Warning } from '../../events/event-data.js';
import type { Event } from '../../events/event.js';
import type { FoundInLibrary } from '../../library/workflow-library.js';
import type { Environment } from '../world/environment.js';

/** For an answer to a step: what a server can tell without a look at all files, and a command, which has not looked yet, with one. */
export async function driftAtStep(
  env: Pick<Environment, 'pinned' | 'caller'> & { readonly library: Pick<Environment['library'], 'glance' | 'find'> },
  started: Event<'run_started'>,
  pinned: CompiledWorkflow,
): Promise<readonly Warning[]> {
  try {
    const { workflowId } = started.data;
    const found = await (env.caller === undefined ? env.library.glance(workflowId) : env.library.find(workflowId));
    return found === undefined ? [] : driftOf(env, found, started, pinned);
  } catch {
    // A file that cannot be looked at just now is no reason to record nothing; a look at the step tells of it.
    return [];
  }
}

const differencesTold = 6;

/** The run goes on with its pin, whatever became of the file; a reader should know that they differ, and in what. */
export function driftOf(
  env: Pick<Environment, 'pinned'>,
  found: FoundInLibrary | undefined,
  started: Event<'run_started'>,
  pinned: CompiledWorkflow,
): readonly Warning[] {
  const { workflowId, source, workflowHash } = started.data;
  const onward = 'this run goes on with the version it started with, and a new run would take the file as it is';
  if (found === undefined)
    return [
      changed(`no workflow file here gives ${workflowId} any more; this run goes on with the version it started with`),
    ];
  const { entry, workflow } = found;
  const same = entry.sourceDigest === source;
  if (workflow === undefined)
    return [
      changed(
        `${entry.file} ${same ? 'calls something that has changed' : 'has changed'} since this run started, and has ${entry.violations.length} violation${entry.violations.length === 1 ? '' : 's'} now; this run goes on with the version it started with, and no new run can start until the file is mended`,
      ),
    ];
  // Another formatting, or a comment, is no other workflow; another routine is, where it is called.
  if (env.pinned.hashOf(workflow) === workflowHash) return [];
  const changes = workflowDifference(pinned, workflow);
  if (changes.length === 0) return [];
  const more = changes.length - differencesTold;
  const what = same ? `what ${entry.file} calls has changed` : `${entry.file} has changed`;
  return [
    changed(
      `${what} since this run started (${changes.slice(0, differencesTold).join('; ')}${more > 0 ? `; and ${more} more` : ''}); ${onward}`,
    ),
  ];
}

function changed(message: string): Warning {
  return { code: 'WORKFLOW_CHANGED', message };
}
