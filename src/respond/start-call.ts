import { hole } from '../base/hole.js';
import type { NextCall } from '../base/rejection.js';
import type { ListedWorkflow } from '../contract/answer.js';

type Startable = Pick<ListedWorkflow, 'id' | 'recommendedMode' | 'requiredInputs'>;

/** The start of a workflow as it is offered, with a hole for each input that it is refused without. */
export function startCall(
  { id, recommendedMode, requiredInputs = [] }: Startable,
  more: { readonly session?: string } = {},
): NextCall {
  return {
    tool: 'start_workflow',
    arguments: {
      workflowId: id,
      ...(recommendedMode !== undefined && { mode: recommendedMode }),
      ...more,
      ...(requiredInputs.length > 0 && {
        context: Object.fromEntries(requiredInputs.map(({ name, description }) => [name, hole(description ?? name)])),
      }),
    },
  };
}
