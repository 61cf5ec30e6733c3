import type { JsonValue } from '../../base/json-value.js';

/** What an expression computes with: JSON, and bigint for the whole numbers written in the expression itself. */
export type Value = null | boolean | string | number | bigint | readonly Value[] | { readonly [key: string]: Value };

/** Why an expression has no value; `missing` names the context key that nobody has set. */
export class NoValue extends Error {
  constructor(
    message: string,
    readonly missing?: string,
  ) {
    super(message);
  }
}

/** Not for `||` or exists() to absorb: however the rest would turn out, the evaluation ends here. */
export class OutOfWork extends Error {}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

export function nameOfType(value: Value): string {
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (isNumber(value)) return 'a number';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'true or false';
  return 'an object';
}

/** Text that spells a JSON number: agents hand back "3" for 3, and an author who compares with a number means one. */
function spelledNumber(text: string): number | undefined {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u.test(text) ? Number(text) : undefined;
}

export type Spend = (work: number) => void;

/** What it takes to look through a text once. */
export const textWork = (text: string): number => 1 + (text.length >> 3);

export function equal(a: Value, b: Value, spend: Spend): boolean {
  spend(typeof a === 'string' && typeof b === 'string' && a.length === b.length ? textWork(a) : 1);
  if (a === b) return true;
  // A bigint and a number of the same value are the same JSON number.
  if (isNumber(a) && isNumber(b)) return Number(a) === Number(b);
  if (isNumber(a) && typeof b === 'string') return spelledNumber(b) === Number(a);
  if (typeof a === 'string' && isNumber(b)) return spelledNumber(a) === Number(b);
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, at) => equal(item, b[at]!, spend));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key]!, b[key]!, spend))
  );
}

/** Below zero, zero or above, as `a` comes before, with or after `b`. */
export function order(a: Value, b: Value, spend: Spend): number {
  for (const side of [a, b]) if (typeof side === 'string') spend(textWork(side));
  const [left, right] = comparable(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function comparable(a: Value, b: Value): readonly [string, string] | readonly [number | bigint, number | bigint] {
  if (isNumber(a) && isNumber(b)) return [a, b];
  if (typeof a === 'string' && typeof b === 'string') return [a, b];
  if (typeof a === 'boolean' && typeof b === 'boolean') return [Number(a), Number(b)];
  const left = typeof a === 'string' && isNumber(b) ? spelledNumber(a) : a;
  const right = typeof b === 'string' && isNumber(a) ? spelledNumber(b) : b;
  if (left !== undefined && right !== undefined && isNumber(left) && isNumber(right)) return [left, right];
  throw new NoValue(`compares ${shown(a)} with ${shown(b)}`);
}

function shown(value: Value): string {
  return typeof value === 'string'
    ? `the text ${JSON.stringify(value.slice(0, 40))}`
    : isNumber(value)
      ? `the number ${value}`
      : nameOfType(value);
}

export function arithmetic(op: '+' | '-' | '*' | '/' | '%', a: Value, b: Value, spend: Spend): Value {
  if (op === '+' && isList(a) && isList(b)) {
    spend(a.length + b.length);
    return [...a, ...b];
  }
  if (op === '+' && (typeof a === 'string' || typeof b === 'string') && isScalar(a) && isScalar(b)) {
    const joined = asText(a, spend) + asText(b, spend);
    spend(joined.length);
    return joined;
  }
  if (!isNumber(a) || !isNumber(b))
    throw new NoValue(`\`${op}\` does not work between ${nameOfType(a)} and ${nameOfType(b)}`);
  if ((op === '/' || op === '%') && Number(b) === 0) throw new NoValue('divides by zero');
  if (typeof a === 'bigint' && typeof b === 'bigint') return checkedInt(bigints[op](a, b));
  return checkedDouble(numbers[op](Number(a), Number(b)));
}

const bigints = {
  '+': (a: bigint, b: bigint) => a + b,
  '-': (a: bigint, b: bigint) => a - b,
  '*': (a: bigint, b: bigint) => a * b,
  '/': (a: bigint, b: bigint) => a / b,
  '%': (a: bigint, b: bigint) => a % b,
};
const numbers = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
};

function checkedInt(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new NoValue('the number grows too large');
  return value;
}

export function checkedDouble(value: number): number {
  if (!Number.isFinite(value)) throw new NoValue('the number grows too large');
  return value;
}

const isScalar = (value: Value): boolean => isNumber(value) || typeof value === 'string' || typeof value === 'boolean';

const free: Spend = () => undefined;

export function asText(value: Value, spend: Spend = free): string {
  return typeof value === 'string'
    ? value
    : isList(value) || isMap(value)
      ? JSON.stringify(asJson(value, spend))
      : String(value);
}

/** A value may hold the same part many times over: what is small in memory can be large when it is written out, and is paid for as that. */
export function asJson(value: Value, spend: Spend = free): JsonValue {
  spend(typeof value === 'string' ? textWork(value) : 1);
  if (typeof value === 'bigint') return Number(value);
  // Most values are read straight from JSON and hold no bigint; copying them keeps nobody from holding our own lists.
  if (isList(value)) return value.map((item) => asJson(item, spend));
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item, spend)]));
  return value;
}
