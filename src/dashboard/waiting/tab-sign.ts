import { useEffect } from 'react';

let count = 0;
let title = 'WorkRail';

/** What the tab is called, behind how much waits. */
export function nameTab(name: string): void {
  title = name;
  show();
}

function show(): void {
  document.title = `${count === 0 ? '' : `(${count}) `}${title}`;
}

/** The count of what waits, in the tab's title and in its icon. */
export function useTabSign(waiting: number): void {
  useEffect(() => {
    count = waiting;
    show();
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon === null) return;
    icon.dataset['plain'] ??= icon.href;
    icon.href = waiting === 0 ? icon.dataset['plain'] : numbered(waiting);
  }, [waiting]);
}

/** The mark with a number over it, readable on a light tab and on a dark one. */
const numbered = (waiting: number): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 22 22"><style>path{stroke:#1d5b87}@media(prefers-color-scheme:dark){path{stroke:#82bce8}}</style><path d="M5 1v20M5 15C5 9 11 12 11 6" fill="none" stroke-width="3"/><circle cx="14.5" cy="8" r="7.5" fill="#b01e16"/><text x="14.5" y="12" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="11" fill="#fff">${waiting > 9 ? '9+' : waiting}</text></svg>`,
  )}`;
