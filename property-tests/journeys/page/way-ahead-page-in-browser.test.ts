import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunGraph } from '../../../src/contract/http-api.js';
import type { SessionHead } from '../../../src/contract/session-story.js';
import type { Requests } from '../../../src/requests/requests.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { barriers } from '../../worlds/page-barriers.js';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../worlds/page-browser.js';
import { builtPage } from '../../worlds/page-world.js';
import { call, type Called, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';
import { playSlices, slicesSession } from '../../worlds/way-ahead-world.js';

describe.runIf(chromiumPath !== undefined)('the way ahead, on the page', () => {
  let opened: OpenBrowser;
  let context: BrowserContext;
  let world: RequestsWorld;
  let requests: Requests;
  let served: ServedWorld;
  let last: Called;
  const errors: string[] = [];

  beforeAll(async () => {
    opened = await openBrowser();
  }, 60_000);
  afterAll(() => opened.close());

  beforeEach(async () => {
    world = makeRequestsWorld({ seed: 11, tick: 140_000 });
    requests = world.open();
    last = await playSlices(world, requests);
    served = await serveRequests(requests, { pageFolder: builtPage });
    context = await opened.context({ viewport: { width: 1440, height: 900 } });
    errors.length = 0;
    context.on('page', (tab) => {
      tab.on('pageerror', ({ message }) => void errors.push(message));
      tab.on('console', (message) => void (message.type() === 'error' ? errors.push(message.text()) : undefined));
    });
  });
  afterEach(async () => {
    if (errors.length > 0) throw new Error(errors.join('\n'));
    await context.close();
    await served.close();
    await world.close();
  });

  async function open(): Promise<Page> {
    const tab = await context.newPage();
    await tab.goto(`${served.origin}/sessions/${slicesSession}`);
    await tab.waitForSelector('.step-detail h2');
    await tab.waitForSelector('.live-state:not(.waiting)');
    return tab;
  }

  const tip = (tab: Page): Promise<string> => tab.locator('.map-tip').innerText();

  /** Points at a row of the first track, counted from the top of a run that fits the map. */
  async function pointAt(tab: Page, row: number): Promise<void> {
    const box = (await tab.locator('.track-map').boundingBox())!;
    await tab.mouse.move(box.x + 34, box.y + 34 + row * 36);
    await tab.waitForSelector('.map-tip');
  }

  it('tells how far the run has come, as the agent is told', async () => {
    const tab = await open();
    const [told = ''] = /Step \d+ of about \d+/u.exec(last.reply.text) ?? [];
    expect(told).toBe('Step 9 of about 17');
    expect(await tab.locator('.runs-list').innerText()).toContain(told);
    expect(await tab.locator('.step-detail .facts').innerText()).toContain(told);
    // Where there is no room for the list of runs, above the map.
    await tab.setViewportSize({ width: 390, height: 844 });
    expect(await tab.locator('.stage-bar').innerText()).toContain(told);
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  it('tells of a step that is pointed at its whole name, where it stands, when it began and how long it took', async () => {
    const tab = await open();
    await pointAt(tab, 0);
    expect(await tip(tab)).toContain('Understand what is wanted before anything is changed, and name the files');
    expect(await tip(tab)).toMatch(/, took \d+ min/u);
    await pointAt(tab, 3);
    expect(await tip(tab)).toContain(
      'Build it to a plan › Build it slice by slice · round 1 of 3 › Look and mend · round 1',
    );
    // Below the tip is what is still to come.
    await pointAt(tab, 12);
    expect(await tip(tab)).toMatch(
      /Try to break it\s+Build it to a plan\s+only if context\.size == "Large"\s+Still to come/u,
    );
    expect(await barriers(tab)).toEqual([]);
    await tab.mouse.move(5, 5);
    await tab.waitForSelector('.map-tip', { state: 'detached' });
  });

  it('is walked through by key, and chooses nothing there', async () => {
    const tab = await open();
    const chosen = tab.url();
    await tab.locator('.track-map').focus();
    for (const words of ['Look and mend', 'Commit: the header', 'Build it slice by slice']) {
      await tab.keyboard.press('ArrowDown');
      await tab.waitForFunction((wanted) => document.querySelector('.map-tip strong')?.textContent === wanted, words);
    }
    expect(await tab.locator('[aria-live="polite"]').first().textContent()).toContain(
      'Build it slice by slice, to come, 1 more round',
    );
    expect(await tab.locator('.step-detail h2').innerText()).toBe('Look at it again');
    for (let press = 0; press < 4; press += 1) await tab.keyboard.press('ArrowUp');
    await tab.waitForFunction((before) => window.location.href !== before, chosen);
    await tab.waitForSelector('.map-tip', { state: 'detached' });
    // Its end is the tip, not what is to come.
    await tab.keyboard.press('End');
    await tab.waitForSelector('.step-detail .tag.waiting');
  });

  it('stands in the list under the names of groups and rounds', async () => {
    const tab = await open();
    await tab.getByRole('button', { name: 'List', exact: true }).click();
    await tab.waitForSelector('.track-line-item.to-come');
    const lines = await tab.locator('.track-line-group, .track-line-item').evaluateAll((all) =>
      all
        .map((line) => ({ y: line.getBoundingClientRect().top, text: line.textContent }))
        .toSorted((a, b) => a.y - b.y)
        .map(({ text }) => text),
    );
    const at = lines.findIndex((line) => line === 'Build it slice by slice · round 2 of 3');
    expect(lines.slice(at, at + 8).map((line) => line.replace(/^.*?(?:Branch|To come) \d?/u, ''))).toEqual([
      'Build it slice by slice · round 2 of 3',
      expect.stringContaining('Build: the header'),
      'Look and mend · round 1',
      expect.stringContaining('Look at it again'),
      'Look and mend · round 2',
      expect.stringContaining('Look at it again'),
      expect.stringContaining('Look and mendagain until context.sound == true'),
      'Commit: the header',
    ]);
    // The other branch has its next steps, and how many follow those.
    expect(lines.slice(-4).map((line) => line.replace(/^.*?(?:Branch|To come) \d?/u, ''))).toEqual([
      expect.stringContaining('Look and mend'),
      'Commit: the header',
      expect.stringContaining('Build it slice by slice'),
      expect.stringMatching(/^About \d+ more steps$/u),
    ]);
    // Who listens hears the heading with the first step below it.
    expect(await tab.getByRole('option', { name: /^Build it slice by slice · round 2 of 3: Branch 1/u }).count()).toBe(
      1,
    );
    await tab.locator('.track-list').focus();
    await tab.keyboard.press('ArrowDown');
    await tab.waitForSelector('.track-line-item.to-come[aria-selected="true"]');
    expect(await tab.locator('.step-detail h2').innerText()).toBe('Look at it again');
    expect(await barriers(tab)).toEqual([]);
  });

  it('follows the agent, and is not there in what was', async () => {
    const tab = await open();
    const before = tab.url();
    await call(requests, 'continue_workflow', {
      ...pairOf(last.answer),
      output: { notesMarkdown: 'Done as the prompt says, and tried.' },
      context: { sound: true },
    });
    await tab.waitForFunction((was) => window.location.href !== was, before);
    await tab.waitForFunction(() => document.querySelector('.step-detail h2')?.textContent === 'Commit: the header');
    expect(await tab.locator('.runs-list').innerText()).toContain('Step 10 of about 17');
    const head = (await (await served.get(`/api/sessions/${slicesSession}`)).json()) as SessionHead;
    const graph = (await (
      await served.get(`/api/sessions/${slicesSession}/runs/${head.runs[0]!.runId}`)
    ).json()) as RunGraph;
    expect(graph.ahead?.steps[0]?.title).toBe('Build it slice by slice');
    expect(await tab.locator('.track-map p').textContent()).toContain(`, ${graph.ahead!.steps.length} to come`);
    await tab.goto(`${served.origin}/sessions/${slicesSession}/timeline`);
    await tab.waitForSelector('.track-map p');
    expect(await tab.locator('.track-map p').textContent()).not.toContain('to come');
  });
});
