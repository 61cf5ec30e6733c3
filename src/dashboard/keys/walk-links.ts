import type { KeyboardEvent } from 'react';

/** Up and down go from one link of a list to the next. */
export function walkLinks(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = at < 0 ? undefined : links[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
