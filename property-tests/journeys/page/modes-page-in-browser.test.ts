import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PreferencesTold } from '../../../src/contract/people-answers.js';
import { chromiumPath, type OpenPage, openPage } from '../../worlds/page-browser.js';

describe.runIf(chromiumPath !== undefined)('modes and comments on the page', () => {
  let page: OpenPage;

  beforeAll(async () => {
    page = await openPage();
  }, 60_000);
  afterEach(() => page.closeTabs());
  afterAll(() => page.close());
  const told = async (): Promise<PreferencesTold> =>
    (await (await page.served.get('/api/sessions/PAY-88/preferences')).json()) as PreferencesTold;

  it('shows comments under their places, each and all to be copied', async () => {
    const at = `/sessions/${page.known.review}/runs/${page.known.run}?node=${page.known.a}&tab=documents`;
    const tab = await page.go(at, '.document');
    const copied = (): Promise<string> => tab.evaluate(() => navigator.clipboard.readText());
    const body = 'Could the header come from the columns instead?';
    const comments = tab.locator('.document', { has: tab.getByRole('heading', { name: /^Comments/u }) });
    expect(await comments.locator('h4').allInnerTexts()).toEqual(['src/export.ts:41–44']);
    expect(await comments.locator('.written').innerText()).toBe(body);
    await comments.getByRole('button', { name: /Copy the comment on src\/export\.ts:41/u }).click();
    await expect.poll(copied).toBe(body);
    await comments.getByRole('button', { name: /^Copy all comments/u }).click();
    await expect.poll(copied).toBe(`### src/export.ts:41–44\n\n**Major: An empty list fails**\n\n${body}`);
    const findings = tab.locator('.document', { has: tab.getByRole('heading', { name: /^Findings/u }) });
    await findings.getByRole('button', { name: /^Copy all findings/u }).click();
    await expect.poll(copied).toContain('**Critical: Two exports at once share one file** (src/columns.ts:7)');
    expect(await copied()).not.toContain('A column without a name');
  });

  it('says the mode in force, who changed it, and changes it from the step that waits', async () => {
    const tab = await page.go('/sessions/PAY-88', '.mode-here');
    const header = tab.locator('.session-header');
    expect(await header.innerText()).toContain('wr.bug_investigation');
    expect(await header.innerText()).toContain('Mode: Auto, never stops');
    expect(await tab.locator('.runs-list').innerText()).toContain('Mode: Auto, never stops');
    expect(await tab.locator('.mode-here').innerText()).toContain('continues without you');
    await tab.getByRole('button', { name: /Change the mode from this step on/u }).click();
    const dialog = tab.getByRole('dialog', { name: 'Mode from this step on' });
    await dialog.getByText('on this branch of').waitFor();
    await dialog.getByRole('radio', { name: /^Guided/u }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('No unsaved changes.').waitFor();
    const { session } = await told();
    expect(session?.run?.preferences.autonomy).toBe('guided');
    expect(session?.preferences.autonomy).toBe('guided');
    await tab.keyboard.press('Escape');
    await header.getByText('Mode: Guided').waitFor();
    await tab.getByRole('tab', { name: 'Context' }).click();
    const changes = tab.getByRole('list', { name: 'Changes of mode' });
    await changes.getByText('in the page; tightened from “Auto, never stops” to “Guided”').waitFor();
    expect(await changes.getByText('Mode set at the start of the run; loosened from').count()).toBe(1);
  });

  it('says which of several runs waits, and shows each lane in a colour of its own', async () => {
    const tab = await page.go(`/sessions/${page.known.review}`, '.runs-list');
    expect(await tab.locator('.session-header').innerText()).toContain(
      '2 runs; “Follow up on a review” waits at Tell the author',
    );
    expect(await tab.locator('.runs-list li', { hasText: 'waits' }).locator('.run-title').allInnerTexts()).toEqual([
      'Follow up on a review',
    ]);
    await tab.goto(`${page.served.origin}/sessions/${page.known.review}/timeline`);
    await tab.waitForSelector('.lane-canvas');
    const colours = await tab
      .locator('.lane-mark')
      .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).backgroundColor));
    expect(new Set(colours).size).toBe(3);
    const painted = await tab.locator('.lane-canvas').evaluate(async (canvas, wanted) => {
      // The picture is drawn with the next frame.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const picture = canvas as HTMLCanvasElement;
      const { data } = picture.getContext('2d')!.getImageData(0, 0, picture.width, picture.height);
      const seen = new Set<string>();
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255) seen.add(`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`);
      return wanted.filter((colour) => seen.has(colour));
    }, colours);
    expect(painted).toEqual(colours);
  });
});
