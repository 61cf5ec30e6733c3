import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { barriers } from '../../worlds/page-barriers.js';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../worlds/page-browser.js';
import { builtPage } from '../../worlds/page-world.js';
import { forge, writePick } from '../../worlds/pick-world.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { answer, type ScriptedServer } from '../../worlds/scripted-server.js';

// A document is read in a thread, which is started from a file of the built program.
vi.mock(
  '../../../src/library/read-catalog.js',
  () => import(new URL('../../../dist/library/read-catalog.js', import.meta.url).href),
);

describe.runIf(chromiumPath !== undefined)('the inputs of a workflow, on the page', () => {
  let opened: OpenBrowser;
  let context: BrowserContext;
  let world: RequestsWorld;
  let server: ScriptedServer;
  let served: ServedWorld;
  let tab: Page;

  beforeAll(async () => {
    opened = await openBrowser();
  }, 60_000);
  afterAll(() => opened.close());
  beforeEach(async () => {
    world = makeRequestsWorld({ seed: 19 });
    server = await writePick(world);
    served = await serveRequests(world.open(), { pageFolder: builtPage });
    context = await opened.context();
    tab = await context.newPage();
    await tab.goto(`${served.origin}/workflows/team.bring_out`);
    await tab.waitForSelector('[role=combobox]');
  });
  afterEach(async () => {
    await context.close();
    await served.close();
    await server.close();
    await world.close();
  });

  const field = (name: string) => tab.getByLabel(name, { exact: true });
  const handedOut = (): Promise<string> => tab.locator('.start-words').innerText();

  it('are chosen by key from what the API has, one after the other, and nothing is fetched before', async () => {
    expect(await handedOut()).toContain("--input 'org=<fill in>'");
    expect(await tab.getByText('Enter org to see the choices').count()).toBe(1);
    await field('repo').click();
    await tab.getByText('Enter org first').first().waitFor();
    expect(server.connections()).toBe(0);
    await field('org').focus();
    await tab.keyboard.press('ArrowDown');
    await tab.getByRole('option', { name: 'Acme Inc' }).waitFor();
    await tab.keyboard.press('ArrowDown');
    expect(await field('org').getAttribute('aria-activedescendant')).toBe(
      await tab.locator('.choice-option[aria-selected=true]').getAttribute('id'),
    );
    expect(await barriers(tab)).toEqual([]);
    await tab.keyboard.press('Enter');
    expect(await field('org').inputValue()).toBe('acme');
    expect(await field('org').getAttribute('aria-expanded')).toBe('false');
    await field('repo').click();
    await tab.locator('.choice-said', { hasText: '50 of 80. Type to search.' }).waitFor();
    await field('repo').fill('2-39');
    await tab.locator('.choice-said', { hasText: /^1 choice\.$/u }).waitFor();
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await field('percent').fill('5');
    expect(await handedOut()).toMatch(/- repo: "acme-repo-2-39"\n- percent: 5/u);
    expect(await handedOut()).toContain('--input org=acme --input repo=acme-repo-2-39');
    // It is still there after a look at a step; what depends on another goes with it.
    await tab.getByRole('tab', { name: 'Source' }).click();
    await tab.getByRole('tab', { name: 'About' }).click();
    expect(await field('repo').inputValue()).toBe('acme-repo-2-39');
    await field('org').fill('beta');
    expect(await field('repo').inputValue()).toBe('');
  });

  it('can be typed where the choices cannot be had, and what is no number is said', async () => {
    server.script(() => answer(500, { message: 'down' }));
    await field('org').click();
    await tab.locator('.choice-said.grave', { hasText: 'Enter the value yourself.' }).waitFor();
    expect(await barriers(tab)).toEqual([]);
    server.script(forge);
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.getByRole('option', { name: 'Acme Inc' }).waitFor();
    await tab.keyboard.press('Escape');
    expect(await tab.locator('.choice-option').count()).toBe(0);
    await field('org').fill('own');
    await field('percent').fill('many');
    await tab.getByText('This is not a number.').waitFor();
    expect(await handedOut()).toContain('org: "own"');
    expect(await handedOut()).not.toContain('percent');
  });
});
