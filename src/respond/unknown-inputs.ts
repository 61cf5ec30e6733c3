import type { JsonObject } from '../base/json-value.js';
import type { WarningTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { meantInputs } from '../definitions/expand/meant-inputs.js';

/** Keys that are like an input which was not given. A mere slip of the hand is refused today; runs of older programs began with some. */
export const unknownInputs = (workflow: CompiledWorkflow, context: JsonObject): readonly WarningTold[] =>
  meantInputs(workflow, context).map(({ key, meant }) => ({
    code: 'INPUT_UNKNOWN',
    message: `\`${key}\` is not an input of this workflow, and nothing reads it; if you meant \`${meant}\`, start again with that`,
    path: `/context/${key}`,
  }));
