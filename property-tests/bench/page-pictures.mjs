// Takes a picture of every view of the page, light and dark, over sessions made for it.
//   npm run build && [PAGE_SIZE=1200x750] node property-tests/bench/page-pictures.mjs [folder] [name…]
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hideFolder } from './frame/hide-folder.mjs';
import { loadSources } from './frame/load-sources.mjs';
import { smallerPng } from './frame/smaller-png.mjs';

const [folder = mkdtempSync(join(tmpdir(), 'page-pictures-')), ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { load, close: closeSources } = await loadSources();
const { builtPage, makePageWorld } = await load('/property-tests/worlds/page-world.ts');
const { openBrowser } = await load('/property-tests/worlds/page-browser.ts');
const { serveRequests } = await load('/property-tests/worlds/http-world.ts');
const { makeStateWorld, stateSessions } = await load('/property-tests/worlds/state-world.ts');
const { makeRequestsWorld } = await load('/property-tests/worlds/requests-world.ts');
const { learn, pagePlaces } = await load('/property-tests/worlds/page-places.ts');

const [width, height] = (process.env.PAGE_SIZE ?? '1440x900').split('x').map(Number);
const pageFolder = process.env.PAGE_FOLDER ?? builtPage;
const page = await makePageWorld({ pageFolder });
const known = await learn(page);
const shared = await makeStateWorld();
const browser = await openBrowser();

/** Documents that agents share, in a world of their own. */
const statePlaces = [
  { name: 'state', path: `/sessions/${stateSessions.review}/state` },
  { name: 'state-then', path: `/sessions/${stateSessions.review}/state?at=9` },
  { name: 'state-heads', path: `/sessions/${stateSessions.twoHeads}/state` },
];

/** What is seen only for a while: nothing here yet, something on its way, nobody there any more. */
async function states(open, take) {
  const world = makeRequestsWorld({ seed: 17 });
  const empty = await serveRequests(world.open(), { pageFolder });
  const first = await open('empty');
  await first.goto(empty.origin);
  await first.waitForSelector('.ways-in');
  await take(first, 'empty');
  const slow = await open('loading');
  await slow.route('**/api/sessions**', () => undefined);
  await slow.goto(`${page.served.origin}/`);
  await slow.waitForSelector('.skeleton');
  await take(slow, 'loading');
  await empty.close();
  await world.close();
  const other = await serveRequests(page.requests, { pageFolder });
  const lost = await open('disconnected');
  await lost.goto(`${other.origin}/sessions/${known.review}/runs/${known.run}?node=${known.node}`);
  await lost.waitForSelector('.step-detail .written:visible');
  await lost.waitForSelector('.live-state:not(.waiting)');
  await other.close();
  await lost.waitForSelector('.broken-line');
  await take(lost, 'disconnected');
}

try {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.context({ colorScheme, viewport: { width, height } });
    const open = async (name) => {
      const tab = await context.newPage();
      tab.on('pageerror', (error) => console.error(name, error));
      // The sessions were played at this time of their own clock.
      await tab.clock.setFixedTime(new Date('2026-01-02T03:05:00Z'));
      return tab;
    };
    const take = async (tab, name) => {
      await hideFolder(tab, page.world.folder);
      await tab.waitForTimeout(400);
      writeFileSync(join(folder, `${name}-${colorScheme}.png`), smallerPng(await tab.screenshot()));
      await tab.close();
    };
    for (const { name, path, ready, act } of pagePlaces) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const tab = await open(name);
      await tab.goto(`${page.served.origin}${path(known)}`);
      await tab.waitForSelector(ready, { state: 'attached' });
      await act?.(tab);
      await take(tab, name);
    }
    for (const { name, path } of statePlaces) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const tab = await open(name);
      await tab.goto(`${shared.served.origin}${path}`);
      await tab.waitForSelector('.document-line');
      await take(tab, name);
    }
    if (wanted.length === 0 || wanted.includes('states')) await states(open, take);
    await context.close();
  }
} finally {
  await browser.close();
  await page.close();
  await shared.close();
  await closeSources();
}
console.log(folder);
