const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units = [
  { name: 'day', ms: day },
  { name: 'h', ms: hour },
  { name: 'min', ms: minute },
  { name: 's', ms: second },
] as const;

/** How long something took, in one unit. */
export function durationWords(ms: number): string {
  const unit = units.find((one) => ms >= one.ms) ?? { name: 's', ms: second };
  const count = Math.max(0, Math.round(ms / unit.ms));
  return unit.name === 'day' ? `${count} ${count === 1 ? 'day' : 'days'}` : `${count} ${unit.name}`;
}

/** How long a request took. */
export const requestTook = (ms: number): string => (ms < second ? `${ms} ms` : `${(ms / second).toFixed(1)} s`);

/** How long it took, and how much of that was waiting for a person. Empty where it cannot be told. */
export function tookWords(ms: number | undefined, waited: number): string {
  if (ms === undefined) return '';
  return `${durationWords(ms)}${waited < second ? '' : `, ${durationWords(Math.min(ms, waited))} of it waiting for a person`}`;
}

const written = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{3}))?Z$/u;

/** Milliseconds from one moment to another, as logs have them; none where a clock went back. Undefined where one is no moment. */
export function msBetween(from: string, until: string): number | undefined {
  const [one, other] = [momentMs(from), momentMs(until)];
  return one === undefined || other === undefined ? undefined : Math.max(0, other - one);
}

function momentMs(at: string): number | undefined {
  const parts = written
    .exec(at)
    ?.slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, date = 0, h = 0, min = 0, s = 0, ms = 0] = parts;
  return daysTo(year, month, date) * day + h * hour + min * minute + s * second + ms;
}

/** Days of the calendar since a day long ago; a year begins in March, so that its leap day is the last. */
function daysTo(year: number, month: number, date: number): number {
  const since = month > 2 ? year : year - 1;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + date;
  return 365 * since + Math.floor(since / 4) - Math.floor(since / 100) + Math.floor(since / 400) + ofYear;
}
