import type { RecapPage } from './recap.js';

/** What more there is to see at a node than one answer holds: an older page of its recap, or more of its branches. */
export type LookPage = { readonly kind: 'recap'; readonly recap: RecapPage } | { readonly kind: 'branches'; readonly skip: number };

export const recapPageName = ({ skip, from }: RecapPage): string => `recap.${skip}.${from}`;
export const branchPageName = (skip: number): string => `branches.${skip}`;

export function readLookPage(name: string): LookPage | undefined {
  const recap = /^recap\.(\d{1,9})\.(\d{1,9})$/u.exec(name);
  if (recap !== null) return { kind: 'recap', recap: { skip: Number(recap[1]), from: Number(recap[2]) } };
  const branches = /^branches\.(\d{1,9})$/u.exec(name);
  return branches === null ? undefined : { kind: 'branches', skip: Number(branches[1]) };
}
