import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import type { CompiledStep, CompiledWorkflow } from '../compiled/compiled-workflow.js';
import type { SourcePath } from '../source/source-path.js';
import type { Finding } from '../source/source-reporter.js';

/** Bounds that calls can break though no file by itself does. Steps of the source stand at the same places in the compiled workflow. */
export function checkExpanded(workflow: CompiledWorkflow): readonly Finding[] {
  const found: Finding[] = [];
  const ids = new Set<string>();
  let count = 0;
  const walk = (steps: readonly CompiledStep[], path: SourcePath, loops: number): void => {
    steps.forEach((step, at) => {
      const here = [...path, 'steps', at];
      count += 1;
      if (ids.has(step.id))
        found.push({
          path: here,
          rule: 'duplicate_id',
          message: `with the routines that are called here, two steps are called \`${step.id}\`; give the call another id`,
          actual: step.id,
        });
      ids.add(step.id);
      if (step.id.length > limits.expandedName)
        found.push({
          path: here,
          rule: 'limit',
          message: `with the calls around it a step is called \`${step.id.slice(0, 60)}…\`, ${step.id.length} characters; at most ${limits.expandedName} are allowed`,
        });
      if (step.kind === 'prompt') return;
      const inside = loops + (step.kind === 'loop' ? 1 : 0);
      if (step.kind === 'loop' && inside === limits.loopNesting + 1)
        found.push({
          path: here,
          rule: 'limit',
          message: `with the routines that are called here, loops nest more than ${limits.loopNesting} deep`,
        });
      walk(step.steps, here, inside);
    });
  };
  walk(workflow.steps, [], 0);
  if (count > limits.steps)
    found.push({
      path: ['steps'],
      rule: 'limit',
      message: `with the routines that are called, the workflow has ${count} steps; at most ${limits.steps} are allowed`,
    });
  const bytes = found.length > 0 ? 0 : byteLength(JSON.stringify(workflow));
  if (bytes > limits.compiledWorkflow)
    found.push({
      path: ['steps'],
      rule: 'limit',
      message: `with everything that it calls, the workflow has ${bytes} bytes; at most ${limits.compiledWorkflow} are allowed`,
    });
  return found;
}
