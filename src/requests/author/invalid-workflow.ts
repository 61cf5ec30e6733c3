import { plural } from '../../base/plural.js';
import { defined } from '../../base/defined.js';
import type { Rejection, RequestViolation } from '../../base/rejection.js';
import { asJson } from '../../contract/reply-with.js';
import type { FileInLibrary } from '../../library/workflow-library.js';

const mostTold = 20;

/** A text that cannot be used as it is, with all that is wrong. */
export function invalidWorkflow({ entry }: FileInLibrary, tool: string): Rejection {
  const { id, file, violations } = entry;
  const [first] = violations;
  return {
    code: 'WORKFLOW_INVALID',
    message: `${id} has ${plural(violations.length, 'violation')}${tool === 'save_workflow' ? '; nothing was written' : ''}`,
    action:
      tool === 'validate_workflow'
        ? 'fix the text as listed, and validate it'
        : 'fix the text as listed, and send it again',
    violations: violations
      .slice(0, mostTold)
      .map(({ pointer, rule, message, expected, actual, line, column, closest, patch }) =>
        defined<RequestViolation>({
          path: line === undefined ? pointer : `${file}:${line}${column === undefined ? '' : `:${column}`} ${pointer}`,
          rule,
          message,
          expected: closest ?? expected,
          actual,
          patch: patch?.map((operation) => ({ ...operation })),
        }),
      ),
    context: asJson({ workflowId: id, file, line: first?.line, column: first?.column, violations: violations.length }),
  };
}
