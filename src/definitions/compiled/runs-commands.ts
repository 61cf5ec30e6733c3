import type { CompiledWorkflow } from './compiled-workflow.js';
import { commandsIn } from './visit-steps.js';

/** Whether it has steps that WorkRail does itself. */
export const runsCommands = ({ steps }: CompiledWorkflow): boolean => commandsIn(steps).length > 0;
