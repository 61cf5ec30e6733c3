// How the page bears ten thousand sessions and a run of five thousand places on two hundred branches, in a real Chromium.
//   npm run build && node property-tests/bench/page-huge.mjs [--keep] [--folder <one that --keep left>] [--pictures <folder>]
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { program } from './bench-world.mjs';
import { bigSession, makeHugeWorld } from './page-huge-world.mjs';

const { values: asked } = parseArgs({
  options: {
    sessions: { type: 'string', default: '10000' },
    nodes: { type: 'string', default: '5000' },
    branches: { type: 'string', default: '200' },
    folder: { type: 'string' },
    keep: { type: 'boolean', default: false },
    pictures: { type: 'string' },
  },
});

const rows = [];
const tell = (what, value, wanted = '') => {
  rows.push({ what, value, wanted });
  console.log(`${what.padEnd(58)} ${value.padStart(30)}   ${wanted}`);
};
const ms = (value) => `${Math.round(value)} ms`;
const rank = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

async function startPage(world) {
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--data-dir', world.data, '--workspace', world.workspace],
    { env: world.environment, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  const origin = await new Promise((resolve, reject) => {
    const hear = (bytes) => {
      said += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(said);
      if (found !== null) resolve(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', (code) => reject(new Error(`workrail serve ended with ${code}: ${said}`)));
  });
  const close = () =>
    new Promise((resolve) => {
      child.removeAllListeners('close');
      child.once('close', resolve);
      child.kill();
    });
  return { origin, close };
}

/** In the page: the time between frames, and what held the main thread, from now on. */
function watchFrames() {
  const seen = { frames: [], tasks: [], going: true };
  window.__seen = seen;
  let last = performance.now();
  const frame = (now) => {
    seen.frames.push(now - last);
    last = now;
    if (seen.going) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  seen.observer = new PerformanceObserver((list) =>
    seen.tasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  seen.observer.observe({ type: 'longtask' });
}

async function smooth(tab, what, act) {
  await tab.evaluate(watchFrames);
  await act();
  const { frames, tasks } = await tab.evaluate(() => {
    window.__seen.going = false;
    window.__seen.observer.disconnect();
    return { frames: window.__seen.frames.slice(2), tasks: window.__seen.tasks };
  });
  tell(
    what,
    `${ms(rank(frames, 0.5))} / ${ms(rank(frames, 0.95))} / ${ms(Math.max(...frames))}`,
    `between frames, middle / 95 % / most; ${frames.length} frames, ${tasks.length} tasks over 50 ms${tasks.length > 0 ? `, longest ${ms(Math.max(...tasks))}` : ''}`,
  );
}

/** What the processes of the tab hold, as the system counts it, and its JavaScript alone. */
async function memory(browser, tab, what) {
  const devtools = await tab.context().newCDPSession(tab);
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.enable').then(() => devtools.send('Performance.getMetrics'));
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize').value / 2 ** 20;
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  const held = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/^Pss:\s+(\d+)/mu.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024);
  tell(
    what,
    `${Math.max(...held).toFixed(0)} MB, JS ${heap.toFixed(0)} MB`,
    'the process of the tab; wanted under 300 MB',
  );
  await devtools.detach();
  await whole.detach();
}

async function firstView(context, origin, what) {
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Network.enable');
  let bytes = 0;
  let shown = false;
  devtools.on(
    'Network.loadingFinished',
    ({ encodedDataLength }) => void (shown ? undefined : (bytes += encodedDataLength)),
  );
  await tab.goto(`${origin}/`, { waitUntil: 'commit' });
  await tab.waitForSelector('[data-row] a');
  const at = await tab.evaluate(() => performance.now());
  shown = true;
  tell(what, `${ms(at)}, ${Math.round(bytes / 1024)} KB`, 'wanted under 1000 ms and 350 KB');
  return tab;
}

/** Types words letter by letter; for each, how long until what is shown is what was found. */
async function search(tab, words) {
  const times = [];
  await tab.getByRole('searchbox').focus();
  for (let end = 1; end <= words.length; end += 1) {
    const query = words.slice(0, end);
    await tab.evaluate((wanted) => {
      window.__found = new Promise((resolve) => {
        let from;
        document.addEventListener('keydown', (event) => (from = event.timeStamp), { once: true, capture: true });
        const look = () => {
          const done =
            document.querySelector('.sessions-view')?.dataset.query === wanted &&
            document.querySelector('.sessions-view[aria-busy="true"]') === null;
          if (done && from !== undefined)
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
          else requestAnimationFrame(look);
        };
        look();
      });
    }, query);
    await tab.keyboard.type(words[end - 1]);
    times.push(await tab.evaluate(() => window.__found));
    await tab.waitForTimeout(120);
  }
  return times;
}

async function sessionsView(browser, context, origin) {
  const tab = await firstView(context, origin, 'first view, the server has just begun');
  await tab.waitForFunction(
    () => !document.querySelector('.sessions-head p')?.textContent.includes('reading'),
    undefined,
    { timeout: 120_000 },
  );
  tell(
    'everything has been read',
    ms(await tab.evaluate(() => performance.now())),
    'since the page was opened; it is of use before',
  );
  await tab.close();
  const again = await firstView(context, origin, 'first view, everything read');
  for (const words of [
    'bacodi',
    'feature/sa',
    'WORK-77',
    'the',
    'is:open sort:oldest',
    'branch:feature/sa* since:365d',
  ]) {
    const times = await search(again, words);
    tell(
      `search “${words}”, each letter`,
      `${ms(rank(times, 0.5))} / ${ms(Math.max(...times))}`,
      `middle / most of ${times.length}; wanted under 100 ms`,
    );
    await again.getByRole('searchbox').fill('');
    await again.waitForFunction(
      () => document.querySelector('h1')?.textContent === 'Sessions' && document.querySelector('.searching') === null,
    );
  }
  await again.mouse.move(600, 500);
  await smooth(again, 'scrolling through the sessions', async () => {
    for (let turn = 0; turn < 80; turn += 1) {
      await again.mouse.wheel(0, 600);
      await again.waitForTimeout(16);
    }
  });
  await picture(again, 'huge-sessions');
  await memory(browser, again, 'memory, sessions');
  await again.close();
}

async function picture(tab, name) {
  if (asked.pictures === undefined) return;
  mkdirSync(asked.pictures, { recursive: true });
  await tab.screenshot({ path: join(asked.pictures, `${name}.png`) });
}

async function runView(browser, context, origin) {
  const tab = await context.newPage();
  await tab.goto(`${origin}/sessions/${bigSession}`, { waitUntil: 'commit' });
  await tab.waitForSelector('.track-map p');
  await tab.waitForSelector('.step-detail h2');
  tell(
    'the big run, from nothing',
    ms(await tab.evaluate(() => performance.now())),
    await tab.locator('.track-map p').evaluate((element) => element.textContent.split('.')[0]),
  );
  await picture(tab, 'huge-run-opened');
  const box = await tab.locator('.track-map').boundingBox();
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const drag = async () => {
    for (let round = 0; round < 3; round += 1) {
      await tab.mouse.move(middle.x, middle.y);
      await tab.mouse.down();
      for (let step = 0; step < 30; step += 1) {
        await tab.mouse.move(middle.x + Math.sin(step / 5) * 250, middle.y + step * 8 * (round % 2 === 0 ? 1 : -1));
        await tab.waitForTimeout(16);
      }
      await tab.mouse.up();
    }
  };
  await smooth(tab, 'panning the map, close', drag);
  await tab.getByRole('button', { name: 'Fit' }).click();
  await tab.waitForTimeout(300);
  await picture(tab, 'huge-run-whole');
  await smooth(tab, 'panning the map, all of it', drag);
  await smooth(tab, 'zooming', async () => {
    await tab.mouse.move(middle.x, middle.y);
    for (let turn = 0; turn < 60; turn += 1) {
      await tab.keyboard.down('Control');
      await tab.mouse.wheel(0, turn % 30 < 15 ? -60 : 60);
      await tab.keyboard.up('Control');
      await tab.waitForTimeout(16);
    }
  });
  await tab.locator('.track-map').focus();
  await smooth(tab, 'walking from step to step by key', async () => {
    for (let step = 0; step < 60; step += 1) {
      await tab.keyboard.press(step % 10 === 9 ? 'ArrowRight' : 'ArrowUp');
      await tab.waitForTimeout(30);
    }
  });
  await smooth(tab, 'choosing steps by pointer', async () => {
    for (let click = 0; click < 20; click += 1) {
      await tab.mouse.click(
        box.x + 30 + ((click * 97) % (box.width - 60)),
        box.y + 30 + ((click * 61) % (box.height - 60)),
      );
      await tab.waitForTimeout(60);
    }
  });
  await tab.getByRole('button', { name: 'List', exact: true }).click();
  await smooth(tab, 'scrolling the list of steps', async () => {
    await tab.mouse.move(middle.x, middle.y);
    for (let turn = 0; turn < 60; turn += 1) {
      await tab.mouse.wheel(0, 900);
      await tab.waitForTimeout(16);
    }
  });
  await picture(tab, 'huge-run-list');
  await memory(browser, tab, 'memory, the big run');
  await tab.close();
}

async function timelineView(browser, context, origin) {
  const tab = await context.newPage();
  await tab.goto(`${origin}/sessions/${bigSession}/timeline`, { waitUntil: 'commit' });
  await tab.waitForSelector('.track-map p');
  tell('the timeline of the big run, from nothing', ms(await tab.evaluate(() => performance.now())));
  const lanes = await tab.locator('.lane-canvas').boundingBox();
  await smooth(tab, 'pulling the moment through the timeline', async () => {
    await tab.mouse.move(lanes.x + lanes.width - 20, lanes.y + 40);
    await tab.mouse.down();
    for (let step = 0; step < 90; step += 1) {
      await tab.mouse.move(lanes.x + (lanes.width - 40) * Math.abs(Math.cos(step / 20)) + 20, lanes.y + 40);
      await tab.waitForTimeout(16);
    }
    await tab.mouse.up();
  });
  await picture(tab, 'huge-timeline');
  await memory(browser, tab, 'memory, the timeline');
  await tab.close();
}

const world = await makeHugeWorld({
  sessions: Number(asked.sessions),
  nodes: Number(asked.nodes),
  branches: Number(asked.branches),
  folder: asked.folder,
});
const page = await startPage(world);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  await sessionsView(browser, context, page.origin);
  await runView(browser, context, page.origin);
  await timelineView(browser, context, page.origin);
} finally {
  await browser.close();
  await page.close();
  if (asked.keep || asked.folder !== undefined) console.log(world.folder);
  else world.remove();
}
