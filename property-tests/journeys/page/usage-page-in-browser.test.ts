import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../worlds/page-browser.js';
import { builtPage } from '../../worlds/page-world.js';
import { call, makeRequestsWorld, pairOf, type RequestsWorld } from '../../worlds/requests-world.js';

const workflow = `workflow: team.export
title: Fix the empty export
description: D
steps:
  - { id: reproduce, title: Reproduce it, prompt: p }
  - { id: fix, title: Fix it, prompt: p }
  - { id: agree, title: Agree on the release, prompt: p, confirm: true }
  - { id: end, title: Tell the user, prompt: p }
`;
const used = (costUsd: number, inputTokens: number): JsonObject => ({
  kind: 'wr.usage',
  model: 'some-model-1',
  inputTokens,
  outputTokens: 900,
  costUsd,
});

describe.runIf(chromiumPath !== undefined)('what work used, on the page', () => {
  let opened: OpenBrowser;
  let world: RequestsWorld;
  let requests: Requests;
  let served: ServedWorld;

  beforeAll(async () => {
    opened = await openBrowser();
  }, 60_000);
  afterAll(() => opened.close());
  beforeEach(async () => {
    world = makeRequestsWorld({ seed: 53, tick: 20_000 });
    mkdirSync(join(world.data, 'workflows'), { recursive: true });
    writeFileSync(join(world.data, 'workflows', 'export.yaml'), workflow);
    requests = world.open();
    served = await serveRequests(requests, { pageFolder: builtPage });
  });
  afterEach(async () => {
    await served.close();
    await world.close();
  });

  /** A run that waits for agreement at its third step; the second took longest. */
  async function played(session: string, notes = 8): Promise<void> {
    const next = async (before: JsonObject, artifacts: readonly JsonObject[]): Promise<JsonObject> =>
      (
        await requests.call(
          'continue_workflow',
          { ...before, output: { notesMarkdown: 'It is the header of the first row.', artifacts } },
          { agent: { name: 'some-client', version: '2.0' } },
        )
      ).answer;
    const begun = await call(requests, 'start_workflow', { workflowId: 'team.export', session });
    const second = await next(pairOf(begun.answer), [used(0.1, 18_400)]);
    // The clock goes on with each note.
    for (let noted = 0; noted < notes; noted += 1) await requests.people.addNote({ session, text: `Note ${noted}.` });
    const third = await next(pairOf(second), [used(0.2, 90_000)]);
    await next(pairOf(third), [used(0.05, 100)]);
  }

  it('tells what work used and how long it took, in the list, the run and the step', async () => {
    await played('EXPORT-7');
    const context = await opened.context();
    const page = await context.newPage();
    await page.goto(`${served.origin}/`);
    const row = page.locator('[data-row="0"]');
    await row.getByText('min', { exact: false }).first().waitFor();
    expect(await row.locator('.spent').innerText()).toMatch(/^\d+ min\n\$0\.30$/u);
    // Whose question it is stands with the question.
    await page.locator('.waiting-item').getByText('some-client 2.0').waitFor();
    await row.locator('a').first().click();
    await page.getByText('Used $0.30 · tokens: 108,400 in, 1,800 out · some-model-1').first().waitFor();
    await page.getByRole('link', { name: /^Longest step: Fix it, \d+ min$/u }).click();
    await page.getByText('Used $0.20 · tokens: 90,000 in, 900 out · some-model-1').waitFor();
    await page
      .getByRole('radio', { name: 'List' })
      .or(page.getByRole('button', { name: 'List' }))
      .first()
      .click();
    const line = page.locator('.track-line-item', { hasText: 'Fix it' });
    expect(await line.innerText()).toMatch(/\d+ min · \$0\.20\s+longest step/u);
    expect(await page.locator('.track-line-item', { hasText: 'longest step' }).count()).toBe(1);
    await page.goto(`${served.origin}/workflows`);
    await page.getByText('1 run: $0.30').waitFor();
    await context.close();
  });

  it('leads from the sessions to the step that took longest of all', async () => {
    await played('EXPORT-7', 20);
    await played('EXPORT-8');
    const context = await opened.context();
    const page = await context.newPage();
    await page.goto(`${served.origin}/`);
    await page.getByText('EXPORT-8').first().waitFor();
    await page.getByLabel('Sort').selectOption('Longest step first');
    const row = page.locator('[data-row="0"]');
    await row.getByText('EXPORT-7').first().waitFor();
    expect(await page.locator('.day-row').count()).toBe(0);
    await row.getByRole('link', { name: /^Fix it, \d+ min$/u }).click();
    await page.locator('.step-detail h2', { hasText: 'Fix it' }).waitFor();
    expect(new URL(page.url()).pathname).toContain('EXPORT-7');
    await context.close();
  });
});
