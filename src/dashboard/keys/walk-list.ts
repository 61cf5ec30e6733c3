import type { KeyboardEvent } from 'react';
import { own } from '../../base/own.js';

export interface ListWalked {
  /** The chosen line, and how many there are. */
  readonly at: number;
  readonly count: number;
  /** Lines that a page key goes by, in a list that has those keys. */
  readonly page?: number;
  readonly onMove: (to: number) => void;
  /** The chosen line is to be read. */
  readonly onOpen?: () => void;
}

/** The keys of a list: from line to line, page to page, to its ends, and into what is chosen. */
export function walkList(event: KeyboardEvent, { at, count, page, onMove, onOpen }: ListWalked): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const steps: Readonly<Record<string, number | undefined>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: page && at + page,
    PageUp: page && at - page,
    Home: 0,
    End: count - 1,
  };
  const to = own(steps, event.key);
  const open = event.key === 'Enter' ? onOpen : undefined;
  if (to === undefined && open === undefined) return;
  event.preventDefault();
  open?.();
  if (to !== undefined) onMove(Math.max(0, Math.min(count - 1, to)));
}
