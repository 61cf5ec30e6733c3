import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { SessionHead } from '../../../src/contract/session-story.js';
import { barriers } from '../../worlds/page-barriers.js';
import { chromiumPath, type OpenPage, openPage } from '../../worlds/page-browser.js';
import type { PageWorld } from '../../worlds/page-world.js';
import { call, textOf } from '../../worlds/requests-world.js';

const twoWays = `workflow: team.two_ways
title: Try it both ways
description: Use this to try something twice.
steps:
  - id: try
    title: Try it on staging
    prompt: p
    sets: { place: { type: string, required: true } }
  - id: say
    title: Say what came of it
    prompt: p
`;

const measured = (seconds: number): JsonObject => ({
  kind: 'team.measured',
  seconds,
  runs: ['first', 'second', 'third'],
});

/** One step done twice from the same place, in nearly the same words. */
async function playTwoWays({ world, requests }: PageWorld): Promise<{ readonly a: string; readonly b: string }> {
  writeFileSync(join(world.data, 'workflows', 'two-ways.yaml'), twoWays);
  const first = await call(requests, 'start_workflow', { workflowId: 'team.two_ways', session: 'TWO-1' });
  const stateToken = textOf(first.answer['stateToken']);
  const done = async (ackToken: string, place: string, notes: string, seconds: number): Promise<void> => {
    const { reply } = await call(requests, 'continue_workflow', {
      stateToken,
      ackToken,
      context: { place },
      output: { notesMarkdown: notes, artifacts: [measured(seconds)] },
    });
    if (reply.failed) throw new Error(reply.text);
  };
  await done(
    textOf(first.answer['ackToken']),
    'the staging cluster',
    'Ran the export on the **staging** cluster: it took forty seconds and wrote every row.',
    40,
  );
  const again = await call(requests, 'continue_workflow', { stateToken });
  await done(
    textOf(again.answer['ackToken']),
    'the local cluster',
    'Ran the export on the **local** cluster: it took nine seconds and wrote every row.',
    9,
  );
  const head = await requests.people.readSessionHead({ session: 'TWO-1' });
  if (!head.ok) throw new Error(head.error.message);
  const [run] = head.value.runs;
  const graph = await requests.people.readRunGraph({ session: 'TWO-1', run: run?.runId ?? '' });
  if (!graph.ok) throw new Error(graph.error.message);
  const [a = '', b = ''] = graph.value.tips.toReversed();
  return { a, b };
}

describe.runIf(chromiumPath !== undefined)('the details of the page', () => {
  let page: OpenPage;

  beforeAll(async () => {
    page = await openPage();
  }, 60_000);
  afterEach(() => page.closeTabs());
  afterAll(() => page.close());

  const linksOf = (tab: Page): Promise<readonly string[]> =>
    tab
      .locator('.ways-out a')
      .evaluateAll((links) => links.map((link) => `${link.textContent ?? ''} ${link.getAttribute('href') ?? ''}`));

  it('what is not here leads to what is', async () => {
    expect(await linksOf(await page.go('/sessions/PAY-99', '.ways-out'))).toEqual([
      'Did you mean PAY-88? /sessions/PAY-88',
      'Search sessions for “PAY-99” /?q=PAY-99',
      'All sessions /',
    ]);
    expect(await linksOf(await page.go('/workflows/wr.reserch', '.ways-out'))).toContain(
      'Did you mean wr.research? /workflows/wr.research',
    );
    const ofSession = ['Back to session /sessions/PAY-88', 'All sessions /'];
    expect(await linksOf(await page.go('/sessions/PAY-88/runs/run_gone', '.ways-out'))).toEqual(ofSession);
    const { runs } = (await (await page.served.get('/api/sessions/PAY-88')).json()) as SessionHead;
    const run = runs[0]?.runId ?? '';
    const tab = await page.go(`/sessions/PAY-88/runs/${run}?node=node_gone`, '.ways-out');
    expect(await linksOf(tab)).toEqual(ofSession);
    await tab.getByRole('link', { name: 'Back to session' }).click();
    await tab.waitForSelector('.step-detail');
    expect(await linksOf(await page.go('/session/PAY-88', '.ways-out'))).toContain(
      'Did you mean session PAY-88? /sessions/PAY-88',
    );
  });

  it('the remedy of damage is read and copied without opening anything', async () => {
    const tab = await page.go('/sessions/OLD-1', '.session-findings');
    const banner = tab.getByRole('region', { name: 'Problems on disk' });
    expect(await banner.locator('details').count()).toBe(0);
    expect(await banner.innerText()).toContain('Restore the file from git or a copy');
    await banner.getByRole('button', { name: 'Copy the repair command' }).click();
    await expect.poll(() => tab.evaluate(() => navigator.clipboard.readText())).toContain('doctor OLD-1 --repair');
  });

  it('code in notes has colours, and stays text', async () => {
    const code = 'const html = "<b onclick=alert(1)>"; // & so on';
    await page.requests.people.addNote({
      session: 'NOTES-3',
      text: `\`\`\`ts\n${code}\n\`\`\`\n\n\`\`\`\nplain\n\`\`\``,
    });
    const tab = await page.go('/sessions/NOTES-3', '.hl-keyword');
    const shown = tab.locator('.written pre code.language-ts');
    expect(await shown.textContent()).toBe(`${code}\n`);
    expect(await shown.locator('.hl-comment').textContent()).toBe('// & so on');
    expect(await tab.locator('[onclick]').count()).toBe(0);
    expect(await tab.locator('.written pre code:not([class])').textContent()).toBe('plain\n');
    await tab
      .getByRole('button', { name: /Copy the code/u })
      .first()
      .click();
    await expect.poll(() => tab.evaluate(() => navigator.clipboard.readText())).toBe(code);
    expect(await barriers(tab)).toEqual([]);
  });

  it('the source of a workflow has colours, and is copied as it is', async () => {
    const tab = await page.go('/workflows/team.follow_up', '.plan-row');
    await tab.getByRole('tab', { name: 'Source' }).click();
    const keys = tab.locator('.source-text .hl-attr');
    await keys.first().waitFor();
    expect((await keys.allTextContents()).slice(0, 3)).toEqual(['workflow:', 'title:', 'description:']);
    await tab.getByRole('button', { name: 'Copy the file' }).click();
    const shown = await tab.locator('.source-text').textContent();
    expect(shown).toContain('id: check');
    await expect.poll(() => tab.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  });

  it('the palette goes to steps, sessions, workflows and views by keys alone', async () => {
    const tab = await page.go(
      `/sessions/${page.known.review}/runs/${page.known.run}?node=${page.known.node}`,
      '.step-detail h2',
    );
    const field = tab.getByRole('combobox', { name: 'Search sessions, workflows, steps, commands, views and actions' });
    const chosen = (): Promise<string | null> =>
      tab.locator('.palette-option[aria-selected="true"] > :first-child').textContent();
    const open = async (words: string): Promise<void> => {
      await tab.keyboard.press('Control+k');
      await field.waitFor();
      await tab.keyboard.type(words);
    };
    await open('hand it');
    await expect.poll(chosen).toBe('Hand it over');
    expect(await field.getAttribute('aria-activedescendant')).toBe(
      await tab.locator('.palette-option[aria-selected="true"]').getAttribute('id'),
    );
    await tab.keyboard.press('Enter');
    await expect.poll(() => tab.locator('.step-detail h2').textContent()).toBe('Hand it over');
    // Enter before the answer has come.
    await open('refund');
    await tab.keyboard.press('Enter');
    await expect.poll(() => new URL(tab.url()).pathname).toMatch(/^\/sessions\/PAY-88/u);
    await open('research');
    await tab.getByRole('group', { name: 'Workflows' }).waitFor();
    await tab.keyboard.press('ArrowUp');
    while ((await chosen()) !== 'Research a question') await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await expect.poll(() => new URL(tab.url()).pathname).toBe('/workflows/wr.research');
    await open('maintenance');
    await expect.poll(chosen).toBe('Maintenance');
    await tab.keyboard.press('Enter');
    await tab.waitForSelector('.care-view');
    await open('zzzz');
    await expect.poll(chosen).toBe('Search sessions for “zzzz”');
    await tab.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await tab.keyboard.press('?');
    expect(await tab.locator('.key-table').first().innerText()).toContain('Ctrl K');
  });

  it('two branches are compared word by word: notes, artifacts and context', async () => {
    const { a, b } = await playTwoWays(page);
    const tab = await page.go(`/compare?session=TWO-1&a=${a}&b=${b}`, '.compared-row');
    const marks = (side: string): Promise<readonly string[]> => tab.locator(`${side} mark`).allTextContents();
    expect(await marks('.compared-side.a .written')).toEqual(['staging', 'forty']);
    expect(await marks('.compared-side.b .written')).toEqual(['local', 'nine']);
    expect(await marks('.compared-side.a .artifact')).toEqual(['40']);
    expect(await marks('.compared-side.b .artifact')).toEqual(['9']);
    expect(await marks('.context-table td')).toEqual(['staging', 'local']);
    expect(await tab.locator('.branch-sum.b').innerText()).toContain('nine seconds');
    expect(await barriers(tab)).toEqual([]);
    await tab.keyboard.press('d');
    await expect.poll(() => tab.locator('mark').count()).toBe(0);
    expect(await tab.locator('.compared-side.a .written strong').textContent()).toBe('staging');
    // The middle belongs to what is compared.
    await tab.setViewportSize({ width: 1440, height: 900 });
    const widths = await tab
      .locator('.compared-side')
      .evaluateAll((sides) => sides.map((side) => side.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThan(600);
  });

  it('branches that differ in their preferences say so in the words of the preferences', async () => {
    const { requests, known } = page;
    await requests.people.changePreferences({
      session: known.review,
      global: false,
      node: known.b,
      asked: { assumptionPolicy: 'ask_when_missing' },
    });
    const tab = await page.go(`/compare?session=${known.review}&a=${known.a}&b=${known.b}`, '.context-table');
    const row = tab.getByRole('row', { name: /^Missing information/u });
    expect(await row.locator('th, td').allInnerTexts()).toEqual([
      'Missing information',
      'is assumed and recorded',
      'is asked of you',
    ]);
  });

  it('a step that waits and one that is done say what going on there does', async () => {
    const tab = await page.go('/sessions/DOCS-7', '.resume-here pre');
    expect(await tab.locator('.resume-here').innerText()).toContain('Either one continues this run here');
    await tab.goto(`${page.served.origin}/sessions/${page.known.review}/runs/${page.known.run}?node=${page.known.a}`);
    await tab.waitForSelector('.resume-says');
    expect(await tab.locator('.resume-says').innerText()).toContain('open the finished run');
  });
});
