import type { JsonObject } from '../base/json-value.js';
import { gravity } from '../base/severity.js';
import type { Document } from '../sessions/documents.js';

export interface WeighedEntry {
  readonly entry: JsonObject;
  /** Where it stands in the document. */
  readonly index: number;
  readonly standing: 'open' | 'preExisting' | 'fixed' | 'dismissed';
}

const standings = ['open', 'preExisting', 'fixed', 'dismissed'] as const;

/** What is open first, the gravest of it before the rest; then as the document has it. */
export function entriesByWeight(document: Exclude<Document, { readonly fold: 'header' }>): readonly WeighedEntry[] {
  const entries = document.fold === 'table' ? document.rows : document.entries;
  return entries
    .map((entry, index): WeighedEntry => ({ entry, index, standing: standingOf(entry) }))
    .toSorted(
      (a, b) =>
        standings.indexOf(a.standing) - standings.indexOf(b.standing) ||
        gravityOf(a.entry) - gravityOf(b.entry) ||
        a.index - b.index,
    );
}

function standingOf({ status, preExisting }: JsonObject): WeighedEntry['standing'] {
  if (status === 'fixed' || status === 'dismissed') return status;
  return preExisting === true ? 'preExisting' : 'open';
}

const gravityOf = ({ severity }: JsonObject): number =>
  gravity(typeof severity === 'string' ? severity.trim().toLowerCase() : '');

/** `9 open, 2 dismissed`; nothing where all are open. */
export function standingWords(entries: readonly WeighedEntry[]): string | undefined {
  const counts = standings.map((one) => ({ one, count: entries.filter(({ standing }) => standing === one).length }));
  const there = counts.filter(({ count }) => count > 0);
  if (there.every(({ one }) => one === 'open')) return undefined;
  return there.map(({ one, count }) => `${count} ${one === 'preExisting' ? 'there before' : one}`).join(', ');
}
