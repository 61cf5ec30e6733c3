import { unreachable } from '../../base/assert.js';
import { canonicalJson, shownJson } from '../../base/canonical-json.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { oncePerObject } from '../../base/once-per-object.js';
import type { KeySpec, ValueSpec } from '../compiled/compiled-workflow.js';
import { linearPattern } from '../expression/linear-pattern.js';
import { workOfPattern } from '../expression/pattern-parts.js';
import { JudgingWork, TooMuchWork } from './judging-work.js';
import { patternExample } from './pattern-example.js';

export interface ValueProblem {
  /** JSON pointer into the value. */
  readonly pointer: string;
  readonly message: string;
}

/** Ends whatever the pattern and the value are, and after as many problems as anybody is told. */
export function checkValue(spec: ValueSpec, value: JsonValue, work = new JudgingWork()): readonly ValueProblem[] {
  const problems: ValueProblem[] = [];
  try {
    judge(spec, value, '', { problems, work });
  } catch (cause) {
    if (!(cause instanceof TooMuchWork)) throw cause;
    problems.push({ pointer: '', message: 'it takes too much work to hold it against what is expected: hand in less' });
  }
  return problems;
}

interface Judging {
  readonly problems: ValueProblem[];
  readonly work: JudgingWork;
}

const textsOf = oncePerObject((choices: readonly JsonValue[]) => new Set(choices.map(canonicalJson)));

function judge(spec: ValueSpec, value: JsonValue, pointer: string, judging: Judging): void {
  const { problems, work } = judging;
  work.spend(1);
  if (!isRight(spec, value, work)) {
    problems.push({ pointer, message: `expected ${describeValue(spec)}, got ${shownJson(value)}` });
    return;
  }
  const items = spec.items;
  if (!items || !Array.isArray(value)) return;
  for (const [at, item] of (value as readonly JsonValue[]).entries()) {
    if (problems.length >= limits.violations) return;
    judge(items, item, `${pointer}/${at}`, judging);
  }
}

function isRight(spec: ValueSpec, value: JsonValue, work: JudgingWork): boolean {
  if (!hasType(spec.type, value)) return false;
  if (spec.enum && !textsOf(spec.enum).has(canonicalJson(value))) return false;
  if (typeof value === 'number') return value >= (spec.minimum ?? value) && value <= (spec.maximum ?? value);
  if (typeof value !== 'string' || spec.pattern === undefined) return true;
  const pattern = linearPattern(spec.pattern);
  if (!pattern.ok) return true;
  work.spend((value.length * pattern.value.size) / 2);
  return pattern.value.test(value);
}

function hasType(type: ValueSpec['type'], value: JsonValue): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return unreachable(type);
  }
}

/** What a right value is, as the end of a sentence: `"Small" or "Large"`, `a whole number of at least 0`. */
export function describeValue(spec: ValueSpec): string {
  if (spec.enum) return alternatives(spec.enum.map((choice) => canonicalJson(choice)));
  switch (spec.type) {
    case 'string':
      return spec.pattern === undefined ? 'text' : `text that matches \`${spec.pattern}\``;
    case 'number':
      return `a number${range(spec)}`;
    case 'integer':
      return `a whole number${range(spec)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return spec.items ? `a list, each element ${describeValue(spec.items)}` : 'a list';
    case 'object':
      return 'an object';
    case 'any':
      return 'any value';
    default:
      return unreachable(spec.type);
  }
}

/** The same of a key that a step hands back. */
export const describeKey = (spec: KeySpec): string =>
  spec.add === true ? `what to add: ${describeValue(spec)}, or one element` : describeValue(spec);

function alternatives(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)!}`;
}

function range({ minimum, maximum }: ValueSpec): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

/** A value that passes `checkValue`: the author's own where there is one. */
export function exampleValue(spec: ValueSpec & { readonly default?: JsonValue }, work?: JudgingWork): JsonValue {
  if (spec.example !== undefined) return spec.example;
  if (spec.default !== undefined) return spec.default;
  const [first] = spec.enum ?? [];
  if (first !== undefined) return first;
  switch (spec.type) {
    case 'string':
      return spec.pattern === undefined ? 'text' : (patternExample(spec.pattern, work) ?? 'text');
    case 'integer':
      return awayFromZero(nearestToZero(spec));
    case 'number':
      return nearestToZero(spec);
    case 'boolean':
      return false;
    case 'array':
      return spec.items ? [exampleValue(spec.items)] : [];
    case 'object':
      return {};
    case 'any':
      return 'text';
    default:
      return unreachable(spec.type);
  }
}

function awayFromZero(number: number): number {
  return number < 0 ? Math.floor(number) : Math.ceil(number);
}

function nearestToZero({ minimum, maximum }: ValueSpec): number {
  if (minimum !== undefined && minimum > 0) return minimum;
  return maximum !== undefined && maximum < 0 ? maximum : 0;
}

/** Why no value, or no example of one, can be right; what an author must mend before the spec can be used. */
export function specProblems(
  spec: ValueSpec & { readonly default?: JsonValue },
  work = new JudgingWork(),
): readonly { readonly key: string; readonly message: string }[] {
  const problems: { key: string; message: string }[] = [];
  const say = (key: string, message: string): void => void problems.push({ key, message });
  const forType = (key: 'pattern' | 'minimum' | 'maximum' | 'items', types: readonly string[]): void => {
    if (spec[key] !== undefined && !types.includes(spec.type))
      say(key, `\`${key}\` says nothing of type ${spec.type}; it belongs to ${types.join(' or ')}`);
  };
  forType('pattern', ['string']);
  forType('minimum', ['number', 'integer']);
  forType('maximum', ['number', 'integer']);
  forType('items', ['array']);
  if (spec.minimum !== undefined && spec.maximum !== undefined) {
    const whole = spec.type !== 'integer' || Math.ceil(spec.minimum) <= Math.floor(spec.maximum);
    if (spec.minimum > spec.maximum || !whole)
      say('maximum', `no ${spec.type} is between ${spec.minimum} and ${spec.maximum}`);
  }
  if (spec.pattern !== undefined) work.spend(workOfPattern(spec.pattern));
  const pattern = spec.pattern === undefined ? undefined : linearPattern(spec.pattern);
  if (pattern && !pattern.ok) say('pattern', `\`${spec.pattern!}\` is ${pattern.error}`);
  // A choice, a default or an example must itself be a right value, or what we show would be refused when handed back.
  const { enum: choices, ...rest } = spec;
  choices?.forEach((choice) => checkValue(rest, choice, work).forEach((problem) => say('enum', problem.message)));
  for (const key of ['example', 'default'] as const) {
    const value = spec[key];
    if (value !== undefined) checkValue(spec, value, work).forEach((problem) => say(key, problem.message));
  }
  if (
    problems.length === 0 &&
    spec.pattern !== undefined &&
    checkValue(spec, exampleValue(spec, work), work).length > 0
  )
    say('pattern', 'no value was found that matches this `pattern`: fix it, or give an `example` value');
  return problems;
}
