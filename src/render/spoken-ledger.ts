import type { LedgerTold } from '../contract/ledger-told.js';
import { visibleTitle } from './visible-text.js';

/** How far a loop has come, and its rounds. */
export const spokenLedger = ({
  loop,
  title,
  done,
  rounds,
  lines,
}: LedgerTold): { readonly head: string; readonly lines: readonly string[] } => ({
  head: `Rounds of “${visibleTitle(title)}” (${loop}): ${done}${rounds === undefined ? '' : ` of ${rounds}`} done`,
  lines: lines.map(visibleTitle),
});
