import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { barriers } from '../../worlds/page-barriers.js';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../worlds/page-browser.js';
import { bareBackticks, fitting, misfitsByWidth } from '../../worlds/page-fit.js';
import { makeStateWorld, stateSessions, type StateWorld } from '../../worlds/state-world.js';

describe.runIf(chromiumPath !== undefined)('the shared state of a session, on the page', () => {
  let opened: OpenBrowser;
  let world: StateWorld;
  let context: BrowserContext;
  beforeAll(async () => {
    opened = await openBrowser();
    world = await makeStateWorld();
  }, 60_000);
  beforeEach(async () => {
    context = await opened.context();
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await opened.close();
    await world.close();
  });
  const go = async (path: string, ready = '.document-line'): Promise<Page> => {
    const tab = await context.newPage();
    await tab.goto(`${world.served.origin}/sessions/${path}`);
    await tab.waitForSelector(ready);
    return tab;
  };
  const line = (tab: Page, text: string | RegExp) => tab.locator('.document-line', { hasText: text });
  const chosenVersion = (tab: Page): Promise<string> => tab.locator('.version-list [aria-selected=true]').innerText();

  it.each([
    { name: 'with a conflict', path: `${stateSessions.review}/state` },
    { name: 'with two heads', path: `${stateSessions.twoHeads}/state` },
  ])('$name fits, and keeps nobody out', async ({ path }) => {
    const tab = await go(path);
    await tab.waitForSelector('.live-state:not(.waiting)');
    const told = { fits: await misfitsByWidth(tab), bare: await bareBackticks(tab), barriers: await barriers(tab) };
    expect(told).toEqual({ fits: fitting, bare: [], barriers: [] });
  });

  it('is named in the list of sessions, with what waits to be settled, and leads there', async () => {
    const tab = await context.newPage();
    await tab.goto(world.served.origin);
    const chip = tab.getByRole('link', { name: /^state \d+$/u });
    const warned = chip.filter({ hasText: 'state 8' });
    await warned.waitFor();
    expect(await warned.getAttribute('class')).toContain('warning');
    expect(await warned.getAttribute('title')).toBe('Shared state: code-review 1, version 8, 1 change to settle');
    await warned.click();
    await tab.waitForURL(new RegExp(`/sessions/${stateSessions.review}/state$`, 'u'));
  });

  it('goes back in time as the run does, and each leads to the other', async () => {
    const tab = await go(stateSessions.review, '.step-detail');
    await tab.getByRole('link', { name: 'State', exact: true }).click();
    await line(tab, 'done:').filter({ hasText: 'true' }).waitFor();
    expect(await tab.locator('.document-line.changed').innerText()).toMatch(/done:.*false.*true/su);
    await tab.getByRole('slider', { name: 'Moment' }).press('Home');
    await line(tab, '"pending"').waitFor();
    expect(await tab.locator('.document-line:is(.added, .changed, .removed)').count()).toBe(0);
    await tab.keyboard.press('ArrowRight');
    await tab.keyboard.press('ArrowRight');
    await tab.keyboard.press('ArrowRight');
    await line(tab, 'expiry:').waitFor();
    expect(await line(tab, 'refresh:').getAttribute('class')).toContain('removed');
    expect(await tab.locator('.change-count').innerText()).toMatch(/1 added\s*1 changed\s*1 removed/u);
    expect(await tab.locator('.change-told').innerText()).toMatch(
      /Version 4.*Patched on the command line.*During the step Check how tokens are kept.*3 operations.*remove \/tasks\/refresh/su,
    );
    await tab.waitForURL(/\/state\?at=\d+$/u);
    await tab.getByRole('link', { name: 'Run at this point' }).click();
    await tab.locator('.event-row[aria-selected=true]', { hasText: 'shared state changed to version 4' }).waitFor();
    // Two clones wrote at one place of the order: nobody stays there.
    for (let steps = 0; steps < 3; steps += 1) await tab.keyboard.press('ArrowRight');
    await tab.getByText(/^At this point, 12 of \d+ events$/u).waitFor();
    for (let steps = 0; steps < 4; steps += 1) await tab.keyboard.press('ArrowLeft');
    await tab.getByRole('link', { name: 'State at this point' }).click();
    await expect.poll(() => chosenVersion(tab)).toContain('Version 3');
    await tab.getByLabel('Compared with').selectOption({ label: 'Version 1, created' });
    await line(tab, '"pending"').waitFor();
    expect(await tab.locator('.change-count').innerText()).toMatch(/2 added\s*2 changed/u);
    await tab.waitForURL(/&base=v1-/u);
  });

  it('follows what is written, unless somebody looks at what was', async () => {
    const tab = await go(`${stateSessions.review}/state`);
    await world.patch([{ op: 'replace', path: '/status', value: 'review' }]);
    await line(tab, /in_progress.*review/su).waitFor();
    expect(await tab.getByText(/^Now, version 9 of 9$/u).count()).toBe(1);
    await tab.locator('.version-list .event-row', { hasText: 'Version 2' }).click();
    await line(tab, '"security"').waitFor();
    await world.patch([{ op: 'replace', path: '/status', value: 'in_progress' }]);
    await tab.getByText('At this point, version 2 of 10').waitFor();
    expect(await chosenVersion(tab)).toContain('Version 2');
  });

  it('shows both sides of a conflict until somebody settles it, and says why it was not taken', async () => {
    const tab = await go(`${stateSessions.review}/state`);
    const conflict = tab.locator('.conflict');
    await conflict.getByText('Tokens have to be sealed before they are written.').waitFor();
    expect(await conflict.getByRole('list', { name: 'In the document now' }).innerText()).toContain('nothing ends a');
    const told = {
      error_code: 'STATE_INVALID',
      message: 'the document does not fit its schema',
      retryable: false,
      suggested_action: 'correct it',
      correlation_id: 'c0ffee',
      violations: [{ path: '/status', rule: 'schema', message: 'is no status' }],
      context: {},
    };
    await tab.route('**/settle', (route) => route.fulfill({ status: 422, json: told }), { times: 1 });
    await conflict.getByRole('button', { name: 'Make the change now' }).click();
    await conflict.getByRole('alert').getByText('is no status').waitFor();
    await conflict.getByLabel('Reason').fill('It is said in the other summary.');
    await conflict.getByRole('button', { name: 'Leave it out' }).click();
    await conflict.waitFor({ state: 'detached' });
    await tab.locator('.version-list .event-row', { hasText: world.conflict }).click();
    await tab.getByText('was left out on the command line: It is said in the other summary.').waitFor();
  });

  it('is read by keys, folded and unfolded, however large it is', async () => {
    const tab = await go(`${stateSessions.large}/state`);
    expect(await tab.locator('.document-line').count()).toBeLessThan(200);
    await line(tab, /tries:.*99/su).waitFor();
    const tree = tab.getByRole('tree');
    await tree.focus();
    const chosen = (): Promise<string> => tree.locator('[aria-selected=true]').innerText();
    expect(await chosen()).toContain('tries');
    await tab.keyboard.press('ArrowLeft');
    expect(await chosen()).toContain('row-4711');
    await tab.keyboard.press('ArrowLeft');
    await line(tab, 'changed inside').waitFor();
    await tab.keyboard.press('ArrowRight');
    await tab.keyboard.press('End');
    await expect.poll(chosen).toContain('row-8999');
    await tab.keyboard.press('p');
    await expect.poll(chosen).toContain('tries');
    await tab.getByRole('button', { name: 'Changes only' }).click();
    await line(tab, '4711 unchanged').waitFor();
    expect(await tab.locator('.document-line').count()).toBe(8);
  });

  it('is one of several where it was forked, and nowhere where there is none', async () => {
    const tab = await go(`${stateSessions.review}/state`);
    const states = tab.getByLabel('State', { exact: true });
    await states.selectOption({ index: 1 });
    await tab.getByText(/^forked from v3-/u).waitFor();
    await expect.poll(() => chosenVersion(tab)).toContain('Version 1');
    await tab.getByRole('button', { name: 'Show schema' }).click();
    await tab.locator('dialog').getByText('"in_progress"').waitFor();
    await tab.goto(`${world.served.origin}/sessions/${stateSessions.none}`);
    await tab.getByRole('link', { name: 'Timeline' }).waitFor();
    expect(await tab.getByRole('link', { name: 'State', exact: true }).count()).toBe(0);
    await tab.goto(`${world.served.origin}/sessions/${stateSessions.none}/state`);
    await tab.getByRole('heading', { name: 'No shared state' }).waitFor();
  });
});
