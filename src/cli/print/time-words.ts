const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago a moment was, as people say it. Clocks of two machines differ: what seems to lie ahead is now. */
export function ago(at: string, now: Date): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) return 'at no known time';
  const past = now.getTime() - then;
  if (past < minute) return 'just now';
  return `${span(past)} ago`;
}

/** The largest unit alone: what is a year old need not be told by the day. */
function span(length: number): string {
  if (length < hour) return `${Math.floor(length / minute)} min`;
  if (length < 2 * day) return `${Math.floor(length / hour)} h`;
  if (length < 60 * day) return `${Math.floor(length / day)} days`;
  if (length < 730 * day) return `${Math.floor(length / (30 * day))} months`;
  return `${Math.floor(length / (365 * day))} years`;
}

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
  const length = units[unit];
  return length === undefined ? undefined : Number(count) * length;
}

/** A moment that lies a span back, or that is named: `2h`, `2026-01-02`, `2026-01-02T03:04:05Z`. */
export function readMoment(text: string, now: Date): string | undefined {
  const length = readSpan(text);
  if (length !== undefined) return new Date(now.getTime() - length).toISOString();
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u.test(text.trim()))
    return undefined;
  const named = Date.parse(text.trim());
  return Number.isNaN(named) ? undefined : new Date(named).toISOString();
}

/** Day and time of day where the reader is. */
export function localTime(at: string, timeZone: string | undefined): string {
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return at;
  const parts = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  }).formatToParts(then);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`;
}
