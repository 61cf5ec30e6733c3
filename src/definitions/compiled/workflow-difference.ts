import { canonicalJson } from '../../base/canonical-json.js';
import type { JsonValue } from '../../base/json-value.js';
import type { CompiledStep, CompiledWorkflow } from './compiled-workflow.js';
import { everyStep } from './visit-steps.js';

/** What another version of a workflow does differently, each in a few words: fields of the whole, steps that came, went, moved or changed. */
export function workflowDifference(from: CompiledWorkflow, to: CompiledWorkflow): readonly string[] {
  const changes: string[] = [];
  for (const field of [
    'title',
    'description',
    'version',
    'guidance',
    'preconditions',
    'clarify',
    'recommends',
    'inputs',
    'references',
    'returns',
    'operations',
  ] as const) {
    if (!same(from[field], to[field])) changes.push(`${field} changed`);
  }
  const before = flat(from.steps);
  const after = flat(to.steps);
  for (const [id, step] of before) {
    const now = after.get(id);
    if (now === undefined) changes.push(`step ${id} is gone`);
    else changes.push(...stepDifference(id, step, now));
  }
  for (const id of after.keys()) if (!before.has(id)) changes.push(`step ${id} is new`);
  const kept = [...before.keys()].filter((id) => after.has(id));
  const order = [...after.keys()].filter((id) => before.has(id));
  if (kept.join() !== order.join()) changes.push('steps changed places');
  return changes;
}

function stepDifference(id: string, from: CompiledStep, to: CompiledStep): readonly string[] {
  const [before, after] = [
    new Map<string, unknown>(Object.entries(from)),
    new Map<string, unknown>(Object.entries(to)),
  ];
  const fields = new Set([...before.keys(), ...after.keys()].filter((field) => field !== 'steps'));
  const changed = [...fields].filter((field) => !same(before.get(field), after.get(field)));
  return changed.length === 0 ? [] : [`step ${id}: ${changed.join(', ')} changed`];
}

function flat(steps: readonly CompiledStep[]): ReadonlyMap<string, CompiledStep> {
  return new Map([...everyStep(steps)].map(({ step }) => [step.id, step]));
}

function same(a: unknown, b: unknown): boolean {
  return (
    a === b || (a !== undefined && b !== undefined && canonicalJson(a as JsonValue) === canonicalJson(b as JsonValue))
  );
}
