import type { CommandLookup } from '../compiled/command-lookup.js';
import type { OperationShape } from '../compiled/operation-shape.js';
import type { CalledRoutines } from './called-routines.js';
import type { Provenance } from '../compiled/compiled-workflow.js';
import type { WorkflowSource } from '../source/workflow-format.js';

/** What steps draw on, and where it is noted down what they drew. */
export interface CompileSurroundings {
  readonly source: WorkflowSource;
  readonly called: CalledRoutines;
  readonly provenance: Provenance[];
  /** What catalogs say of the commands that are used. */
  readonly commands: CommandLookup | undefined;
  readonly operations: Map<string, OperationShape>;
  /** What a call reads instead of `iteration`, which a loop of its routine would hide. */
  readonly iteration: string | undefined;
}
