import { assert } from '../../base/assert.js';
import { closestName } from '../../base/closest-name.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Routines } from './compilation.js';
import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';

export interface CallProblem {
  readonly rule: 'routine' | 'call_cycle' | 'limit';
  readonly message: string;
  readonly closest?: string;
}

/** The routines that one workflow calls, each looked up once. */
export type CalledRoutines = (id: string) => Result<CompiledWorkflow, CallProblem>;

export function calledRoutines(routines: Routines | undefined): CalledRoutines {
  const known = new Map<string, Result<CompiledWorkflow, CallProblem>>();
  return (id) => {
    const found = known.get(id) ?? lookUp(id, routines);
    known.set(id, found);
    return found;
  };
}

/** One that the checks have found. */
export function routineOf(called: CalledRoutines, id: string): CompiledWorkflow {
  const routine = called(id);
  assert(routine.ok, `the checks have found the routine ${id}`);
  return routine.value;
}

function lookUp(id: string, routines: Routines | undefined): Result<CompiledWorkflow, CallProblem> {
  const source = routines?.(id);
  if (!source) {
    const closest = closestName(id, routines?.ids?.() ?? []);
    return err({
      rule: 'routine',
      message: `no routine named \`${id}\`${closest === undefined ? '; list_workflows with kind "routine" shows which there are' : `; did you mean \`${closest}\`?`}`,
      ...(closest === undefined ? {} : { closest }),
    });
  }
  const compilation = source.compile();
  if (compilation === undefined)
    return err({
      rule: 'call_cycle',
      message: `\`${id}\` (${source.file}) calls this routine, directly or through others: calls must not form a cycle; remove the call, or move what both need into a separate routine`,
    });
  if (!compilation.ok) {
    const errors = compilation.violations.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const place = first?.line === undefined ? '' : `line ${first.line}: `;
    const rule = errors.some((violation) => violation.rule === 'call_cycle') ? 'call_cycle' : 'routine';
    return err({
      rule,
      message: `\`${id}\` (${source.file}) cannot be called until it is fixed; ${place}${first?.message ?? 'it is broken'}`,
    });
  }
  if (callDepth(compilation.workflow) >= limits.callDepth)
    return err({
      rule: 'limit',
      message: `\`${id}\` calls others that call others; at most ${limits.callDepth} calls go into each other`,
    });
  return ok(compilation.workflow);
}

/** How many calls go into each other in a workflow: a routine's place begins with that of the one around it. */
function callDepth({ provenance = [] }: CompiledWorkflow): number {
  const places = provenance.filter(({ from }) => from.startsWith('routine ')).map(({ at }) => at);
  return Math.max(
    0,
    ...places.map((place) => places.filter((outer) => place === outer || place.startsWith(`${outer}/`)).length),
  );
}
