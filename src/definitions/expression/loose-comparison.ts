import { asText, equal, isList, isMap, isNumber, type Spend, textWork, type Value } from './expression-values.js';
import { linearPattern } from './linear-pattern.js';

/**
 * Comparison as the WorkRail JSON format has it, where agents hand back "Yes" for true and "5" for 5. Nothing here
 * fails: what nobody has set is null, which equals nothing but null.
 */
export function looselyEqual(a: Value, b: Value, spend: Spend): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    spend(a.length + b.length);
    return folded(a) === folded(b);
  }
  if (typeof a === 'boolean' && typeof b !== 'boolean') return truthOf(b) === a;
  if (typeof b === 'boolean' && typeof a !== 'boolean') return truthOf(a) === b;
  if (isNumber(a) && typeof b === 'string') return numberIn(b) === Number(a);
  if (typeof a === 'string' && isNumber(b)) return numberIn(a) === Number(b);
  return equal(a, b, spend);
}

/** Only real numbers are greater or less than another: "5" is not. */
export function looseOrder(a: Value, b: Value): number | undefined {
  return isNumber(a) && isNumber(b) ? Number(a) - Number(b) : undefined;
}

export function looseText(value: Value, spend: Spend): string {
  return printed(value, spend).toLowerCase();
}

/** A path of keys into what is there; null where it ends early. The whole name is a key before it is a path. */
export function looseMember(of: Value, path: string): Value {
  if (isMap(of) && Object.hasOwn(of, path)) return of[path]!;
  let value = of;
  for (const key of path.split('.')) {
    if (isList(value) && /^\d+$/u.test(key) && Number(key) < value.length) value = value[Number(key)]!;
    else if (isMap(value) && Object.hasOwn(value, key)) value = value[key]!;
    else return null;
  }
  return value;
}

/** Something, and not zero, no or nothing: what an author means by naming a key alone. */
export function isTruthy(value: Value): boolean {
  return isNumber(value) ? Number(value) !== 0 : value !== null && value !== false && value !== '';
}

export function looselyMatches(value: Value, pattern: Value, spend: Spend): boolean {
  if (value === null || typeof pattern !== 'string') return false;
  const compiled = linearPattern(`(?i)${pattern}`);
  const text = printed(value, spend);
  spend(100 + text.length * (compiled.ok ? Math.max(1, compiled.value.size >> 2) : 1));
  return compiled.ok && compiled.value.test(text);
}

const folded = (text: string): string => text.trim().toLowerCase();

/** A list as its elements with commas between, as a reader would write it. */
function printed(value: Value, spend: Spend): string {
  if (value === null) return '';
  spend(typeof value === 'string' ? textWork(value) : 1);
  return isList(value) ? value.map((item) => printed(item, spend)).join(',') : asText(value, spend);
}

function truthOf(value: Value): boolean | undefined {
  const word = typeof value === 'string' || isNumber(value) ? folded(asText(value)) : '';
  if (['true', 'yes', '1'].includes(word)) return true;
  return ['false', 'no', '0'].includes(word) ? false : undefined;
}

function numberIn(text: string): number | undefined {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/u.test(text) ? Number(text) : undefined;
}
