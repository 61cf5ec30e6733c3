import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { CompiledStep, ValueSpec } from '../compiled/compiled-workflow.js';
import { everyStep, keysCollected, promptsIn } from '../compiled/visit-steps.js';
import { expressionTree } from '../expression/expression-tree.js';
import { askingIn, type CommandAnswers } from './command-answers.js';
import { anyType, commonType, elementOf, inferType, typeOfSpec, type TypeNames } from './infer-type.js';
import { typeInWords, type KnownType, type TypeProblem } from './known-type.js';
import type { StepOutline } from '../source/source-outline.js';
import type { Finding } from '../source/finding.js';
import { loopVariable, type ExpressionUse } from './source-uses.js';

/** Inputs and context keys that have one declared type wherever they come from. */
export function declaredTypes(
  inputs: JsonObject,
  all: readonly StepOutline[],
  called: readonly CompiledStep[],
): Omit<TypeNames, 'variables'> {
  const context: { [key: string]: KnownType } = {};
  const learn = (key: string, type: KnownType): void => {
    context[key] = Object.hasOwn(context, key) ? commonType(context[key]!, type) : type;
  };
  for (const { source } of all) {
    if (isJsonObject(source['sets']))
      for (const [key, spec] of Object.entries(source['sets'])) learn(key, typeOf(spec));
    if (isJsonObject(source['collect']))
      for (const key of Object.keys(source['collect'])) learn(key, { type: 'array' });
    // What satisfies a need may be anything.
    for (const need of Array.isArray(source['needs']) ? (source['needs'] as readonly JsonValue[]) : [])
      if (isJsonObject(need) && typeof need['key'] === 'string') learn(need['key'], anyType);
  }
  for (const { step } of everyStep(called)) for (const key of keysCollected(step)) learn(key, { type: 'array' });
  for (const { sets, takes = {}, needs } of promptsIn(called)) {
    for (const [key, spec] of Object.entries(sets)) learn(key, typeOfSpec(spec));
    for (const key of [...Object.keys(takes), ...needs.map((need) => need.key)]) learn(key, anyType);
  }
  return { inputs: Object.fromEntries(Object.entries(inputs).map(([name, spec]) => [name, typeOf(spec)])), context };
}

/** A spec of the wrong shape is told by the schema, and tells nothing here. */
function typeOf(spec: JsonValue): KnownType {
  if (!isJsonObject(spec)) return anyType;
  const { type, enum: values, items } = spec;
  if (typeof type !== 'string' || !['string', 'number', 'integer', 'boolean', 'array', 'object'].includes(type))
    return anyType;
  const known = typeOfSpec({
    type: type as ValueSpec['type'],
    ...(Array.isArray(values) && { enum: values as readonly JsonValue[] }),
  });
  return isJsonObject(items) ? { ...known, items: typeOf(items) } : known;
}

const wanted = {
  condition: { type: 'boolean', what: 'a condition' },
  list: { type: 'array', what: 'what is gone over' },
  count: { type: 'number', what: 'how often a loop runs' },
} as const;

export function checkTypes(
  use: ExpressionUse,
  declared: Omit<TypeNames, 'variables'>,
  answers: CommandAnswers,
): readonly Finding[] {
  const tree = expressionTree(use.source);
  if (!tree.ok) return [];
  const found: Finding[] = [];
  const at = { path: use.path, of: { text: use.text }, rule: 'type' } as const;
  const names: TypeNames = {
    ...declared,
    variables: { ...variableTypes(use.loops, declared), ...answerTypes(use, answers) },
  };
  const type = inferType(tree.value, names, (problem) => found.push({ ...at, ...toldOf(use.source, problem) }));
  if (use.as === 'text' || use.as === 'value' || found.length > 0) return found;
  const { type: right, what } = wanted[use.as];
  if (type.type === 'any' || type.type === right) return found;
  const expected = typeInWords({ type: right });
  return [
    {
      ...at,
      message: `${what} must be ${expected}; \`${use.source}\` is ${typeInWords(type)}`,
      expected,
      actual: typeInWords(type),
    },
  ];
}

/** A problem of a part as one of the expression that it stands in. */
export const toldOf = (
  source: string,
  { message, mild, ...more }: TypeProblem,
): Omit<Finding, 'path' | 'of' | 'rule'> => ({
  message: `\`${source}\` ${message}`,
  ...more,
  ...(mild && { severity: 'warning' }),
});

function answerTypes({ answer = [], asking }: ExpressionUse, answers: CommandAnswers): TypeNames['variables'] {
  if (asking === undefined) return {};
  const names = answers.of(askingIn(asking));
  const types = { ...names.answer, ...names.item };
  return Object.fromEntries(answer.map((name) => [name, own(types, name) ?? anyType]));
}

function variableTypes(loops: readonly StepOutline[], declared: Omit<TypeNames, 'variables'>): TypeNames['variables'] {
  let variables: { readonly [name: string]: KnownType } = loops.length > 0 ? { iteration: { type: 'number' } } : {};
  for (const loop of loops) {
    const name = loopVariable(loop);
    const list = loop.source['foreach'];
    const tree = name === undefined || typeof list !== 'string' ? undefined : expressionTree(list);
    if (name === undefined) continue;
    const type = tree?.ok === true ? inferType(tree.value, { ...declared, variables }, () => undefined) : anyType;
    variables = { ...variables, [name]: type.type === 'array' ? elementOf(type) : anyType };
  }
  return variables;
}
