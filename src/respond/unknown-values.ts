import type { JsonObject } from '../base/json-value.js';
import type { WarningTold } from '../contract/answer.js';
import { tellUnknownValue, valuesUnknown } from '../definitions/check/known-values.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import type { Gap } from '../events/event-data.js';

const told = 3;

/** Values that were just handed in and that no condition knows, but where a gap of the same call says so. */
export function unknownValues(
  workflow: CompiledWorkflow,
  context: JsonObject = {},
  gaps: readonly Pick<Gap, 'detail'>[] = [],
): readonly WarningTold[] {
  return valuesUnknown(workflow, context)
    .map((one) => ({ code: 'VALUE_UNKNOWN', message: tellUnknownValue(one), path: `/context/${one.key}` }))
    .filter(({ message }) => !gaps.some(({ detail }) => detail.startsWith(message)))
    .slice(0, told);
}
