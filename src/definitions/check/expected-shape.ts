import type { JsonValue } from '../../base/json-value.js';
import { oncePerObject } from '../../base/once-per-object.js';
import type { CompiledStep, CompiledWorkflow, ValueSpec } from '../compiled/compiled-workflow.js';
import { rolesOfAnswers, rolesOfRounds } from '../compiled/schema-parts.js';
import { stepsIn } from '../compiled/visit-steps.js';
import { expressionTree, type ExpressionTree } from '../expression/expression-tree.js';
import { answerNames, itemNames } from '../expression/answer-names.js';
import { expressionFunctions } from '../expression/expression-functions.js';
import { asJson } from '../expression/expression-values.js';
import { stepParts } from '../expand/step-expressions.js';
import { exampleValue } from '../contracts/value-spec.js';

/** What is read of a value anywhere in a workflow: its members, its elements, and what it is compared with. */
interface Shape {
  readonly members: Map<string, Shape>;
  element?: Shape;
  type?: 'text' | 'number' | 'boolean' | 'list';
  readonly values: JsonValue[];
}

/** The example of a context key: what its spec says, filled with what the workflow goes on to read of it. */
export function expectedExample(workflow: CompiledWorkflow, key: string, spec: ValueSpec): JsonValue {
  return exampleFor(spec, contextShape(workflow).members.get(key));
}

const contextShape = oncePerObject((workflow: CompiledWorkflow): Shape => {
  const context = empty();
  readSteps(workflow.steps, new Map([['context', context]]));
  return context;
});

const empty = (): Shape => ({ members: new Map(), values: [] });
const unsaid: ValueSpec = { type: 'any' };

function exampleFor(spec: ValueSpec, shape: Shape | undefined): JsonValue {
  if (shape === undefined || spec.example !== undefined || spec.enum !== undefined) return exampleValue(spec);
  if (spec.type === 'array')
    return shape.element ? [exampleFor(spec.items ?? unsaid, shape.element)] : exampleValue(spec);
  if (spec.type === 'object') return withMembers(shape);
  if (spec.type !== 'any') return exampleValue(spec);
  if (shape.members.size > 0) return withMembers(shape);
  if (shape.element) return [exampleFor(unsaid, shape.element)];
  const [value] = shape.values;
  if (value !== undefined) return value;
  return shape.type === 'number' ? 1 : shape.type === 'boolean' ? true : shape.type === 'list' ? [] : '…';
}

function withMembers({ members }: Shape): JsonValue {
  return Object.fromEntries([...members].map(([name, shape]) => [name, exampleFor(unsaid, shape)]));
}

/** What names stand for, as far as it comes from the context. */
type Names = ReadonlyMap<string, Shape>;

const typeOf = {
  condition: 'boolean',
  agreement: 'boolean',
  while: 'boolean',
  until: 'boolean',
  list: 'list',
  count: 'number',
  collected: undefined,
  answered: 'boolean',
  paged: undefined,
  kept: undefined,
} as const;

function readSteps(steps: readonly CompiledStep[], names: Names): void {
  for (const step of steps) {
    const { holes, sent, asked, names: own } = stepParts(step);
    read(step.if, names, 'boolean');
    for (const hole of [...holes, ...sent]) read(hole, names);
    const inside = new Map(names);
    for (const { text } of own) inside.delete(text);
    const ofAnswer = new Map([...names].filter(([name]) => !answerNames.includes(name) && !itemNames.includes(name)));
    for (const { role, text } of asked) {
      const seen = rolesOfAnswers.has(role) ? ofAnswer : rolesOfRounds.has(role) ? inside : names;
      const shape = read(text, seen, typeOf[role]);
      const element = own.find((name) => name.role === 'element');
      if (role === 'list' && shape && element) inside.set(element.text, (shape.element ??= empty()));
    }
    readSteps(stepsIn(step), inside);
  }
}

function read(source: string | undefined, names: Names, type?: Shape['type']): Shape | undefined {
  const tree = source === undefined ? undefined : expressionTree(source);
  return tree?.ok === true ? typed(tree.value, names, type) : undefined;
}

function typed(tree: ExpressionTree, names: Names, type: Shape['type']): Shape | undefined {
  const shape = shapeOf(tree, names);
  if (shape && type !== undefined) shape.type ??= type;
  return shape;
}

/** The part of the context that an expression gives, if it is one; whatever else is read in it is noted on the way. */
function shapeOf(tree: ExpressionTree, names: Names): Shape | undefined {
  const visit = (inner: ExpressionTree, type?: Shape['type']): undefined => void typed(inner, names, type);
  switch (tree.op) {
    case 'literal':
      return undefined;
    case 'name':
      return names.get(tree.name);
    case 'has':
    case 'member':
      return memberOf(tree, names);
    case 'list':
      tree.items.forEach((item) => visit(item));
      return undefined;
    case 'map':
      tree.entries.flat().forEach((part) => visit(part));
      return undefined;
    case 'choose':
      return chosen(tree, names);
    case 'not':
      return visit(tree.of, 'boolean');
    case 'minus':
      return visit(tree.of, 'number');
    case '&&':
    case '||':
      visit(tree.left, 'boolean');
      return visit(tree.right, 'boolean');
    case '-':
    case '*':
    case '/':
    case '%':
      visit(tree.left, 'number');
      return visit(tree.right, 'number');
    case '+':
      visit(tree.left);
      return visit(tree.right);
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(typed(tree.left, names, undefined), typed(tree.right, names, undefined), tree);
    case 'in':
      return within(tree, names);
    case 'each':
      return eachOf(tree, names);
    case 'call':
      return callOf(tree, names);
  }
}

function memberOf(tree: ExpressionTree & { readonly op: 'member' | 'has' }, names: Names): Shape | undefined {
  const of = shapeOf(tree.of, names);
  if (tree.key.op !== 'literal') return void shapeOf(tree.key, names);
  const part = of && partOf(of, tree.key.value);
  return tree.op === 'has' ? undefined : part;
}

function partOf(of: Shape, key: unknown): Shape | undefined {
  if (typeof key === 'bigint' || typeof key === 'number') return (of.element ??= empty());
  if (typeof key !== 'string') return undefined;
  const part = of.members.get(key) ?? empty();
  of.members.set(key, part);
  return part;
}

function compare(
  left: Shape | undefined,
  right: Shape | undefined,
  trees: { readonly left: ExpressionTree; readonly right: ExpressionTree },
): undefined {
  if (left && trees.right.op === 'literal') left.values.push(asJson(trees.right.value));
  if (right && trees.left.op === 'literal') right.values.push(asJson(trees.left.value));
  return undefined;
}

function within(
  { left, right }: { readonly left: ExpressionTree; readonly right: ExpressionTree },
  names: Names,
): undefined {
  const [one, of] = [shapeOf(left, names), shapeOf(right, names)];
  if (one && right.op === 'list')
    one.values.push(...right.items.flatMap((item) => (item.op === 'literal' ? [asJson(item.value)] : [])));
  if (of && left.op === 'literal' && of.members.size === 0) {
    of.type ??= 'list';
    (of.element ??= empty()).values.push(asJson(left.value));
  }
  return undefined;
}

function chosen(
  { test, then, otherwise }: ExpressionTree & { readonly op: 'choose' },
  names: Names,
): Shape | undefined {
  typed(test, names, 'boolean');
  const [one, other] = [shapeOf(then, names), shapeOf(otherwise, names)];
  return one ?? other;
}

function eachOf(tree: ExpressionTree & { readonly op: 'each' }, names: Names): Shape | undefined {
  const list = shapeOf(tree.list, names);
  const inside = new Map(names);
  inside.delete(tree.variable);
  if (list) {
    list.type ??= 'list';
    inside.set(tree.variable, (list.element ??= empty()));
  }
  const tested = tree.macro !== 'map' || tree.bodies.length > 1;
  const bodies = tree.bodies.map((body, at) => typed(body, inside, tested && at === 0 ? 'boolean' : undefined));
  if (tree.macro === 'filter') return list;
  const made = tree.macro === 'map' ? bodies.at(-1) : undefined;
  return made && { ...empty(), element: made };
}

function callOf(tree: ExpressionTree & { readonly op: 'call' }, names: Names): Shape | undefined {
  const [first, second, ...rest] = tree.args;
  const [only, ...others] = expressionFunctions.get(tree.function)?.takes ?? [];
  const type = others.length > 0 ? undefined : only === 'string' ? 'text' : only === 'array' ? 'list' : undefined;
  const of = first && typed(first, names, type);
  for (const arg of [second, ...rest]) if (arg) shapeOf(arg, names);
  if (second?.op !== 'literal' || !of || !tree.function.startsWith('wr_')) return undefined;
  // Nothing is no example of a value.
  if (tree.function !== 'wr_get' && tree.function !== 'wr_part')
    return void (second.value === null || of.values.push(asJson(second.value)));
  // The JSON format writes a path into what is there as one name.
  return typeof second.value === 'string'
    ? second.value
        .split('.')
        .reduce<Shape | undefined>((part, key) => part && partOf(part, /^\d+$/u.test(key) ? Number(key) : key), of)
    : undefined;
}
