import { closestName } from '../base/closest-name.js';
import type { JsonObject } from '../base/json-value.js';
import type { WarningTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { contextKeys } from './preview-steps.js';

/** Keys given at the start that nothing reads, and that are nearly called as an input which was not given: that one was meant. */
export function unknownInputs(workflow: CompiledWorkflow, context: JsonObject): readonly WarningTold[] {
  const { set, onlyRead } = contextKeys(workflow);
  const known = new Set([...Object.keys(workflow.inputs), ...set, ...onlyRead]);
  const open = Object.keys(workflow.inputs).filter((name) => !Object.hasOwn(context, name));
  return Object.keys(context).flatMap((key): readonly WarningTold[] => {
    const meant = known.has(key) ? undefined : closestName(key, open);
    return meant === undefined
      ? []
      : [
          {
            code: 'INPUT_UNKNOWN',
            message: `\`${key}\` is no input of this workflow and nothing reads it; if \`${meant}\` was meant, start again with that`,
            path: `/context/${key}`,
          },
        ];
  });
}
