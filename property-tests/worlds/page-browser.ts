import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type Known, learn } from './page-places.js';
import { makePageWorld, type PageWorld } from './page-world.js';

/** Where the browser is, if it is anywhere. */
export const chromiumPath: string | undefined = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && path !== '' && existsSync(path));

export interface OpenBrowser {
  readonly browser: Browser;
  context(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real Chromium of its own, without a window and without a past. */
export async function openBrowser(): Promise<OpenBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'page-browser-'));
  const browser = await chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: [...quiet, `--disk-cache-dir=${folder}`],
    env: { ...process.env, HOME: folder },
  });
  return {
    browser,
    context: (options = {}) =>
      browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', ...options }),
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The page of one world, open in a browser of its own. */
export interface OpenPage extends PageWorld {
  readonly known: Known;
  readonly context: BrowserContext;
  /** A new tab at a place of the page, as soon as what it is ready with is there. */
  go(path: string, ready: string): Promise<Page>;
  closeTabs(): Promise<void>;
}

/** For tests that change little of what they share: a world, its server, and a browser that may copy and paste. */
export async function openPage(): Promise<OpenPage> {
  const [page, opened] = await Promise.all([makePageWorld(), openBrowser()]);
  const { origin } = page.served;
  const known = await learn(page);
  const context = await opened.context();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  return {
    ...page,
    known,
    context,
    go: async (path, ready) => {
      const tab = await context.newPage();
      await tab.goto(`${origin}${path}`);
      await tab.waitForSelector(ready);
      return tab;
    },
    closeTabs: async () => {
      for (const tab of context.pages()) await tab.close();
    },
    close: async () => {
      await opened.close();
      await page.close();
    },
  };
}
