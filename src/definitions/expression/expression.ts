import { unreachable } from '../../base/assert.js';
import { limits } from '../../base/limits.js';
import { noSharedState, type StateSeen } from '../../base/state-seen.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { callProblem, expressionFunctions } from './expression-functions.js';
import { missingBody } from './missing-body.js';
import { expressionTree, type ExpressionTree } from './expression-tree.js';
import {
  arithmetic,
  asJson,
  equal,
  isList,
  isMap,
  isNumber,
  nameOfType,
  NoValue,
  order,
  OutOfWork,
  type Spend,
  textWork,
  type Value,
} from './expression-values.js';

export interface Scope {
  readonly inputs: JsonObject;
  readonly context: JsonObject;
  readonly outputs: JsonObject;
  /** The rounds of loops, by the loop's id. */
  readonly ledger?: JsonObject;
  /** Absent where the session has none. */
  readonly state?: StateSeen;
  readonly iteration?: number;
  /** The loops' own variables. */
  readonly names: JsonObject;
  /** Shared by expressions that are evaluated together, so that many of them end as one does. */
  readonly meter?: Meter;
}

/** How much work is left. */
export interface Meter {
  left: number;
}

export interface EvaluationFailure {
  readonly ok: false;
  /** The context key that was read and is not set. */
  readonly missing?: string;
  /** It might have a value that nobody has the time to work out. */
  readonly outOfWork?: true;
  readonly message: string;
}

type Evaluated<T> = { readonly ok: true; readonly value: T } | EvaluationFailure;

export function evaluate(source: string, scope: Scope): Evaluated<JsonValue> {
  const tree = expressionTree(source);
  if (!tree.ok) return { ok: false, message: tree.error };
  const { meter = { left: limits.expressionWork } } = scope;
  const reserve = meter.left - limits.expressionWork;
  const spend = (work: number): void => {
    meter.left -= work;
    if (meter.left < Math.max(0, reserve))
      throw new OutOfWork('the expression takes too much work: shorten its lists or nest them less');
  };
  try {
    return { ok: true, value: asJson(valueOf(tree.value, { scope, variables: undefined, spend }), spend) };
  } catch (cause) {
    if (cause instanceof OutOfWork) return { ok: false, outOfWork: true, message: cause.message };
    if (!(cause instanceof NoValue)) throw cause;
    return { ok: false, ...(cause.missing === undefined ? {} : { missing: cause.missing }), message: cause.message };
  }
}

export function evaluateCondition(source: string, scope: Scope): Evaluated<boolean> {
  const result = evaluate(source, scope);
  if (!result.ok) return result;
  if (typeof result.value === 'boolean') return { ok: true, value: result.value };
  return { ok: false, message: `a condition must be true or false; \`${source}\` is ${nameOfType(result.value)}` };
}

interface Evaluation {
  readonly scope: Scope;
  readonly variables: Variable | undefined;
  readonly spend: Spend;
}
type Member = ExpressionTree & { readonly op: 'member' | 'has' };
interface Variable {
  readonly name: string;
  readonly value: Value;
  readonly outer: Variable | undefined;
}

function valueOf(tree: ExpressionTree, at: Evaluation): Value {
  at.spend(1);
  switch (tree.op) {
    case 'literal':
      return tree.value;
    case 'name':
      return named(tree.name, at);
    case 'member':
      return member(tree, at);
    case 'has':
      return has(tree, at);
    case 'list':
      return tree.items.map((item) => valueOf(item, at));
    case 'map':
      return mapOf(tree.entries, at);
    case 'choose':
      return truth(valueOf(tree.test, at), 'the test before `?`')
        ? valueOf(tree.then, at)
        : valueOf(tree.otherwise, at);
    case 'not':
      return !truth(valueOf(tree.of, at), 'what follows `!`');
    case 'minus':
      return arithmetic('-', 0n, valueOf(tree.of, at), at.spend);
    case '&&':
      return sides(tree, false, at);
    case '||':
      return sides(tree, true, at);
    case '==':
      return equal(valueOf(tree.left, at), valueOf(tree.right, at), at.spend);
    case '!=':
      return !equal(valueOf(tree.left, at), valueOf(tree.right, at), at.spend);
    case '<':
      return order(valueOf(tree.left, at), valueOf(tree.right, at), at.spend) < 0;
    case '<=':
      return order(valueOf(tree.left, at), valueOf(tree.right, at), at.spend) <= 0;
    case '>':
      return order(valueOf(tree.left, at), valueOf(tree.right, at), at.spend) > 0;
    case '>=':
      return order(valueOf(tree.left, at), valueOf(tree.right, at), at.spend) >= 0;
    case 'in':
      return isIn(valueOf(tree.left, at), valueOf(tree.right, at), at);
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmetic(tree.op, valueOf(tree.left, at), valueOf(tree.right, at), at.spend);
    case 'each':
      return each(tree, at);
    case 'call':
      return call(tree, at);
    default:
      return unreachable(tree);
  }
}

function named(name: string, at: Evaluation): Value {
  for (let variable = at.variables; variable; variable = variable.outer)
    if (variable.name === name) return variable.value;
  if (Object.hasOwn(at.scope.names, name)) return at.scope.names[name]!;
  if (name === 'inputs' || name === 'context' || name === 'outputs') return at.scope[name];
  if (name === 'ledger') return at.scope.ledger ?? {};
  if (name === 'state') return sharedState(at.scope);
  if (name !== 'iteration') throw new NoValue(`\`${name}\` is not a known name`);
  if (at.scope.iteration === undefined) throw new NoValue('`iteration` has a value only inside a loop');
  return at.scope.iteration;
}

function sharedState({ state = { missing: noSharedState } }: Scope): Value {
  if ('missing' in state) throw new NoValue(state.missing);
  return state.value;
}

/** Whoever asks with has() has thought of there being none. */
function isWithoutState({ scope, variables }: Evaluation): boolean {
  for (let variable = variables; variable; variable = variable.outer) if (variable.name === 'state') return false;
  return scope.state === undefined && !Object.hasOwn(scope.names, 'state');
}

/** Which of the three records a tree names, unless a loop variable hides it. */
function rootOf(tree: ExpressionTree, at: Evaluation): 'inputs' | 'context' | 'outputs' | undefined {
  if (tree.op !== 'name' || (tree.name !== 'inputs' && tree.name !== 'context' && tree.name !== 'outputs'))
    return undefined;
  for (let variable = at.variables; variable; variable = variable.outer)
    if (variable.name === tree.name) return undefined;
  return tree.name;
}

function member(tree: Member, at: Evaluation): Value {
  const of = valueOf(tree.of, at);
  const key = valueOf(tree.key, at);
  if (isList(of)) {
    const place = isNumber(key) ? Number(key) : Number.NaN;
    if (!Number.isInteger(place)) throw new NoValue(`a place in a list is a whole number, got ${nameOfType(key)}`);
    if (place < 0 || place >= of.length)
      throw new NoValue(`the list has ${of.length} elements and none at place ${place}`);
    return of[place]!;
  }
  if (!isMap(of)) throw new NoValue(`${pathOf(tree.of)} is ${nameOfType(of)} and has no member ${pathOf(tree.key)}`);
  const name = typeof key === 'string' ? key : isNumber(key) ? String(key) : undefined;
  if (name === undefined) throw new NoValue(`the name of a member is text, got ${nameOfType(key)}`);
  if (Object.hasOwn(of, name)) return of[name]!;
  switch (rootOf(tree.of, at)) {
    case 'context':
      throw new NoValue(`the context key \`${name}\` is not set`, name);
    case 'inputs':
      throw new NoValue(`the input \`${name}\` was not given`);
    case 'outputs':
      throw new NoValue(`step \`${name}\` has no output on this path`);
    case undefined:
      throw new NoValue(
        (name === 'body' ? missingBody(of, pathOf(tree)) : undefined) ?? `${pathOf(tree.of)} has no member \`${name}\``,
      );
  }
}

/** As `has()` asks: whether the last member is there. What comes before it in `context` may be missing too: that is a no. */
function has(tree: Member, at: Evaluation): boolean {
  const of = presentOrNothing(tree.of, at);
  if (of === undefined) return false;
  const key = valueOf(tree.key, at);
  if (isMap(of)) return typeof key === 'string' && Object.hasOwn(of, key);
  if (isList(of)) return isNumber(key) && Number(key) >= 0 && Number(key) < of.length;
  return false;
}

function presentOrNothing(tree: ExpressionTree, at: Evaluation): Value | undefined {
  if (tree.op === 'name' && tree.name === 'state' && isWithoutState(at)) return undefined;
  if (tree.op !== 'member') return valueOf(tree, at);
  return has(tree, at) ? valueOf(tree, at) : undefined;
}

function mapOf(entries: readonly (readonly [ExpressionTree, ExpressionTree])[], at: Evaluation): Value {
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const name = valueOf(key, at);
      if (typeof name !== 'string') throw new NoValue(`the key of an object is text, got ${nameOfType(name)}`);
      return [name, valueOf(value, at)];
    }),
  );
}

function truth(value: Value, what: string): boolean {
  if (typeof value !== 'boolean') throw new NoValue(`${what} must be true or false, got ${nameOfType(value)}`);
  return value;
}

/** An absorbed failure costs a stack trace, about a hundred times a visit to a node. */
const failureWork = 100;

function isIn(value: Value, of: Value, at: Evaluation): boolean {
  if (isList(of)) return of.some((item) => equal(item, value, at.spend));
  if (isMap(of)) return typeof value === 'string' && Object.hasOwn(of, value);
  if (typeof of === 'string' && typeof value === 'string') {
    at.spend(textWork(of));
    return of.includes(value);
  }
  throw new NoValue(`\`in\` looks into a list or an object, got ${nameOfType(of)}`);
}

function each(tree: ExpressionTree & { readonly op: 'each' }, at: Evaluation): Value {
  const of = valueOf(tree.list, at);
  if (!isList(of) && !isMap(of)) throw new NoValue(`${tree.macro}() goes over a list, got ${nameOfType(of)}`);
  const items: readonly Value[] = isList(of) ? of : Object.keys(of);
  at.spend(items.length >> 3);
  const inside = (item: Value): Evaluation => ({
    ...at,
    variables: { name: tree.variable, value: item, outer: at.variables },
  });
  const [first, second] = tree.bodies as readonly [ExpressionTree, ExpressionTree?];
  const holds = (item: Value): boolean => truth(valueOf(first, inside(item)), `the test of ${tree.macro}()`);
  switch (tree.macro) {
    case 'map':
      if (!second) return items.map((item) => valueOf(first, inside(item)));
      return items.filter(holds).map((item) => valueOf(second, inside(item)));
    case 'filter':
      return items.filter(holds);
    case 'exists_one':
      return items.filter(holds).length === 1;
    case 'exists':
      return quantified(items, holds, true, at);
    case 'all':
      return quantified(items, holds, false, at);
    default:
      return unreachable(tree.macro);
  }
}

function sides(
  { op, left, right }: ExpressionTree & { readonly op: '&&' | '||' },
  settles: boolean,
  at: Evaluation,
): boolean {
  return quantified([left, right], (side) => truth(valueOf(side, at), `each side of \`${op}\``), settles, at);
}

/** CEL's rule: what settles the answer wins even when the rest has no value. */
function quantified<T>(items: readonly T[], holds: (item: T) => boolean, settles: boolean, at: Evaluation): boolean {
  let failure: NoValue | undefined;
  for (const item of items) {
    try {
      if (holds(item) === settles) return settles;
    } catch (cause) {
      if (!(cause instanceof NoValue)) throw cause;
      failure ??= cause;
      at.spend(failureWork);
    }
  }
  if (failure) throw failure;
  return !settles;
}

function call(tree: ExpressionTree & { readonly op: 'call' }, at: Evaluation): Value {
  const problem = callProblem(tree.function, tree.method, tree.args.length);
  if (problem) throw new NoValue(problem.message);
  const args = tree.args.map((arg) => valueOf(arg, at));
  for (const arg of args) if (typeof arg === 'string') at.spend(textWork(arg));
  return expressionFunctions.get(tree.function)!.apply(args, at.spend);
}

/** A tree as its author wrote it, near enough to be recognised. */
function pathOf(tree: ExpressionTree): string {
  const path = plainPath(tree);
  return path === undefined ? 'the value' : `\`${path}\``;
}
function plainPath(tree: ExpressionTree): string | undefined {
  if (tree.op === 'name') return tree.name;
  if (tree.op === 'literal') return typeof tree.value === 'string' ? tree.value : String(tree.value);
  if (tree.op !== 'member') return undefined;
  const of = plainPath(tree.of);
  const key = plainPath(tree.key);
  return of === undefined || key === undefined ? undefined : `${of}.${key}`;
}
