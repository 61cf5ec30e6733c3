import { closestName } from '../../base/closest-name.js';
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
  readonly apply: (args: readonly Value[], spend: Spend) => Value;
}

const patternWork = 100;

/** CEL's own functions, as far as JSON has the types for them. Nothing here knows of time, chance or the outside. */
export const expressionFunctions: { readonly [name: string]: ExpressionFunction } = {
  size: { form: 'both', arity: [1], apply: ([of], spend) => BigInt(sizeOf(of!, spend)) },
  contains: textMethod((text, part) => text.includes(part)),
  startsWith: textMethod((text, part) => text.startsWith(part)),
  endsWith: textMethod((text, part) => text.endsWith(part)),
  matches: {
    form: 'both',
    arity: [2],
    apply: ([text, pattern], spend) => {
      // It may be another pattern each time, and has to be compiled then.
      spend(patternWork);
      const compiled = linearPattern(textOf(pattern!));
      if (!compiled.ok) throw new NoValue(compiled.error);
      spend(textOf(text!).length * Math.max(1, compiled.value.size >> 2));
      return compiled.value.test(textOf(text!));
    },
  },
  lowerAscii: {
    form: 'method',
    arity: [1],
    apply: ([text]) => textOf(text!).replace(/[A-Z]/gu, (letter) => letter.toLowerCase()),
  },
  upperAscii: {
    form: 'method',
    arity: [1],
    apply: ([text]) => textOf(text!).replace(/[a-z]/gu, (letter) => letter.toUpperCase()),
  },
  trim: { form: 'method', arity: [1], apply: ([text]) => textOf(text!).trim() },
  indexOf: { form: 'method', arity: [2], apply: ([text, part]) => BigInt(textOf(text!).indexOf(textOf(part!))) },
  lastIndexOf: {
    form: 'method',
    arity: [2],
    apply: ([text, part]) => BigInt(textOf(text!).lastIndexOf(textOf(part!))),
  },
  substring: { form: 'method', arity: [2, 3], apply: substring },
  replace: {
    form: 'method',
    arity: [3],
    apply: ([text, from, to], spend) => {
      const pieces = textOf(text!).split(textOf(from!));
      spend(textOf(text!).length + pieces.length * textOf(to!).length);
      return pieces.join(textOf(to!));
    },
  },
  split: {
    form: 'method',
    arity: [2],
    apply: ([text, by], spend) => {
      spend(textOf(text!).length);
      return textOf(text!).split(textOf(by!));
    },
  },
  join: {
    form: 'method',
    arity: [1, 2],
    apply: ([list, by], spend) => {
      const between = by === undefined ? '' : textOf(by);
      const parts = listOf(list!).map((item) => asText(item, spend));
      spend(parts.reduce((sum, part) => sum + part.length + between.length, 0));
      return parts.join(between);
    },
  },
  int: { form: 'function', arity: [1], apply: ([of]) => toInt(of!) },
  double: { form: 'function', arity: [1], apply: ([of]) => toDouble(of!) },
  string: {
    form: 'function',
    arity: [1],
    apply: ([of], spend) => {
      const text = asText(of!, spend);
      spend(text.length);
      return text;
    },
  },
  bool: { form: 'function', arity: [1], apply: ([of]) => toBool(of!) },
  dyn: { form: 'function', arity: [1], apply: ([of]) => of! },
  type: { form: 'function', arity: [1], apply: ([of]) => typeOf(of!) },

  // What conditions of the WorkRail JSON format are made of: they compare leniently and never lack a value.
  wr_get: { form: 'function', arity: [2], apply: ([of, path]) => looseMember(of!, textOf(path!)) },
  wr_true: { form: 'function', arity: [1], apply: ([of]) => isTruthy(of!) },
  wr_equals: { form: 'function', arity: [2], apply: ([a, b], spend) => looselyEqual(a!, b!, spend) },
  wr_in: {
    form: 'function',
    arity: [2],
    apply: ([a, list], spend) => isList(list!) && list.some((item) => looselyEqual(a!, item, spend)),
  },
  wr_gt: lenientOrder((sign) => sign > 0),
  wr_gte: lenientOrder((sign) => sign >= 0),
  wr_lt: lenientOrder((sign) => sign < 0),
  wr_lte: lenientOrder((sign) => sign <= 0),
  wr_contains: lenientText((text, part) => text.includes(part)),
  wr_starts_with: lenientText((text, part) => text.startsWith(part)),
  wr_ends_with: lenientText((text, part) => text.endsWith(part)),
  wr_matches: { form: 'function', arity: [2], apply: ([of, pattern], spend) => looselyMatches(of!, pattern!, spend) },
};

function lenientOrder(test: (sign: number) => boolean): ExpressionFunction {
  return {
    form: 'function',
    arity: [2],
    apply: ([a, b]) => {
      const sign = looseOrder(a!, b!);
      return sign !== undefined && test(sign);
    },
  };
}

function lenientText(test: (text: string, part: string) => boolean): ExpressionFunction {
  return {
    form: 'function',
    arity: [2],
    apply: ([of, part], spend) => {
      if (of === null) return false;
      const text = looseText(of!, spend);
      spend(text.length);
      return test(text, looseText(part!, spend));
    },
  };
}

function textMethod(test: (text: string, part: string) => boolean): ExpressionFunction {
  return {
    form: 'method',
    arity: [2],
    apply: ([text, part], spend) => {
      spend(textOf(text!).length);
      return test(textOf(text!), textOf(part!));
    },
  };
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
  const number = toDouble(value);
  return BigInt(Math.trunc(number));
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
  const known = Object.hasOwn(expressionFunctions, name) ? expressionFunctions[name] : undefined;
  if (!known) {
    const meant = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
    if (meant !== undefined) return { message: `there is no function \`${name}\`; write ${meant}` };
    const own = Object.keys(expressionFunctions).filter((other) => !other.startsWith('wr_'));
    const closest = closestName(name, [...own, 'has', 'all', 'exists', 'exists_one', 'map', 'filter']);
    return { message: `there is no function \`${name}\``, ...(closest === undefined ? {} : { closest }) };
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
