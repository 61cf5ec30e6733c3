import type { Page } from 'playwright-core';

/** Widths that pages are held to: telephones, a tablet, a laptop. */
const pageWidths = [360, 390, 430, 768, 1440] as const;

/** What does not fit the window as it is: what scrolls sideways, and what can be pressed but not reached by a pointer. */
export function misfits(tab: Page): Promise<readonly string[]> {
  return tab.evaluate(() => {
    const named = (element: Element): string =>
      `${element.tagName.toLowerCase()}${element.classList.length > 0 ? `.${[...element.classList].join('.')}` : ''} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
    const sideways = [
      document.documentElement,
      document.body,
      ...document.querySelectorAll('main, nav, [role=tablist], dialog[open] .body'),
    ]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => {
        const edge = element.getBoundingClientRect().left + element.clientWidth;
        const widest = [...element.querySelectorAll('*')].findLast(
          (inner) => inner.getBoundingClientRect().right > edge + 1,
        );
        return `${named(element).split(' ')[0]} scrolls sideways${widest === undefined ? '' : `, as far as ${named(widest)}`}`;
      });
    const inside = document.querySelector('dialog[open]') ?? document.body;
    const covered: string[] = [];
    for (const element of inside.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, summary, [role=tab], [role=option]',
    )) {
      const shown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!shown || element.matches('.skip-link') || element.closest('.for-readers-only') !== null) continue;
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const [box] = element.getClientRects();
      if (box === undefined || box.width <= 1) continue;
      // A script may scroll what a hand cannot.
      for (let frame = element.parentElement; frame !== null; frame = frame.parentElement)
        if (frame.scrollLeft !== 0 && getComputedStyle(frame).overflowX === 'hidden')
          covered.push(`${named(element)} is cut off by ${named(frame)}`);
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      // An open list of choices lies over what comes after it until it is shut.
      if (hit !== null && hit.closest('.choice-list') !== null) continue;
      const pressed = hit !== null && (element.contains(hit) || (hit.closest('label')?.contains(element) ?? false));
      if (!pressed) covered.push(`${named(element)} is ${hit === null ? 'outside the window' : `under ${named(hit)}`}`);
    }
    return [...sideways, ...covered];
  });
}

/** Backticks that somebody would read, where code is meant. */
export function bareBackticks(tab: Page): Promise<readonly string[]> {
  return tab.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      if (/`[^`]+`/u.test(text.textContent ?? '') && text.parentElement?.closest('pre, code, textarea') === null)
        found.push(text.parentElement.textContent ?? '');
    return found;
  });
}

/** What `misfitsByWidth` says of a place that fits everywhere. */
export const fitting: object = Object.fromEntries(pageWidths.map((width) => [width, []]));

export async function misfitsByWidth(tab: Page): Promise<object> {
  const told: Record<number, readonly string[]> = {};
  for (const width of pageWidths) {
    await tab.setViewportSize({ width, height: 800 });
    // What is drawn for its size, and a list that shows only what is in sight, are drawn anew.
    await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    told[width] = await misfits(tab);
  }
  return told;
}
