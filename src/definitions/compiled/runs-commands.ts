import type { CompiledWorkflow } from './compiled-workflow.js';
import { commandsIn } from './visit-steps.js';

/** Whether a run of it needs what sends commands, and tells what it returns. */
export const runsCommands = ({ steps, returns }: CompiledWorkflow): boolean =>
  returns !== undefined || commandsIn(steps).length > 0;
