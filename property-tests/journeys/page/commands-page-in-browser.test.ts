import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandRuns, openCommandRuns, playCommandRuns } from '../../worlds/command-runs.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { barriers } from '../../worlds/page-barriers.js';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../worlds/page-browser.js';
import { builtPage } from '../../worlds/page-world.js';
import { answer } from '../../worlds/scripted-server.js';

describe.runIf(chromiumPath !== undefined)('steps that WorkRail does itself, on the page', () => {
  let opened: OpenBrowser;
  let context: BrowserContext;
  let runs: CommandRuns;
  let served: ServedWorld;
  const errors: string[] = [];

  beforeAll(async () => {
    opened = await openBrowser();
  }, 60_000);
  afterAll(() => opened.close());

  beforeEach(async () => {
    runs = await openCommandRuns();
    served = await serveRequests(runs.requests, { pageFolder: builtPage });
    context = await opened.context();
    errors.length = 0;
    context.on('page', (tab) => {
      tab.on('pageerror', ({ message }) => void errors.push(message));
    });
  });
  afterEach(async () => {
    await context.close();
    await served.close();
    await runs.close();
  });

  async function open(session: string): Promise<Page> {
    const tab = await context.newPage();
    await tab.goto(`${served.origin}/sessions/${session}`);
    await tab.waitForSelector('.step-detail header');
    return tab;
  }
  const panel = (tab: Page): Promise<string> => tab.locator('.step-detail').innerText();

  it('is agreed to there, sent, and the run is seen to go on', async () => {
    const { start, goOn, api } = runs;
    await goOn(await start('write', 'AGREE'), { output: { notesMarkdown: 'It crashes.' } });
    const tab = await open('AGREE');
    await tab.getByRole('button', { name: 'Agree and send' }).waitFor();
    expect(await panel(tab)).toContain('Do you agree to what this run sends?');
    expect(await panel(tab)).toContain('It crashes on empty files');
    expect(await barriers(await open('AGREE'))).toEqual([]);
    expect(api.writes).toHaveLength(0);
    await tab.getByRole('button', { name: 'Agree and send' }).click();
    await expect.poll(() => tab.locator('.runs-list').innerText()).toContain('Tell the team');
    expect(api.writes).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('asks what happened, and each choice says what it does', async () => {
    const { start, goOn, loseAnswers, keepAnswers, api } = runs;
    loseAnswers();
    await goOn(await start('lost', 'LOST'), { confirmed: true });
    keepAnswers();
    const tab = await open('LOST');
    await tab.getByRole('radio', { name: /It was not done/u }).waitFor();
    expect(await tab.locator('.outcome-choices').innerText()).toMatch(/done twice[\s\S]+continues[\s\S]+run fails/u);
    expect(await tab.getByRole('button', { name: /Refuse/u }).count()).toBe(0);
    expect(await barriers(await open('LOST'))).toEqual([]);
    await tab.getByRole('radio', { name: /It was not done/u }).check();
    await tab.getByRole('button', { name: 'Answer', exact: true }).click();
    await expect.poll(() => panel(tab)).toContain('The run failed here');
    expect(await tab.locator('.session-header').innerText()).toContain('Failed');
    expect(api.writes).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('shows a step under way, and goes along with it without a reload', async () => {
    await playCommandRuns(runs);
    const tab = await open('POLL-RUNS');
    await expect.poll(() => panel(tab)).toContain('Next try');
    expect(await tab.locator('.session-header').innerText()).toContain('Running');
    expect(await barriers(await open('POLL-RUNS'))).toEqual([]);
    const { server, api, start } = runs;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.script(async (request, count) => {
      await held;
      return request.method === 'GET' ? answer(200, { id: 1, title: 'Seen' }) : api.script(request, count);
    });
    void start('read', 'LIVE').catch(() => undefined);
    await expect.poll(() => runs.world.lines().some(({ session }) => session === 'LIVE')).toBe(true);
    const live = await open('LIVE');
    await expect.poll(() => panel(live)).toContain('about to send');
    release();
    await expect.poll(() => live.locator('.runs-list').innerText()).toContain('Tell the team');
    expect(errors).toEqual([]);
  });
});
