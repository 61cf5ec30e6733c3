import { own } from './own.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: { readonly [unit: string]: number } = {
  s: second,
  min: minute,
  h: hour,
  d: day,
  w: 7 * day,
  y: 365 * day,
};

/** `90d`, `2h`, `30min`: a length of time in milliseconds. A bare `m` could be minutes or months, and is neither. */
export function readSpan(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})\s*(s|min|h|d|w|y)$/u.exec(text.trim()) ?? [];
  const length = own(units, unit);
  return length === undefined ? undefined : Number(count) * length;
}
