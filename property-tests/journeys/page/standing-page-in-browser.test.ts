import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SessionHead } from '../../../src/contract/session-story.js';
import { chromiumPath, type OpenPage, openPage } from '../../worlds/page-browser.js';
import { call, pairOf } from '../../worlds/requests-world.js';

const workflow = `workflow: team.stand
title: Bring out a version
description: D
steps:
  - { id: say, title: Say what changes, prompt: p, notes: required }
  - { id: agree, title: Agree on it, prompt: p, notes: required, confirm: true }
  - { id: after, title: Bring it out, prompt: p }
`;

describe.runIf(chromiumPath !== undefined)('how a step stands, on the page', () => {
  let page: OpenPage;

  beforeAll(async () => {
    page = await openPage();
    writeFileSync(join(page.world.data, 'workflows', 'stand.yaml'), workflow);
  }, 60_000);
  afterEach(() => page.closeTabs());
  afterAll(() => page.close());

  type Pair = ReturnType<typeof pairOf>;
  const began = async (session: string): Promise<Pair> =>
    pairOf((await call(page.requests, 'start_workflow', { workflowId: 'team.stand', session })).answer);
  const done = async (pair: Pair): Promise<Pair> =>
    pairOf((await call(page.requests, 'continue_workflow', { ...pair, output: { notesMarkdown: 'Said.' } })).answer);
  const tipOf = async (session: string): Promise<string> => {
    const head = (await (await page.served.get(`/api/sessions/${session}`)).json()) as SessionHead;
    return head.runs[0]!.preferredTip;
  };

  it('is never told from what was known before, however long the answer takes', async () => {
    const pair = await began('STAND-1');
    const first = await tipOf('STAND-1');
    const tab = await page.go('/sessions/STAND-1', '.step-detail .resume-here pre');
    await tab.waitForSelector('.live-state:not(.waiting)');
    const title = (): Promise<string | null> => tab.locator('.step-detail h2').textContent();
    const before = await title();
    let answer = (): void => undefined;
    const held = new Promise<void>((done) => (answer = done));
    await page.context.route(`**/nodes/${first}`, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await done(pair);
    await expect.poll(title).not.toBe(before);
    await tab
      .locator('.step-detail')
      .getByRole('button', { name: before ?? '' })
      .click();
    await expect.poll(title).toBe(before);
    expect(await tab.locator('.resume-here').count()).toBe(0);
    expect(await tab.locator('.step-detail header').textContent()).not.toContain('In progress');
    answer();
    await tab.waitForSelector('.step-detail h3:has-text("Done")');
    expect(await tab.locator('.news-pill').count()).toBe(0);
    await page.context.unroute(`**/nodes/${first}`);
  });

  it('is said where it changes under who reads: that it waits for them, and no longer', async () => {
    const pair = await began('STAND-2');
    const tab = await page.go('/sessions/STAND-2', '.step-detail .resume-here pre');
    await tab.waitForSelector('.live-state:not(.waiting)');
    const step = tab.locator('.step-detail h2');
    const second = await done(pair);
    await expect.poll(() => step.textContent()).toBe('Agree on it');
    await tab.waitForSelector('.step-detail .resume-here pre');
    await call(page.requests, 'continue_workflow', { ...second, output: { notesMarkdown: 'The plan.' } });
    await tab.getByRole('button', { name: 'This step is waiting for you' }).click();
    await tab.locator('.step-detail .answer-panel').getByRole('button', { name: 'Agree', exact: true }).waitFor();
    await tab.locator('.step-detail').getByRole('button', { name: 'Say what changes' }).click();
    await expect.poll(() => step.textContent()).toBe('Say what changes');
    await tab.getByRole('button', { name: 'Next step' }).click();
    await tab.getByRole('button', { name: 'Follow', pressed: true }).click();
    await call(page.requests, 'continue_workflow', { ...second, confirmed: true });
    // Nobody is asked any more, so what asked them goes by itself.
    await tab.waitForSelector('.step-detail h3:has-text("Done")');
    expect(await step.textContent()).toBe('Agree on it');
  });
});
