import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import { everyStep } from '../compiled/visit-steps.js';
import { finding, type Finding } from '../source/finding.js';

/** Bounds that calls can break though no file by itself does. Steps of the source stand at the same places in the compiled workflow. */
export function checkExpanded(workflow: CompiledWorkflow): readonly Finding[] {
  const found: Finding[] = [];
  const ids = new Set<string>();
  let count = 0;
  for (const { step, around, path } of everyStep(workflow.steps)) {
    count += 1;
    if (ids.has(step.id)) {
      const message = `with the routines that are called here, two steps are called \`${step.id}\`; give the call another id`;
      found.push(finding(path, 'duplicate_id', message, { actual: step.id }));
    }
    ids.add(step.id);
    if (step.id.length > limits.expandedName) {
      const message = `with the calls around it a step is called \`${step.id.slice(0, 60)}…\`, ${step.id.length} characters; at most ${limits.expandedName} are allowed`;
      found.push(finding(path, 'limit', message));
    }
    if (step.kind === 'loop' && around.filter(({ kind }) => kind === 'loop').length === limits.loopNesting) {
      const message = `with the routines that are called here, loops nest more than ${limits.loopNesting} deep`;
      found.push(finding(path, 'limit', message));
    }
  }
  if (count > limits.steps) {
    const message = `with the routines that are called, the workflow has ${count} steps; at most ${limits.steps} are allowed`;
    found.push(finding(['steps'], 'limit', message));
  }
  const bytes = found.length > 0 ? 0 : byteLength(JSON.stringify(workflow));
  if (bytes > limits.compiledWorkflow) {
    const message = `with everything that it calls, the workflow has ${bytes} bytes; at most ${limits.compiledWorkflow} are allowed`;
    found.push(finding(['steps'], 'limit', message));
  }
  return found;
}
