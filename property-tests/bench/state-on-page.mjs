// How long it takes until the page shows what another process has written to a shared state, in a real Chromium.
//   npm run build && node property-tests/bench/state-on-page.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { makeWorld, openWorld, program } from './bench-world.mjs';
import { pause, quantile } from './frame/numbers.mjs';

const writes = 100;
const session = 'LIVE';
const now = () => performance.timeOrigin + performance.now();

async function write(folder) {
  const requests = await openWorld(folder).open();
  for (let count = 1; count <= writes; count += 1) {
    const at = now();
    const written = await requests.people.writeState({
      session,
      operations: [{ op: 'replace', path: '/count', value: count }],
    });
    if (!written.ok) throw new Error(written.error.message);
    process.stdout.write(`${JSON.stringify({ count, at })}\n`);
    await pause(300 + (count % 7) * 20);
  }
  await requests.close();
}

async function serve({ data, workspace, environment }) {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--data-dir', data], {
    cwd: workspace,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/u.exec(line) ?? [];
    if (origin !== undefined) return { child, origin };
  }
  throw new Error('the server does not start');
}

async function measure() {
  const world = makeWorld();
  const profile = mkdtempSync(join(tmpdir(), 'state-on-page-'));
  const requests = await world.open();
  const tasks = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`t${at}`, 'n'.repeat(180)]));
  await requests.people.addSchema({ name: 'any', json: true });
  await requests.people.createState({ schemaName: 'any', session, initialData: { count: 0, tasks } });
  await requests.close();
  const { child, origin } = await serve(world);
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(`${origin}/sessions/${session}/state`);
    await tab.waitForSelector('.document-line');
    await tab.evaluate(() => {
      window.shown = new Map();
      const look = () => {
        for (const line of document.querySelectorAll('.document-line')) {
          const [, count] = /count:.*?(\d+)\s*$/su.exec(line.textContent.trim()) ?? [];
          if (count !== undefined && !window.shown.has(Number(count)))
            window.shown.set(Number(count), performance.timeOrigin + performance.now());
        }
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    const writer = spawn(process.execPath, [fileURLToPath(import.meta.url), 'write', world.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const written = [];
    for await (const line of createInterface({ input: writer.stdout })) written.push(JSON.parse(line));
    await pause(1000);
    const shown = await tab.evaluate(() => [...window.shown]);
    // What is written over before it is shown counts as shown by what came after it.
    const times = written.flatMap(({ count, at }) => {
      const later = shown.flatMap(([one, when]) => (one >= count ? [when - at] : []));
      return later.length === 0 ? [] : [Math.min(...later)];
    });
    if (times.length < writes * 0.95) throw new Error(`${times.length} of ${writes} were shown`);
    for (const [name, part] of [
      ['p50', 0.5],
      ['p95', 0.95],
    ])
      console.log(
        `from the beginning of a write until the page shows it, ${name}: ${quantile(times, part).toFixed(0)} ms`,
      );
  } finally {
    await browser.close();
    child.kill();
    await once(child, 'exit');
    rmSync(profile, { recursive: true, force: true });
    world.remove();
  }
}

await (process.argv[2] === 'write' ? write(process.argv[3]) : measure());
