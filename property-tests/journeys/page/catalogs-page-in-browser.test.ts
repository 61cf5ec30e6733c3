import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../src/base/limits.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { barriers } from '../../worlds/page-barriers.js';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../worlds/page-browser.js';
import { dropFile } from '../../worlds/page-places.js';
import { builtPage } from '../../worlds/page-world.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { shopDocument, writeCatalog } from '../../worlds/shop-catalog.js';

// A document is read in a thread, which is started from a file of the built program.
vi.mock(
  '../../../src/library/read-catalog.js',
  () => import(new URL('../../../dist/library/read-catalog.js', import.meta.url).href),
);

const workflow = `workflow: team.refund
title: Refund an order
description: Use this to refund an order.
inputs: { order: { type: integer, required: true } }
steps:
  - { id: look, title: Look at it, run: shop orders/get, with: { orderId: "\${{ inputs.order }}" } }
  - { id: decide, title: Decide, prompt: Decide. }
`;
const bytesOf = (value: unknown): Uint8Array => new Uint8Array(Buffer.from(JSON.stringify(value)));

describe.runIf(chromiumPath !== undefined)('catalogs, on the page', () => {
  let opened: OpenBrowser;
  let context: BrowserContext;
  let world: RequestsWorld;
  let served: ServedWorld;
  const errors: string[] = [];

  beforeAll(async () => {
    opened = await openBrowser();
  }, 60_000);
  afterAll(() => opened.close());

  beforeEach(async () => {
    world = makeRequestsWorld({ seed: 19 });
    world.writeWorkflow('refund', workflow);
    mkdirSync(world.data, { recursive: true });
    served = await serveRequests(world.open(), { pageFolder: builtPage });
    context = await opened.context();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    errors.length = 0;
    context.on('page', (tab) => {
      tab.on('pageerror', ({ message }) => void errors.push(message));
      tab.on('console', (message) => {
        // The browser says by itself that a request was refused.
        if (message.type() === 'error' && !/status of 4\d\d/u.test(message.text())) errors.push(message.text());
      });
    });
  });
  afterEach(async () => {
    if (errors.length > 0) throw new Error(errors.join('\n'));
    await context.close();
    await served.close();
    await world.close();
  });

  async function go(path: string, ready: string): Promise<Page> {
    const tab = await context.newPage();
    await tab.goto(`${served.origin}${path}`);
    await tab.waitForSelector(ready);
    return tab;
  }
  const settingsOf = (id: string): { readonly enabled: boolean; readonly baseUrl?: string } =>
    JSON.parse(readFileSync(join(world.data, 'catalogs', id, 'catalog.json'), 'utf8')) as {
      enabled: boolean;
      baseUrl?: string;
    };

  it('are imported by dropping a document, once the person has seen what it holds', async () => {
    const tab = await go('/workflows', '.workflow-row');
    await tab.getByRole('link', { name: 'Catalogs' }).click();
    await tab.waitForSelector('.notice.empty');
    expect(await tab.locator('.notice').innerText()).toContain('workrail catalogs import openapi.yaml');
    expect(await barriers(tab)).toEqual([]);
    await dropFile(tab, 'shop.json', bytesOf(shopDocument));
    await tab.waitForSelector('.document-form');
    const dialog = tab.locator('dialog');
    expect(await dialog.innerText()).toMatch(
      /Shop API\s+OpenAPI 3\.0, version 2\.4\.0\s+5 commands: 2 safe, 2 that change something, 1 that delete/u,
    );
    expect(existsSync(join(world.data, 'catalogs'))).toBe(false);
    // It begins where there is something to fill in, and what does not fit is said in words.
    expect(await tab.evaluate(() => document.activeElement?.getAttribute('id')?.endsWith('-id'))).toBe(true);
    await dialog.getByLabel('Id', { exact: true }).fill('Not an id');
    await dialog.getByRole('button', { name: 'Import' }).click();
    expect(await dialog.getByRole('alert').innerText()).toContain('small letters');
    await dialog.getByLabel('Id', { exact: true }).fill('shop');
    await dialog.getByLabel('Address').fill('ftp://nowhere');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('http or https').waitFor();
    await dialog.getByLabel('Address').fill('http://localhost:8080');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await tab.waitForURL('**/catalogs/shop');
    await tab.waitForSelector('.command-row');
    expect(settingsOf('shop')).toMatchObject({ enabled: true, baseUrl: 'http://localhost:8080', from: 'shop.json' });
    expect(await tab.locator('.catalog-view').innerText()).toContain('Refund an order');
    // The same id again: it is replaced only where the person says so.
    await dropFile(tab, 'shop.json', bytesOf({ ...shopDocument, info: { title: 'Shop API', version: '3' } }));
    await dialog.getByRole('button', { name: 'Replace' }).click();
    expect(await dialog.getByRole('alert').innerText()).toContain('shop is taken');
    await dialog.getByLabel(/^Replace the document/u).check();
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await tab.getByText('OpenAPI 3.0, version 3').waitFor();
    expect(settingsOf('shop').baseUrl).toBe('http://localhost:8080');
  });

  it('say with lines what is wrong with a document, and that a file is too large', async () => {
    const tab = await go('/catalogs', '.notice.empty');
    await dropFile(
      tab,
      'cut.yaml',
      new Uint8Array(Buffer.from('openapi: 3.0.3\ninfo: { title: T, version: "1" }\npaths:\n\t/a: {}\n')),
    );
    await tab.waitForSelector('dialog .violation-list');
    expect(await tab.locator('dialog').innerText()).toMatch(/cannot be imported[^]*Line 4/u);
    await tab.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dropFile(tab, 'parts.json', bytesOf({ ...shopDocument, paths: { '/a': { $ref: 'paths.yaml#/a' } } }));
    await tab.getByText('workrail catalogs import parts.json').waitFor();
    await tab.getByRole('button', { name: 'Cancel' }).click();
    await tab.evaluate((size) => {
      const held = new DataTransfer();
      held.items.add(new File([new Uint8Array(size + 1)], 'large.yaml'));
      document.querySelector('main')?.dispatchEvent(new DragEvent('drop', { dataTransfer: held, bubbles: true }));
    }, limits.apiDocument);
    await tab.getByText('The file is larger than 32 MB').waitFor();
    expect(existsSync(join(world.data, 'catalogs'))).toBe(false);
  });

  it('are searched by words, by catalog and by safety, and walked by key', async () => {
    writeCatalog(world.data, 'shop', shopDocument);
    writeCatalog(world.data, 'weather', 'openapi: cut off');
    const tab = await go('/catalogs', '.command-row');
    expect(await tab.locator('.catalog-row.broken').innerText()).toContain('Cannot be used');
    await tab.keyboard.press('/');
    await tab.keyboard.type('refund');
    await tab.waitForURL('**/catalogs?q=refund');
    await tab.waitForFunction(() => document.querySelectorAll('.command-row').length === 1);
    await tab.getByLabel('Filter by safety').selectOption('deletes');
    await tab.waitForSelector('.no-commands');
    await tab.getByRole('link', { name: 'Clear' }).click();
    await tab.waitForSelector('.catalog-row');
    await tab.getByLabel('Filter by safety').selectOption('safe');
    await tab.waitForURL('**/catalogs?safety=safe');
    await tab.waitForFunction(() => document.querySelectorAll('.command-row').length === 2);
    await tab.locator('.search-box input').focus();
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await tab.waitForURL('**/catalogs/shop/orders%2Fget');
    // The palette finds them from anywhere.
    await tab.keyboard.press('Control+k');
    await tab.keyboard.type('delete an order');
    await tab.locator('.palette-option', { hasText: 'shop orders/delete' }).click();
    await tab.waitForURL('**/catalogs/shop/orders%2Fdelete');
    await tab.waitForSelector('.command-view .tag.grave');
  });

  it('show one command with what it takes and answers, and a step that can be copied', async () => {
    writeCatalog(world.data, 'shop', shopDocument);
    const tab = await go('/workflows/team.refund', '.plan-row');
    await tab.locator('.plan-row').first().click();
    await tab.getByRole('link', { name: 'shop orders/get' }).click();
    await tab.waitForURL('**/catalogs/shop/orders%2Fget');
    await tab.waitForSelector('.code-frame');
    expect(await tab.locator('[aria-label="Parameters"]').innerText()).toMatch(
      /IN THE PATH\s+orderId\s+integer, int64\s+required\s+at least 1\s+The number of the order/u,
    );
    // A schema that holds itself is opened as far as somebody wants to see.
    const answers = tab.locator('[aria-label="Answers"]');
    for (let depth = 1; depth <= 3; depth += 1) {
      const rows = answers.locator('li', { hasText: 'replaces' });
      await rows.last().locator('details > summary').last().click();
      await tab.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('[aria-label="Answers"] .schema-name > code')].filter(
            (code) => code.textContent === 'replaces',
          ).length === wanted,
        depth + 1,
      );
    }
    await tab.locator('[aria-label="Step"] button').click();
    expect(await tab.evaluate(() => navigator.clipboard.readText())).toBe(
      [
        'inputs:',
        '  orderId:',
        '    type: integer',
        '    required: true',
        '    description: The number of the order, as it stands on the receipt',
        'steps:',
        '  - id: orders_get',
        '    run: shop orders/get',
        '    with:',
        '      orderId: ${{ inputs.orderId }}',
      ].join('\n'),
    );
    await tab.goto(`${served.origin}/catalogs/shop/orders%2Flist`);
    await tab.waitForSelector('[aria-label="As a provider"] pre');
    expect(await tab.locator('[aria-label="As a provider"]').innerText()).toContain('value: item.id');
    expect(await barriers(tab)).toEqual([]);
  });

  it('are disabled and removed, and it is said which workflows use them', async () => {
    writeCatalog(world.data, 'shop', shopDocument);
    const tab = await go('/catalogs', '.command-row');
    const enabled = tab.getByRole('switch', { name: 'Shop API enabled' });
    await enabled.focus();
    await tab.keyboard.press('Space');
    await tab.getByText('team.refund').waitFor();
    await tab.waitForSelector('[role="switch"][aria-checked="false"]');
    expect(settingsOf('shop').enabled).toBe(false);
    await enabled.click();
    await tab.waitForSelector('[role="switch"][aria-checked="true"]');
    await tab.getByRole('link', { name: 'Shop API' }).click();
    await tab.getByRole('button', { name: 'Remove …' }).click();
    const dialog = tab.locator('dialog');
    expect(await dialog.innerText()).toContain('team.refund');
    // Somebody changes it meanwhile: what the person saw is not what is there.
    writeCatalog(world.data, 'shop', shopDocument, { title: 'Another shop' });
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    expect(existsSync(join(world.data, 'catalogs', 'shop', 'catalog.json'))).toBe(true);
    await tab.getByRole('heading', { name: 'Remove Another shop?' }).waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await tab.waitForURL('**/catalogs');
    await tab.waitForSelector('.notice.empty');
    expect(existsSync(join(world.data, 'catalogs', 'shop'))).toBe(false);
  });

  it('are seen as they are now, by who comes back to the page', async () => {
    writeCatalog(world.data, 'shop', shopDocument);
    const tab = await go('/catalogs', '.command-row');
    writeCatalog(world.data, 'market', shopDocument, { title: 'Market' });
    // What was asked for a moment ago is not asked for again: they come back until it is.
    await tab.waitForFunction(
      () => {
        window.dispatchEvent(new Event('visibilitychange'));
        return document.querySelector('a[href="/catalogs/market"]') !== null;
      },
      undefined,
      { polling: 300 },
    );
    await tab.locator('.command-row').nth(9).waitFor();
    expect(await tab.locator('.catalogs-head').innerText()).toContain('2 catalogs');
  });
});
