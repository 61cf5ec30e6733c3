import type { StateId } from '../../base/ids.js';
import type { PatchProblem } from '../../base/patch/patch-problem.js';
import type { Rejection } from '../../base/rejection.js';
import type { SchemaViolation } from '../../decide/states/state-write.js';
import type { StateSchema } from '../../events/state-events.js';
import { limits } from '../../base/limits.js';

/** Why a patch, or a document, was not taken. `at` is where it stands in the request. */
export function patchRejection(problem: PatchProblem, at: string): Rejection {
  const { place, pointer, rule, message, expected, actual, action, operation } = problem;
  const isLimit = rule === 'too_large' || rule === 'too_deep' || rule === 'too_many' || rule === 'too_much_work';
  return {
    code: isLimit ? 'LIMIT_EXCEEDED' : 'PATCH_FAILED',
    message: `nothing was written: ${operation === undefined ? '' : `operation ${operation}: `}${message}`,
    action,
    violations: [
      {
        path: `${at}${place}`,
        rule,
        message,
        ...(expected !== undefined && { expected }),
        ...(actual !== undefined && { actual }),
      },
    ],
    ...(pointer !== '' && { context: { pointer } }),
  };
}

export function invalidState(violations: readonly SchemaViolation[], schema: StateSchema, at: string): Rejection {
  return {
    code: 'STATE_INVALID',
    message: `the document does not fit its schema ${schema.name} ${schema.version}; nothing was written`,
    action: 'correct it, and make the same call again',
    violations: violations
      .slice(0, limits.violations)
      .map(({ path, message }) => ({ path: `${at}${path}`, rule: 'schema', message })),
    nextCall: { tool: 'state_schema', arguments: { schemaName: schema.name, schemaVersion: schema.version } },
  };
}

export const notHere = (id: StateId): Rejection => ({
  code: 'NOT_FOUND',
  message: `the value of the shared state ${id} is not in its log any more: lines were withdrawn, or files of the session are gone`,
  action: 'bring the files back (git checkout, git stash pop), or see what is wrong with the session',
  context: { stateId: id },
});
