// Takes a picture of every view of the page, light and dark, over sessions made for it.
//   npm run build && node property-tests/bench/page-pictures.mjs [folder] [name…]
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const [folder = mkdtempSync(join(tmpdir(), 'page-pictures-')), ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const root = fileURLToPath(new URL('../..', import.meta.url));
// The sessions are played by the same code as in the tests, which is TypeScript.
const vite = await createServer({ root, configFile: false, logLevel: 'error', appType: 'custom', optimizeDeps: { noDiscovery: true }, server: { middlewareMode: true, hmr: false, ws: false, watch: null } });
const { makePageWorld } = await vite.ssrLoadModule('/property-tests/page-world.ts');
const { openBrowser } = await vite.ssrLoadModule('/property-tests/page-browser.ts');
const { learn, pagePlaces } = await vite.ssrLoadModule('/property-tests/page-places.ts');

const page = await makePageWorld(process.env.PAGE_FOLDER === undefined ? {} : { pageFolder: process.env.PAGE_FOLDER });
const known = await learn(page);
const browser = await openBrowser();
try {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.context({ colorScheme, viewport: { width: 1360, height: 850 } });
    for (const { name, path, ready, act } of pagePlaces) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const tab = await context.newPage();
      tab.on('pageerror', (error) => console.error(name, error));
      tab.on('console', (message) => (message.type() === 'error' ? console.error(name, message.text()) : undefined));
      // The sessions were played at this time of their own clock.
      await tab.clock.setFixedTime(new Date('2026-01-02T03:05:00Z'));
      await tab.goto(`${page.served.origin}${path(known)}`);
      await tab.waitForSelector(ready);
      await act?.(tab);
      await tab.waitForTimeout(400);
      await tab.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
      await tab.close();
    }
    await context.close();
  }
} finally {
  await browser.close();
  await page.close();
  await vite.close();
}
console.log(folder);
