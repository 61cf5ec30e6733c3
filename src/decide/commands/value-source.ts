import { own } from '../../base/own.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { collectors, placesOf } from '../../definitions/compiled/place.js';
import type { Place } from '../../definitions/compiled/visit-steps.js';
import { expressionTree } from '../../definitions/expression/expression-tree.js';
import { rootRead, visitExpression } from '../../definitions/expression/visit-expression.js';

/** Whose word a value is in the end: what was there when the run began, what a command gave, or what an agent wrote. */
export type ValueSource = 'begin' | 'command' | 'agent';

const order: readonly ValueSource[] = ['begin', 'command', 'agent'];
const later = (one: ValueSource, other: ValueSource): ValueSource =>
  order.indexOf(one) < order.indexOf(other) ? other : one;

/** Where an expression at a place of a workflow has its value from, through lists of loops and what loops collect. */
export function valueSource(
  workflow: CompiledWorkflow,
  source: string,
  around: Place['around'],
  seen: ReadonlySet<string> = new Set(),
): ValueSource {
  const tree = expressionTree(source);
  if (!tree.ok) return 'agent';
  let found: ValueSource = 'begin';
  const known = new Set<unknown>();
  visitExpression(tree.value, new Set(), (node, variables) => {
    const read = rootRead(node, variables);
    if (read?.root === 'outputs' || read?.root === 'context') {
      known.add(node.op === 'call' ? node.args[0] : 'of' in node ? node.of : undefined);
      if (read.root === 'outputs') found = later(found, ofOutput(workflow, read.key));
      if (read.root === 'context') found = later(found, ofKey(workflow, read.key, seen));
    }
    if (node.op !== 'name' || variables.has(node.name) || known.has(node)) return;
    // Of which key nobody can say before.
    if (node.name === 'context' || node.name === 'outputs') found = 'agent';
    // Agents, people and programs write to it.
    if (node.name === 'state' && !around.some((one) => elementsOf(one)?.as === 'state')) found = 'agent';
    found = later(found, ofElement(workflow, node.name, around, seen));
  });
  return found;
}

const ofOutput = (workflow: CompiledWorkflow, step: string): ValueSource =>
  placesOf(workflow).get(step)?.step.kind === 'run' ? 'command' : 'agent';

/** What a loop collects nobody hands in. */
function ofKey(workflow: CompiledWorkflow, key: string, seen: ReadonlySet<string>): ValueSource {
  const place = placesOf(workflow).get(collectors(workflow).get(key) ?? '');
  const collected = place?.step.kind === 'loop' ? own(place.step.collect ?? {}, key) : undefined;
  if (place?.step.kind !== 'loop' || collected === undefined) return 'agent';
  if (seen.has(key)) return 'begin';
  return valueSource(workflow, collected, [...place.around, place.step], new Set([...seen, key]));
}

/** The element of a list, which a loop goes through. */
function ofElement(
  workflow: CompiledWorkflow,
  name: string,
  around: Place['around'],
  seen: ReadonlySet<string>,
): ValueSource {
  const at = around.findLastIndex((one) => elementsOf(one)?.as === name);
  const elements = around[at] && elementsOf(around[at]);
  return elements === undefined ? 'begin' : valueSource(workflow, elements.list, around.slice(0, at), seen);
}

const elementsOf = (one: Place['around'][number]): { readonly list: string; readonly as: string } | undefined =>
  one.kind === 'loop' && one.loop.type === 'foreach' ? one.loop : undefined;
