import type { RecapPage } from './recap.js';

/** What more there is to see at a node than one answer holds: an older page of its recap, more of its branches, or a document. */
export type LookPage =
  | { readonly kind: 'recap'; readonly recap: RecapPage }
  | { readonly kind: 'branches'; readonly skip: number }
  /** Older notes that stand beside the run. */
  | { readonly kind: 'noted'; readonly recap: RecapPage }
  /** Everything that was handed back on the way, from a byte of its text on. */
  | { readonly kind: 'record'; readonly from: number }
  /** A document, from a byte of its text on. */
  | { readonly kind: 'document'; readonly name: string; readonly from: number };

export const recapPageName = ({ skip, from }: RecapPage): string => `recap.${skip}.${from}`;
export const notedPageName = ({ skip, from }: RecapPage): string => `noted.${skip}.${from}`;
export const branchPageName = (skip: number): string => `branches.${skip}`;

export const recordPageName = (from: number): string => `record.${from}`;
export const documentPageName = (name: string, from: number): string => `document.${from}.${name}`;

export function readLookPage(name: string): LookPage | undefined {
  const recap = /^(recap|noted)\.(\d{1,9})\.(\d{1,9})$/u.exec(name);
  if (recap !== null)
    return {
      kind: recap[1] === 'noted' ? 'noted' : 'recap',
      recap: { skip: Number(recap[2]), from: Number(recap[3]) },
    };
  const record = /^record\.(\d{1,9})$/u.exec(name);
  if (record !== null) return { kind: 'record', from: Number(record[1]) };
  const document = /^document\.(\d{1,9})\.(.+)$/u.exec(name);
  if (document !== null) return { kind: 'document', name: document[2] ?? '', from: Number(document[1]) };
  const branches = /^branches\.(\d{1,9})$/u.exec(name);
  return branches === null ? undefined : { kind: 'branches', skip: Number(branches[1]) };
}
