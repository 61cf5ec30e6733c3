import { readSpan } from '../../base/read-span.js';

/** A moment that lies a span back, or that is named: `2h`, `today`, `2026-01-02`, `2026-01-02T03:04:05Z`. A day begins when it does here. */
export function readMoment(text: string, now: Date): string | undefined {
  const said = text.trim();
  const length = readSpan(said);
  const back = length === undefined ? daysBack.indexOf(said.toLowerCase()) : -1;
  const at =
    length !== undefined
      ? new Date(now.getTime() - length)
      : back >= 0
        ? new Date(now.getFullYear(), now.getMonth(), now.getDate() - back)
        : named(said);
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

const daysBack: readonly string[] = ['today', 'yesterday'];

function named(said: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u.test(said))
    return undefined;
  // A date alone would be taken for midnight in Greenwich; with a time it is of here.
  return new Date(said.length === 10 ? `${said}T00:00` : said);
}
