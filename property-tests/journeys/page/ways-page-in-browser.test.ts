import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunGraph } from '../../../src/contract/http-api.js';
import { barriers } from '../../worlds/page-barriers.js';
import { chromiumPath, type OpenPage, openPage } from '../../worlds/page-browser.js';

describe.runIf(chromiumPath !== undefined)('the ways through the page', () => {
  let page: OpenPage;

  beforeAll(async () => {
    page = await openPage();
  }, 60_000);
  afterEach(() => page.closeTabs());
  afterAll(() => page.close());

  const session = (node = page.known.node): Promise<Page> =>
    page.go(`/sessions/${page.known.review}/runs/${page.known.run}?node=${node}`, '.step-detail h2');
  const find = async (tab: Page, words: string): Promise<string> => {
    await tab.keyboard.press('Control+k');
    await tab.getByRole('combobox').waitFor();
    await tab.keyboard.type(words);
    const first = tab.locator('.palette-option[aria-selected="true"] > :first-child');
    await expect.poll(() => tab.locator('[role=status]', { hasText: /result/u }).count()).toBe(1);
    return (await first.textContent()) ?? '';
  };

  it('the palette knows dialogs and actions by the words that people have for them', async () => {
    const tab = await session();
    // The driver takes dialogs over once it is told to, which a key may come before.
    const chooser = tab.waitForEvent('filechooser');
    expect(await find(tab, 'import')).toBe('Import a session');
    await tab.keyboard.press('Enter');
    expect((await chooser).isMultiple()).toBe(true);
    expect(await find(tab, 'openapi')).toBe('Catalogs');
    await tab.keyboard.press('Escape');
    expect(await find(tab, 'export')).toBe('Export');
    await tab.keyboard.press('Enter');
    const dialog = tab.getByRole('dialog', { name: 'Export' });
    await dialog.waitFor();
    const html = dialog.getByRole('link', { name: 'Save as HTML' });
    expect(await html.getAttribute('download')).toBe(`${page.known.review}.html`);
    expect(await (await page.served.get((await html.getAttribute('href')) ?? '')).text()).toContain('<!doctype html>');
    await tab.keyboard.press('Escape');
    expect(await find(tab, 'settings')).toBe('Preferences');
    await tab.keyboard.press('Escape');
    expect(await find(tab, 'compare')).toBe('Compare branches');
    await tab.keyboard.press('Enter');
    await tab.waitForSelector('.compared-row');
    expect(await barriers(tab)).toEqual([]);
  });

  it('the numbers of branches are those of the command line, on the map, in the list and in Compare', async () => {
    const run = `/api/sessions/${page.known.review}/runs/${page.known.run}`;
    const graph = (await (await page.served.get(run)).json()) as RunGraph;
    const other = graph.tips.find((tip) => tip !== graph.run.preferredTip) ?? '';
    const tab = await session(other);
    expect(await tab.locator('.step-detail header').innerText()).toContain('tip of branch 2');
    // The trunk belongs to the preferred branch, and is compared with the other.
    for (const id of [graph.run.root, page.known.node, ...graph.tips]) {
      const here = await session(id);
      const compare = here.getByRole('link', { name: 'Compare branches' });
      const asked = new URL((await compare.getAttribute('href')) ?? '', page.served.origin).searchParams;
      expect(new Set([asked.get('a'), asked.get('b')])).toEqual(new Set(graph.tips));
      await here.close();
    }
    const there = await page.go(
      `/compare?session=${page.known.review}&a=${graph.run.preferredTip}&b=${other}`,
      '.branch-sum',
    );
    expect(await there.locator('.branch-sum.a').innerText()).toContain('Branch 1');
    expect(await there.locator('.branch-sum.b').innerText()).toContain('Branch 2');
    await expect
      .poll(() => there.locator('.branch-picker option').allTextContents())
      .toContainEqual(expect.stringMatching(/^Branch 2: /u));
  });

  it('the map is drawn when it is first seen', async () => {
    const tab = await session();
    await tab.goto('about:blank');
    await tab.addInitScript(() => {
      const look = new MutationObserver(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.track-map canvas');
        if (canvas === null) return;
        look.disconnect();
        const { width, height } = canvas;
        const drawn = width > 0 && canvas.getContext('2d')?.getImageData(0, 0, width, height).data.some(Boolean);
        Object.assign(window, { drawnAtFirst: drawn === true });
      });
      look.observe(document, { childList: true, subtree: true });
    });
    await tab.goto(`${page.served.origin}/sessions/${page.known.review}`);
    await tab.waitForSelector('.track-map canvas');
    expect(await tab.evaluate(() => (window as { drawnAtFirst?: boolean }).drawnAtFirst)).toBe(true);
  });
});
