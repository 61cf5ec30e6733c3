import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

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
