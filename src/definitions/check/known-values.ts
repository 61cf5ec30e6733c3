import { shownJson } from '../../base/canonical-json.js';
import { closestNames } from '../../base/closest-name.js';
import { escapePattern } from '../../base/escape-pattern.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { own } from '../../base/own.js';
import type { CompiledWorkflow, KeySpec } from '../compiled/compiled-workflow.js';
import { everyStep, promptsIn } from '../compiled/visit-steps.js';
import { describeKey, describeValue } from '../contracts/value-spec.js';
import { stepParts } from '../expand/step-expressions.js';
import { comparedValues } from '../expression/compared-values.js';
import { contextReads } from '../expression/context-reads.js';
import { looselyEqual } from '../expression/loose-comparison.js';

type Known = string | boolean;

interface Compared {
  readonly values: readonly Known[];
  /** Any other value takes away whatever hangs on the key. */
  readonly isClosed: boolean;
  /** Only conditions of the WorkRail JSON format read it, which forgive the case. */
  readonly isLoose: boolean;
}

/** Conditions that hold or do not; lists and counts are no choice between values. */
const choosing: ReadonlySet<string> = new Set(['condition', 'agreement', 'while', 'until']);

const comparedIn = oncePerObject((workflow: CompiledWorkflow): ReadonlyMap<string, Compared> => {
  const values = new Map<string, Set<Known>>();
  // One value has “otherwise” for its other side, and so has what is only asked of loops, parts and agreement.
  const ways = new Map<string, Set<Known>>();
  const open = new Set<string>();
  const strict = new Set<string>();
  const note = (source: string, isWay: boolean): void => {
    const compared = comparedValues(source);
    for (const key of compared.open) open.add(key);
    for (const { key, lenient } of contextReads(source)) if (lenient !== true) strict.add(key);
    for (const [key, some] of compared.values)
      for (const to of isWay ? [values, ways] : [values]) to.set(key, new Set([...(to.get(key) ?? []), ...some]));
  };
  for (const { step } of everyStep(workflow.steps)) {
    if (step.if !== undefined) note(step.if, true);
    // The form of its artifact says which values such a key has.
    if (step.kind === 'prompt') for (const key of Object.keys(step.takes ?? {})) open.add(key);
    for (const { role, text } of stepParts(step).asked)
      if (choosing.has(role)) note(text, false);
      else for (const { key } of contextReads(text)) open.add(key);
  }
  return new Map(
    [...values].map(([key, some]) => {
      const isChoice = [...some].every((value) => typeof value === 'boolean') || (ways.get(key)?.size ?? 0) > 1;
      const known = [...some].some((value) => typeof value === 'boolean') ? new Set([...some, true, false]) : some;
      return [key, { values: [...known], isClosed: isChoice && !open.has(key), isLoose: !strict.has(key) }];
    }),
  );
});

/** The values that conditions know, the nearest first, where that of a key is none of them and all of them hang on which it is. */
export function valuesInstead(
  workflow: CompiledWorkflow,
  key: string,
  value: JsonValue | undefined,
): readonly JsonValue[] | undefined {
  const compared = comparedIn(workflow).get(key);
  if (value === undefined || value === null || compared === undefined || !compared.isClosed) return undefined;
  const { values, isLoose } = compared;
  // Everywhere a number equals the text that spells it.
  const spelled = typeof value === 'number' ? String(value) : value;
  const isKnown = values.some((one) => one === spelled || (isLoose && looselyEqual(value, one, () => {})));
  if (isKnown || isNamed(workflow, key, value, isLoose)) return undefined;
  if (typeof value !== 'string') return values;
  const texts = values.filter((one) => typeof one === 'string');
  const nearest = closestNames(value, texts);
  return [...nearest, ...values.filter((one) => typeof one !== 'string' || !nearest.includes(one))];
}

/** A value that the steps which set the key allow or speak of is the author's “otherwise”. */
function isNamed(workflow: CompiledWorkflow, key: string, value: JsonValue, isLoose: boolean): boolean {
  const prompts = promptsIn(workflow.steps);
  const setters = prompts.filter(({ sets }) => own(sets, key) !== undefined);
  const specs = setters.flatMap(({ sets }) => own(sets, key) ?? []);
  if (specs.some((spec) => spec.enum?.includes(value) === true)) return true;
  if (typeof value !== 'string' || value.trim() === '' || value.length > nameLength) return false;
  const fold = (text: string): string => (isLoose ? text.toLowerCase() : text);
  const word = new RegExp(`(?<!\\w)${escapePattern(fold(value.trim()))}(?!\\w)`, 'u');
  const said = specs.flatMap(({ description }) => description ?? []);
  const texts = (setters.length > 0 ? setters : prompts).flatMap(({ prompt, guidance }) => [prompt, ...guidance]);
  return [...said, ...texts].some((text) => word.test(fold(text)));
}

/** Nobody calls a way by more. */
const nameLength = 80;

const valuesTold = 12;

export interface ValueUnknown {
  readonly key: string;
  readonly value: JsonValue;
  readonly known: readonly JsonValue[];
}

export const tellUnknownValue = ({ key, value, known }: ValueUnknown): string =>
  `context.${key} is ${shownJson(value)}, which no condition knows; they compare it with ${describeValue({ type: 'any', enum: known.slice(0, valuesTold) })}`;

export function valuesUnknown(workflow: CompiledWorkflow, context: JsonObject): readonly ValueUnknown[] {
  return Object.entries(context).flatMap(([key, value]): readonly ValueUnknown[] => {
    const known = valuesInstead(workflow, key, value);
    return known === undefined ? [] : [{ key, value, known }];
  });
}

/** Which values a key may have: its spec's, or where that says nothing those that conditions compare it with. */
export function describeAsked(workflow: CompiledWorkflow, key: string, spec: KeySpec): string {
  const told = describeKey(spec);
  const compared = comparedIn(workflow).get(key);
  if (spec.type !== 'any' || spec.enum !== undefined || compared === undefined) return told;
  const { values, isClosed } = compared;
  const named = describeValue({ type: 'any', enum: [...values] });
  return isClosed ? named : `${told}; conditions compare it with ${named}`;
}
