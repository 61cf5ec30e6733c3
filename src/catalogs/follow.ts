import { limits } from '../base/limits.js';
import { type DocumentReporter, inside, type Spot } from './document-reporter.js';
import type { References, Unfound } from './references.js';

/** What stands where a reference leads in the end; where that is nowhere, it is told and there is nothing. */
export function follow(references: References, report: DocumentReporter, at: Spot): Spot | undefined {
  const found = references.follow(at);
  if (found.ok) return found.value;
  reportUnfound(report, inside(found.error.at, '$ref') ?? found.error.at, found.error);
  return undefined;
}

export function reportUnfound(report: DocumentReporter, at: Spot, { message, closest }: Unfound): void {
  const actual = typeof at.value === 'string' ? at.value.slice(0, limits.echo) : undefined;
  report.warn(at, 'reference', message, {
    ...(actual !== undefined && { actual }),
    ...(closest !== undefined && { closest }),
  });
}
