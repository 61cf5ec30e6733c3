import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import { pathOf } from '../compiled/place.js';
import { everyStep } from '../compiled/visit-steps.js';
import type { JudgingWork } from './judging-work.js';
import { schemaProblem } from './schema-judge.js';
import type { SchemaProblem } from './schema-work.js';

/** What a compiled workflow asks for by a schema that nothing can be held against. */
export interface RefusedSchema extends SchemaProblem {
  readonly step: string;
  readonly kind: string;
}

/**
 * Of a workflow that was compiled elsewhere, so that nobody has looked at its schemas here. Past what the work allows
 * they are counted and not compiled.
 */
export function* refusedSchemas({ steps }: CompiledWorkflow, work: JudgingWork): Generator<RefusedSchema> {
  for (const { step, around } of everyStep(steps)) {
    if (step.kind !== 'prompt') continue;
    for (const { kind, schema } of step.outputs) {
      const problem = schemaProblem(schema, work);
      if (problem !== undefined && problem.together !== true)
        yield { ...problem, step: pathOf(around, [], step.id), kind };
    }
  }
}
