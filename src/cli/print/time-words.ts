const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago a moment was, as people say it. Clocks of two machines differ: what seems to lie ahead is now. */
export function ago(at: string, now: Date): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) return 'at an unknown time';
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

/** The day of a moment where the reader is: its name where it is near, else its date. */
export function dayWords(at: string, now: Date, timeZone: string | undefined): string {
  const [day = '', today = ''] = [at, now.toISOString()].map((moment) => localTime(moment, timeZone).slice(0, 10));
  const back = (Date.parse(today) - Date.parse(day)) / (24 * hour);
  if (back === 0) return 'Today';
  if (back === 1) return 'Yesterday';
  return back > 1 && back < 7
    ? new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(day))
    : day || 'Unknown date';
}
