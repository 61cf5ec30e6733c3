import type { EventSum } from '../../base/ids.js';
import type { Event } from '../../events/event.js';
import type { Finding } from '../port/finding.js';
import { remedies } from './remedies.js';

/** A line elsewhere that a line says it knew. */
export interface NamedLine {
  readonly sum: EventSum;
  /** The writer whose line it is. */
  readonly by: string;
}

/** `index` is the line's place in its segment: what all but the first follow stands before them. */
export function linesNamedBy({ prev, saw, by }: Event, index: number): readonly NamedLine[] {
  const seen = saw === undefined ? [] : Object.entries(saw).map(([writer, sum]) => ({ sum, by: writer }));
  return index === 0 && prev !== '' ? [...seen, { sum: prev, by }] : seen;
}

/** One for each writer whose lines are missing. */
export function missingFindings(missing: readonly NamedLine[]): readonly Finding[] {
  const byWriter = new Map(missing.map((one) => [one.by, one]));
  return [...byWriter.values()].map(({ sum, by }) => ({
    level: 'incomplete',
    file: `segments/*-${by}.ndjson`,
    message: `line ${sum} is not here, which somebody had seen when the session was gone on with`,
    remedy: remedies.missing,
  }));
}
