import { closestName } from '../../base/closest-name.js';
import { own } from '../../base/own.js';
import { macros } from './expression-tree.js';
import {
  asText,
  checkedDouble,
  isList,
  isMap,
  isNumber,
  nameOfType,
  NoValue,
  type Spend,
  type Value,
} from './expression-values.js';
import { isTruthy, looseMember, looseOrder, looselyEqual, looselyMatches, looseText } from './loose-comparison.js';
import { linearPattern } from './linear-pattern.js';

interface ExpressionFunction {
  /** `size(x)`, `x.size()`, or both. */
  readonly form: 'function' | 'method' | 'both';
  /** How many arguments, the receiver of a method included. */
  readonly arity: readonly number[];
  /** What the first argument has to be, and what comes of it, as far as that is known before anything runs. */
  readonly takes?: readonly Type[] | undefined;
  readonly gives: Type | 'any';
  readonly apply: Apply;
}
type Type = 'string' | 'number' | 'boolean' | 'array' | 'object';
type Apply = (args: readonly Value[], spend: Spend) => Value;

const patternWork = 100;

/** CEL's own functions, as far as JSON has the types for them. Nothing here knows of time, chance or the outside. */
const functions: { readonly [name: string]: ExpressionFunction } = {
  size: ofOne('both', ['string', 'array', 'object'], 'number', ([of], spend) => BigInt(sizeOf(of!, spend))),
  contains: textTest((text, part) => text.includes(part)),
  startsWith: textTest((text, part) => text.startsWith(part)),
  endsWith: textTest((text, part) => text.endsWith(part)),
  matches: {
    ...ofText([2], 'boolean', ([text, pattern], spend) => {
      // It may be another pattern each time, and has to be compiled then.
      spend(patternWork);
      const compiled = linearPattern(textOf(pattern!));
      if (!compiled.ok) throw new NoValue(compiled.error);
      spend(textOf(text!).length * Math.max(1, compiled.value.size >> 2));
      return compiled.value.test(textOf(text!));
    }),
    form: 'both',
  },
  lowerAscii: ofText([1], 'string', ([text]) => textOf(text!).replace(/[A-Z]/gu, (letter) => letter.toLowerCase())),
  upperAscii: ofText([1], 'string', ([text]) => textOf(text!).replace(/[a-z]/gu, (letter) => letter.toUpperCase())),
  trim: ofText([1], 'string', ([text]) => textOf(text!).trim()),
  indexOf: ofText([2], 'number', ([text, part]) => BigInt(textOf(text!).indexOf(textOf(part!)))),
  lastIndexOf: ofText([2], 'number', ([text, part]) => BigInt(textOf(text!).lastIndexOf(textOf(part!)))),
  substring: ofText([2, 3], 'string', substring),
  replace: ofText([3], 'string', ([text, from, to], spend) => {
    const pieces = textOf(text!).split(textOf(from!));
    spend(textOf(text!).length + pieces.length * textOf(to!).length);
    return pieces.join(textOf(to!));
  }),
  split: ofText([2], 'array', ([text, by], spend) => {
    spend(textOf(text!).length);
    return textOf(text!).split(textOf(by!));
  }),
  join: {
    form: 'method',
    arity: [1, 2],
    takes: ['array'],
    gives: 'string',
    apply: ([list, by], spend) => {
      const between = by === undefined ? '' : textOf(by);
      const parts = listOf(list!).map((item) => asText(item, spend));
      spend(parts.reduce((sum, part) => sum + part.length + between.length, 0));
      return parts.join(between);
    },
  },
  int: ofOne('function', ['number', 'string'], 'number', ([of]) => toInt(of!)),
  double: ofOne('function', ['number', 'string'], 'number', ([of]) => toDouble(of!)),
  string: ofOne('function', undefined, 'string', ([of], spend) => {
    const text = asText(of!, spend);
    spend(text.length);
    return text;
  }),
  bool: ofOne('function', ['boolean', 'string'], 'boolean', ([of]) => toBool(of!)),
  dyn: ofOne('function', undefined, 'any', ([of]) => of!),
  type: ofOne('function', undefined, 'string', ([of]) => typeOf(of!)),

  // What conditions of the WorkRail JSON format are made of: they compare leniently and never lack a value.
  wr_part: lenient(([of, path]) => partOrWhole(of!, textOf(path!))),
  wr_get: lenient(([of, path]) => looseMember(of!, textOf(path!))),
  wr_true: ofOne('function', undefined, 'any', ([of]) => isTruthy(of!)),
  wr_equals: lenient(([a, b], spend) => looselyEqual(a!, b!, spend)),
  wr_in: lenient(([a, list], spend) => isList(list!) && list.some((item) => looselyEqual(a!, item, spend))),
  wr_gt: lenientOrder((sign) => sign > 0),
  wr_gte: lenientOrder((sign) => sign >= 0),
  wr_lt: lenientOrder((sign) => sign < 0),
  wr_lte: lenientOrder((sign) => sign <= 0),
  wr_contains: lenientText((text, part) => text.includes(part)),
  wr_starts_with: lenientText((text, part) => text.startsWith(part)),
  wr_ends_with: lenientText((text, part) => text.endsWith(part)),
  wr_matches: lenient(([of, pattern], spend) => looselyMatches(of!, pattern!, spend)),
};

export const expressionFunctions: ReadonlyMap<string, ExpressionFunction> = new Map(Object.entries(functions));

function ofOne(
  form: ExpressionFunction['form'],
  takes: ExpressionFunction['takes'],
  gives: ExpressionFunction['gives'],
  apply: Apply,
): ExpressionFunction {
  return { form, arity: [1], takes, gives, apply };
}

function ofText(arity: readonly number[], gives: Type, apply: Apply): ExpressionFunction {
  return { form: 'method', arity, takes: ['string'], gives, apply };
}

function textTest(test: (text: string, part: string) => boolean): ExpressionFunction {
  return ofText([2], 'boolean', ([text, part], spend) => {
    spend(textOf(text!).length);
    return test(textOf(text!), textOf(part!));
  });
}

function lenient(apply: Apply): ExpressionFunction {
  return { form: 'function', arity: [2], gives: 'any', apply };
}

function lenientOrder(test: (sign: number) => boolean): ExpressionFunction {
  return lenient(([a, b]) => {
    const sign = looseOrder(a!, b!);
    return sign !== undefined && test(sign);
  });
}

function lenientText(test: (text: string, part: string) => boolean): ExpressionFunction {
  return lenient(([of, part], spend) => {
    if (of === null) return false;
    const text = looseText(of!, spend);
    spend(text.length);
    return test(text, looseText(part!, spend));
  });
}

/** An element of a list that is no object or list is itself what is asked for: of texts nothing else can be meant. */
function partOrWhole(of: Value, path: string): Value {
  if (!isMap(of) && !isList(of)) return of;
  let part = of as Value;
  for (const key of path.split('.')) {
    const inside = isMap(part) ? own(part, key) : isList(part) && /^\d+$/u.test(key) ? part[Number(key)] : undefined;
    if (inside === undefined) throw new NoValue(`it has no member \`${key}\``);
    part = inside;
  }
  return part;
}

function textOf(value: Value): string {
  if (typeof value !== 'string') throw new NoValue(`expected text, got ${nameOfType(value)}`);
  return value;
}

function listOf(value: Value): readonly Value[] {
  if (!isList(value)) throw new NoValue(`expected a list, got ${nameOfType(value)}`);
  return value;
}

function sizeOf(value: Value, spend: Spend): number {
  if (typeof value === 'string') return [...value].length;
  if (isList(value)) return value.length;
  if (isMap(value)) {
    const { length } = Object.keys(value);
    spend(length >> 3);
    return length;
  }
  throw new NoValue(`size() needs text, a list or an object, got ${nameOfType(value)}`);
}

function substring([text, from, to]: readonly Value[]): string {
  const letters = textOf(text!);
  const start = Number(toInt(from!));
  const end = to === undefined ? letters.length : Number(toInt(to));
  if (start < 0 || end < start || end > letters.length) throw new NoValue('substring() reaches outside the text');
  return letters.slice(start, end);
}

function toInt(value: Value): bigint {
  return BigInt(Math.trunc(toDouble(value)));
}

function toDouble(value: Value): number {
  if (isNumber(value)) return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return checkedDouble(Number(value));
  throw new NoValue(
    `${typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : nameOfType(value)} is not a number`,
  );
}

function toBool(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new NoValue(`${nameOfType(value)} is neither true nor false`);
}

function typeOf(value: Value): string {
  if (value === null) return 'null_type';
  if (isList(value)) return 'list';
  if (isNumber(value)) return Number.isInteger(Number(value)) ? 'int' : 'double';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'map';
}

/** What other languages call it. */
const elsewhere: { readonly [name: string]: string } = {
  len: '`size(value)`',
  length: '`size(value)`',
  count: '`size(value)`',
  isEmpty: '`size(value) == 0`',
  empty: '`size(value) == 0`',
  includes: '`"x" in list`, or `text.contains("x")`',
  some: '`list.exists(x, …)`',
  any: '`list.exists(x, …)`',
  every: '`list.all(x, …)`',
  toLowerCase: '`text.lowerAscii()`',
  lower: '`text.lowerAscii()`',
  toUpperCase: '`text.upperAscii()`',
  upper: '`text.upperAscii()`',
  defined: '`has(context.key)`',
  exist: '`has(context.key)`',
  isset: '`has(context.key)`',
  str: '`string(value)`',
  toString: '`string(value)`',
  number: '`double(value)`',
  float: '`double(value)`',
  test: '`text.matches("…")`',
  match: '`text.matches("…")`',
};

export interface NameProblem {
  readonly message: string;
  readonly closest?: string;
}

/** Why a call can have no value, whatever its arguments are. */
export function callProblem(name: string, method: boolean, given: number): NameProblem | undefined {
  const known = expressionFunctions.get(name);
  if (!known) {
    const meant = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
    if (meant !== undefined) return { message: `no function named \`${name}\`; write ${meant}` };
    const own = [...expressionFunctions.keys()].filter((other) => !other.startsWith('wr_'));
    const closest = closestName(name, [...own, 'has', ...macros]);
    return { message: `no function named \`${name}\``, ...(closest === undefined ? {} : { closest }) };
  }
  if (known.form !== 'both' && known.form !== (method ? 'method' : 'function')) {
    const right = known.form === 'method' ? `value.${name}(…)` : `${name}(value)`;
    return { message: `\`${name}\` is written \`${right}\``, closest: right };
  }
  if (known.arity.includes(given)) return undefined;
  return {
    message: `\`${name}\` takes ${known.arity.map((n) => n - (method ? 1 : 0)).join(' or ')} arguments, not ${given - (method ? 1 : 0)}`,
  };
}
