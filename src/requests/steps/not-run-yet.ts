import type { Rejection } from '../../base/rejection.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { runsCommands } from '../../definitions/compiled/runs-commands.js';
import { commandsIn } from '../../definitions/compiled/visit-steps.js';

const namesTold = 3;

/** Why a workflow cannot be started by this version, though nothing is wrong with it. */
export function notRunYet(workflow: CompiledWorkflow): Rejection | undefined {
  if (!runsCommands(workflow)) return undefined;
  const { id, steps } = workflow;
  const commands = commandsIn(steps).map((step) => `\`${step.id}\``);
  const rest = commands.length - namesTold;
  const named = `${commands.slice(0, namesTold).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const has =
    commands.length > 0 ? `has steps that WorkRail runs itself (${named})` : 'gives values back with `returns`';
  return {
    code: 'PRECONDITION_FAILED',
    message: `${id} ${has}; this version can load and plan such workflows, but not run them yet`,
    action: 'look at its plan, or start another workflow',
    nextCall: { tool: 'inspect_workflow', arguments: { workflowId: id, mode: 'preview' } },
    context: { workflowId: id },
  };
}
