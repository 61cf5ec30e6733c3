import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { expressionTree } from '../expression/expression-tree.js';
import { linearPattern } from '../expression/linear-pattern.js';
import type { SourcePath } from '../source/source-path.js';
import { finding, type Finding, warning } from '../source/finding.js';
import type { LoopNames } from './workrail-texts.js';

/** What a condition stands in. */
export interface ConditionPlace {
  readonly path: SourcePath;
  readonly say: (finding: Finding) => void;
  readonly names: LoopNames;
}

const operators: { readonly [name: string]: (value: string, operand: string) => string } = {
  equals: (value, operand) => `wr_equals(${value}, ${operand})`,
  not_equals: (value, operand) => `!wr_equals(${value}, ${operand})`,
  gt: (value, operand) => `wr_gt(${value}, ${operand})`,
  gte: (value, operand) => `wr_gte(${value}, ${operand})`,
  lt: (value, operand) => `wr_lt(${value}, ${operand})`,
  lte: (value, operand) => `wr_lte(${value}, ${operand})`,
  contains: (value, operand) => `wr_contains(${value}, ${operand})`,
  startsWith: (value, operand) => `wr_starts_with(${value}, ${operand})`,
  endsWith: (value, operand) => `wr_ends_with(${value}, ${operand})`,
  matches: (value, operand) => `wr_matches(${value}, ${operand})`,
  in: (value, operand) => `wr_in(${value}, ${operand})`,
};

/** Other spellings of the operators; those of the format are found whatever their case and underscores. */
const spellings: { readonly [name: string]: string } = {
  eq: 'equals',
  equal: 'equals',
  ne: 'not_equals',
  neq: 'not_equals',
  notequal: 'not_equals',
  greaterthan: 'gt',
  greaterthanorequal: 'gte',
  greaterthanorequals: 'gte',
  greaterthanorequalto: 'gte',
  lessthan: 'lt',
  lessthanorequal: 'lte',
  lessthanorequals: 'lte',
  lessthanorequalto: 'lte',
};

function operatorOf(key: string): string | undefined {
  if (Object.hasOwn(operators, key)) return key;
  const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
  return (
    Object.keys(operators).find((name) => plain(name) === plain(key)) ??
    (Object.hasOwn(spellings, plain(key)) ? spellings[plain(key)] : undefined)
  );
}

/** A condition as one expression; undefined where it is always met. All that it says must hold. */
export function conditionExpression(source: JsonValue | undefined, place: ConditionPlace): string | undefined {
  const terms = termsOf(source, place).filter((term) => term !== 'true');
  if (terms.length === 0) return undefined;
  const expression = joined(terms, '&&');
  const parsed = expressionTree(expression);
  if (parsed.ok) return expression;
  place.say({ path: place.path, rule: 'condition', message: `the condition cannot be asked: ${parsed.error}` });
  return undefined;
}

function termsOf(source: JsonValue | undefined, place: ConditionPlace): readonly string[] {
  if (source === undefined || source === null || source === true) return [];
  if (source === false) return ['false'];
  if (typeof source === 'string' && isInWords(source)) {
    const message = `a condition in words is shown to the agent but skips nothing: ${source.trim().slice(0, 100)}`;
    place.say(warning(place.path, 'condition', message));
    return [];
  }
  // A list where one condition is expected means all of them; an empty text means none.
  if (typeof source === 'string') return source.trim() === '' ? [] : [`wr_true(${valueOf(source.trim(), place)})`];
  if (isJsonObject(source)) return objectTerms(source, place);
  if (Array.isArray(source))
    return (source as readonly JsonValue[]).flatMap((part, at) =>
      termsOf(part, { ...place, path: [...place.path, at] }),
    );
  const message = `a condition is an object such as {"var": "size", "equals": "Large"}, got ${JSON.stringify(source).slice(0, 60)}`;
  place.say(finding(place.path, 'condition', message));
  return [];
}

/** A text that names no key, as `the change is large`. */
const isInWords = (source: string): boolean => source.trim() !== '' && !/^[A-Za-z_][\w.]*$/u.test(source.trim());

/** What a condition says in words, for the agent to judge. */
export function conditionWords(source: JsonValue | undefined): readonly string[] {
  if (typeof source === 'string') return isInWords(source) ? [source.trim()] : [];
  if (Array.isArray(source)) return (source as readonly JsonValue[]).flatMap(conditionWords);
  if (!isJsonObject(source ?? null)) return [];
  const { and, or, not } = source as JsonObject;
  const either = conditionWords(or);
  const others = either.length > 0 && Array.isArray(or) && or.length > either.length ? ['what else may do holds'] : [];
  return [
    ...conditionWords(and),
    ...(either.length === 0 ? [] : [[...either, ...others].join(', or ')]),
    ...conditionWords(not).map((said) => `not (${said})`),
  ];
}

function objectTerms(source: JsonObject, place: ConditionPlace): readonly string[] {
  const variable = source['var'];
  const named = typeof variable === 'string' && variable.trim() !== '';
  const value = named ? valueOf(variable.trim(), place) : '';
  const terms: string[] = [];
  const inside = (key: string, at?: number): ConditionPlace => ({
    ...place,
    path: [...place.path, key, ...(at === undefined ? [] : [at])],
  });
  for (const [key, operand] of Object.entries(source)) {
    if (key === 'var') continue;
    if (key === 'and' || key === 'or') {
      const parts = Array.isArray(operand) ? (operand as readonly JsonValue[]) : [operand];
      terms.push(
        joined(
          parts.map((part, at) => grouped(termsOf(part, inside(key, at)))),
          key === 'and' ? '&&' : '||',
        ),
      );
    } else if (key === 'not') {
      const parts = termsOf(operand, inside(key));
      // What only the agent can judge passes, and so does what is said to be otherwise.
      if (conditionWords(operand).length === 0) terms.push(`!(${grouped(parts)})`);
    } else if (!named)
      doubt(
        place,
        key,
        operatorOf(key) === undefined
          ? `\`${key}\` is not a condition operator and is ignored`
          : `\`${key}\` needs a \`var\`; it is ignored`,
      );
    else terms.push(...operated(key, value, operand, place));
  }
  if (named && terms.length === 0) return [`wr_true(${value})`];
  return terms;
}

function operated(written: string, value: string, operand: JsonValue, place: ConditionPlace): readonly string[] {
  if (written === 'exists' && typeof operand === 'boolean') return [`${operand ? '!' : ''}wr_equals(${value}, null)`];
  const key = operatorOf(written);
  if (key === undefined) {
    const names = Object.keys(operators);
    const closest = closestName(written, names);
    doubt(
      place,
      written,
      `\`${written}\` is not a condition operator (${names.join(', ')}) and is ignored${closest === undefined ? '' : `; did you mean \`${closest}\`?`}`,
    );
    return [];
  }
  if ((key === 'equals' || key === 'not_equals') && Array.isArray(operand))
    doubt(place, written, `\`${written}\` compares with the list as a whole; whether it is one of them asks \`in\``);
  if (key === 'in' && !Array.isArray(operand)) doubt(place, written, '`in` needs a list');
  if (key === 'matches') {
    const pattern = typeof operand === 'string' ? linearPattern(operand) : undefined;
    if (pattern?.ok !== true)
      doubt(place, written, `this never matches: it is ${pattern?.ok === false ? pattern.error : 'no text'}`);
  }
  return [operators[key]!(value, literal(operand))];
}

/** A literal of JSON is one of CEL as well, but for whole numbers past 64 bits. */
export function literal(value: JsonValue): string {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(literal).join(', ')}]`;
  return isJsonObject(value)
    ? `{${Object.entries(value)
        .map(([key, item]) => `${JSON.stringify(key)}: ${literal(item)}`)
        .join(', ')}}`
    : JSON.stringify(value);
}

function doubt(place: ConditionPlace, key: string, message: string): void {
  place.say({ path: [...place.path, key], of: 'key', severity: 'warning', rule: 'condition', message });
}

function valueOf(variable: string, { names }: ConditionPlace): string {
  // As texts do, a condition may say that it means the context, and may write the name as a hole.
  const name = variable.replace(/^\{\{\s*(.*?)\s*\}\}$/u, '$1').replace(/^context\.(?=.)/u, '');
  const [first, ...rest] = name.split('.');
  if (!Object.hasOwn(names, first!)) return `wr_get(context, ${JSON.stringify(name)})`;
  return rest.length === 0 ? names[first!]! : `wr_get(${names[first!]!}, ${JSON.stringify(rest.join('.'))})`;
}

function grouped(terms: readonly string[]): string {
  return terms.length === 0 ? 'true' : joined(terms, '&&');
}

/** Nothing to hold holds; of nothing, nothing does. Halves are joined with halves, so that many terms do not nest deep. */
function joined(terms: readonly string[], operator: '&&' | '||'): string {
  if (terms.length === 0) return operator === '&&' ? 'true' : 'false';
  if (terms.length === 1) return terms[0]!;
  if (terms.length <= 4) return terms.map(bracketed).join(` ${operator} `);
  const half = Math.ceil(terms.length / 2);
  return [terms.slice(0, half), terms.slice(half)]
    .map((some) => bracketed(joined(some, operator)))
    .join(` ${operator} `);
}

function bracketed(term: string): string {
  return / (?:&&|\|\|) /u.test(term) ? `(${term})` : term;
}

/** One is enough; what is not there always holds. */
export function eitherHolds(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || b === undefined ? undefined : a === b ? a : joined([a, b], '||');
}

/** Both must hold. */
export function bothHold(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  return joined([a, b], '&&');
}
