import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, type OpenPage, openPage } from '../../worlds/page-browser.js';
import { bareBackticks, fitting, misfits, misfitsByWidth } from '../../worlds/page-fit.js';
import { pagePlaces } from '../../worlds/page-places.js';
import { call, textOf } from '../../worlds/requests-world.js';

const asking = `workflow: team.ask
title: Bring out a version
description: D
steps:
  - id: give
    title: Choose the way
    prompt: p
    needs:
      - { reason: needs_user_choice, key: way, ask: Which way is it to go? }
      - { reason: needs_user_artifact, key: design, ask: Where is the design? }
    sets: { way: { type: string, enum: [left, right] } }
`;

describe.runIf(chromiumPath !== undefined)('the page on screens of every width', () => {
  let page: OpenPage;

  beforeAll(async () => {
    page = await openPage();
  }, 60_000);
  afterAll(() => page.close());

  it.each(pagePlaces.filter(({ pointer }) => pointer !== true))(
    '$name fits, all that can be pressed can be reached, and code is shown as code',
    async (place) => {
      const tab = await page.context.newPage();
      await tab.goto(`${page.served.origin}${place.path(page.known)}`);
      await tab.waitForSelector(place.ready);
      await place.act?.(tab);
      await tab.waitForSelector('.live-state:not(.waiting)');
      const told = await misfitsByWidth(tab);
      const bare = await bareBackticks(tab);
      await tab.close();
      expect(bare).toEqual([]);
      expect(told).toEqual(fitting);
    },
  );

  it('what waits for the person fits, shut and open', async () => {
    writeFileSync(join(page.world.data, 'workflows', 'ask.yaml'), asking);
    const { answer } = await call(page.requests, 'start_workflow', { workflowId: 'team.ask' });
    await call(page.requests, 'continue_workflow', {
      stateToken: textOf(answer['stateToken']),
      ackToken: textOf(answer['ackToken']),
      output: { notesMarkdown: 'Both ways are written down in `docs/ways.md`, with what each costs.' },
    });
    const tab = await page.context.newPage();
    await tab.goto(page.served.origin);
    await tab.waitForSelector('.waiting-asks');
    const shut = await misfitsByWidth(tab);
    await tab.locator('.waiting-asks').first().click();
    await tab.waitForSelector('.answer-panel');
    const told = { shut, open: await misfitsByWidth(tab), bare: await bareBackticks(tab) };
    await tab.close();
    expect(told).toEqual({ shut: fitting, open: fitting, bare: [] });
  });

  it('the titles of sessions have the width of a narrow screen, and nothing in a row lies over another', async () => {
    const tab = await page.go('/', '[data-row] a');
    await tab.setViewportSize({ width: 390, height: 800 });
    const told = await tab.locator('[data-row]').evaluateAll((rows) =>
      rows.map((row) => {
        const box = (selector: string): DOMRect => row.querySelector(selector)!.getBoundingClientRect();
        const [link, when] = [row.querySelector('.session-name a')!, box('[role=cell]:last-child time')];
        const over = [box('.session-where').bottom > when.top + 2, when.bottom > row.getBoundingClientRect().bottom];
        return { title: link.textContent, isCut: link.scrollWidth > link.clientWidth, over };
      }),
    );
    expect(told.length).toBeGreaterThan(5);
    expect(told.filter(({ over }) => over.includes(true))).toEqual([]);
    // One has a mark beside it, the others are long.
    const short = told.filter(({ title }) => title.length < 35 && !title.startsWith('The import'));
    expect(short.filter(({ isCut }) => isCut)).toEqual([]);
    expect(short.map(({ title }) => title)).toContain('What came up in the retrospective');
  });

  it('would be seen if something did not fit, or lay over another', async () => {
    const tab = await page.context.newPage();
    await tab.setViewportSize({ width: 360, height: 800 });
    await tab.setContent(
      '<!doctype html><main style="width: 40rem; height: 1rem"><button style="position: fixed; left: 0; top: 0">Below</button><p style="position: fixed; inset: 0; margin: 0">Above</p></main>',
    );
    const told = await misfits(tab);
    await tab.close();
    expect(told.some((line) => line.startsWith('html scrolls sideways'))).toBe(true);
    expect(told.at(-1)).toBe('button “Below” is under p “Above”');
  });
});
