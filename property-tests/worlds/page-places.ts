import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';
import type { DocumentPreview } from '../../src/contract/catalogs-told.js';
import type { RunGraph } from '../../src/contract/http-api.js';
import type { SessionHead } from '../../src/contract/session-story.js';
import type { PageWorld } from './page-world.js';

/** A place of the page that a test or a picture goes to. */
export interface PagePlace {
  readonly name: string;
  readonly path: (known: Known) => string;
  /** Is there when the view is. */
  readonly ready: string;
  /** What is done there first. */
  readonly act?: (tab: Page) => Promise<void>;
  /** The server says no there, which the browser writes to its console by itself. */
  readonly refused?: true;
  /** Something is held by the pointer there. */
  readonly pointer?: true;
}

/** Lets a file fall on the page, as a hand would. */
export async function dropFile(
  tab: Page,
  name: string,
  bytes: Uint8Array,
  { onto = 'main', only }: { readonly onto?: string; readonly only?: 'over' } = {},
): Promise<void> {
  const encoded = Buffer.from(bytes).toString('base64');
  const transfer = await tab.evaluateHandle(
    ({ file, text }) => {
      const held = new DataTransfer();
      held.items.add(new File([Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0)], file));
      return held;
    },
    { file: name, text: encoded },
  );
  await tab.dispatchEvent('main', 'dragenter', { dataTransfer: transfer });
  await tab.dispatchEvent(onto, 'dragover', { dataTransfer: transfer });
  if (only !== 'over') await tab.dispatchEvent(onto, 'drop', { dataTransfer: transfer });
}

const openStep =
  (index: number) =>
  (tab: Page): Promise<void> =>
    tab.locator('.plan-row').nth(index).click();

/** As a server answers that reads documents: here none does, since a thread is started from the built program alone. */
async function dropDocument(tab: Page, preview: DocumentPreview, ready: string): Promise<void> {
  await tab.route('**/api/documents/preview**', (route) => route.fulfill({ json: preview }));
  await dropFile(tab, 'shop.yaml', Buffer.from('openapi: 3.0.3'));
  await tab.waitForSelector(ready);
}

const previewOfShop: DocumentPreview = {
  valid: true,
  violations: [],
  warnings: [
    {
      rule: 'reference',
      path: '/components/schemas/Line',
      message: '`common.yaml#/Line` cannot be followed: the document came without its folder',
      line: 118,
      column: 9,
    },
  ],
  document: 'doc_0123456789abcdef',
  kind: 'openapi_3',
  title: 'Shop API',
  version: '2.5.0',
  catalogId: 'shop',
  baseUrl: 'https://shop.example.com/api/v2',
  commands: 5,
  providers: 1,
  safety: { safe: 2, changes: 2, deletes: 1 },
  groups: ['orders', 'payments'],
  first: [
    {
      catalog: 'shop',
      command: 'orders/list',
      method: 'GET',
      path: '/orders',
      safety: 'safe',
      summary: 'List orders',
    },
  ],
};

const refusedPreview: DocumentPreview = {
  valid: false,
  warnings: [],
  violations: [
    {
      rule: 'yaml',
      path: '/paths/~1orders/get/responses/200',
      message: 'a tab stands where spaces must: `\\t` begins the line',
      line: 14,
      column: 1,
      expected: 'spaces',
    },
    { rule: 'document', path: '', message: 'there is no `info`', line: 1, column: 1 },
  ],
};

/** What is found in a world, by which its places are named. */
export interface Known {
  readonly review: string;
  readonly run: string;
  /** Two tips. */
  readonly a: string;
  readonly b: string;
  /** In the middle of the run. */
  readonly node: string;
  /** When half of it was done. */
  readonly seq: number;
}

export async function learn({ served, review }: Pick<PageWorld, 'served' | 'review'>): Promise<Known> {
  const ask = async <Answer>(path: string): Promise<Answer> => (await (await served.get(path)).json()) as Answer;
  const head = await ask<SessionHead>(`/api/sessions/${review}`);
  const run = head.runs[0]?.runId ?? '';
  const { tips, nodes } = await ask<RunGraph>(`/api/sessions/${review}/runs/${run}`);
  return { review, run, a: tips[0] ?? '', b: tips[1] ?? '', node: nodes[3]?.id ?? '', seq: nodes[5]?.seq ?? 0 };
}

const runAt = ({ review, run }: Known): string => `/sessions/${review}/runs/${run}`;
const stepAt = (known: Known, tab = ''): string =>
  `${runAt(known)}?node=${known.node}${tab === '' ? '' : `&tab=${tab}`}`;
const firstRow = '.board-length .board-row a';

/** Every view, and every state of it that is designed. */
export const pagePlaces: readonly PagePlace[] = [
  { name: 'sessions', path: () => '/', ready: firstRow },
  {
    name: 'connect',
    path: () => '/',
    ready: firstRow,
    act: async (tab) => {
      await tab.getByRole('button', { name: 'Connect an agent' }).click();
      await tab.waitForSelector('dialog .ways-in pre');
    },
  },
  { name: 'search', path: () => '/?q=refund', ready: firstRow },
  { name: 'filters', path: () => '/?q=is%3Aopen+workflow%3Awr.*+label%3Aunknown+is%3Aodd', ready: '.nothing-found' },
  {
    name: 'compact',
    path: () => '/?q=is%3Aopen',
    ready: firstRow,
    act: async (tab) => {
      await tab.getByRole('button', { name: 'Compact' }).click();
      await tab.waitForSelector('.session-board.dense');
      await tab.evaluate(() => window.localStorage.clear());
    },
  },
  { name: 'search-nothing', path: () => '/?q=zzzz', ready: '.nothing-found' },
  { name: 'session', path: (known) => stepAt(known), ready: '.step-detail .written:visible' },
  { name: 'session-prompt', path: (known) => stepAt(known, 'prompt'), ready: '.step-detail .written:visible' },
  { name: 'session-context', path: (known) => stepAt(known, 'context'), ready: '.step-detail .told' },
  { name: 'session-documents', path: (known) => `${runAt(known)}?node=${known.a}&tab=documents`, ready: '.document' },
  {
    name: 'session-list',
    path: (known) => stepAt(known),
    ready: '.stage-bar',
    act: (tab) => tab.getByRole('button', { name: 'List', exact: true }).click(),
  },
  { name: 'session-notes-alone', path: () => '/sessions/NOTES-3', ready: '.person-note' },
  { name: 'session-damaged', path: () => '/sessions/OLD-1', ready: '.session-findings' },
  { name: 'session-missing', path: () => '/sessions/NOBODY', ready: '.notice', refused: true },
  {
    name: 'export',
    path: (known) => stepAt(known),
    ready: '.step-detail',
    act: (tab) => tab.getByRole('button', { name: 'Export' }).click(),
  },
  { name: 'timeline', path: ({ review }) => `/sessions/${review}/timeline`, ready: '.lane-canvas' },
  { name: 'timeline-then', path: ({ review, seq }) => `/sessions/${review}/timeline?at=${seq}`, ready: '.track-map' },
  { name: 'compare', path: ({ review, a, b }) => `/compare?session=${review}&a=${a}&b=${b}`, ready: '.compared-row' },
  { name: 'compare-which', path: () => '/compare', ready: '.notice' },
  { name: 'workflows', path: () => '/workflows', ready: '.workflow-row' },
  { name: 'workflows-search', path: () => '/workflows?q=review', ready: '.workflow-row' },
  { name: 'workflows-nothing', path: () => '/workflows?q=zzzz', ready: '.nothing-of-that' },
  { name: 'workflow', path: () => '/workflows/wr.review_story', ready: '.plan-row' },
  {
    name: 'workflow-step',
    path: () => '/workflows/wr.coding_task',
    ready: '.plan-row',
    act: (tab) => tab.locator('.plan-row').nth(3).click(),
  },
  { name: 'workflow-broken', path: () => '/workflows/team.release', ready: '.violation-list' },
  { name: 'workflow-missing', path: () => '/workflows/team.nowhere', ready: '.notice', refused: true },
  { name: 'workflow-command', path: () => '/workflows/team.refund', ready: '.plan-row', act: openStep(0) },
  { name: 'workflow-inputs', path: () => '/workflows/team.bring_out', ready: '[role=combobox]' },
  {
    name: 'workflow-choices',
    path: () => '/workflows/team.bring_out',
    ready: '[role=combobox]',
    act: async (tab) => {
      await tab.getByLabel('org', { exact: true }).fill('acme');
      await tab.getByLabel('percent', { exact: true }).fill('1.5');
      await tab.getByLabel('repo', { exact: true }).click();
      await tab.waitForSelector('.choice-option');
      await tab.keyboard.press('ArrowDown');
    },
  },
  {
    name: 'workflow-choices-failed',
    path: () => '/workflows/team.bring_out',
    ready: '[role=combobox]',
    act: async (tab) => {
      await tab.getByLabel('org', { exact: true }).fill('nobody');
      await tab.keyboard.press('Escape');
      await tab.getByLabel('repo', { exact: true }).click();
      await tab.getByRole('button', { name: 'Try again' }).waitFor();
    },
    refused: true,
  },
  { name: 'catalogs', path: () => '/catalogs', ready: '.command-row' },
  { name: 'catalogs-search', path: () => '/catalogs?q=list+orders&safety=safe', ready: '.command-row' },
  { name: 'catalogs-nothing', path: () => '/catalogs?q=zzzz', ready: '.no-commands' },
  { name: 'catalog', path: () => '/catalogs/shop', ready: '.command-row' },
  { name: 'catalog-broken', path: () => '/catalogs/weather', ready: '.catalog-settings' },
  { name: 'catalog-missing', path: () => '/catalogs/shup', ready: '.notice', refused: true },
  {
    name: 'catalog-remove',
    path: () => '/catalogs/shop',
    ready: '.command-row',
    act: async (tab) => {
      await tab.getByRole('button', { name: 'Remove …' }).click();
      await tab.waitForSelector('dialog .actions');
    },
  },
  { name: 'command', path: () => '/catalogs/shop/orders%2Flist', ready: '.command-view .code-frame' },
  {
    name: 'command-body',
    path: () => '/catalogs/shop/orders%2Fcreate',
    ready: '.command-view .code-frame',
    act: async (tab) => {
      await tab.locator('.schema-fields details > summary').first().click();
      await tab.waitForSelector('.schema-fields .schema-fields');
    },
  },
  { name: 'command-missing', path: () => '/catalogs/shop/orders%2Flits', ready: '.notice', refused: true },
  {
    name: 'import-document',
    path: () => '/catalogs',
    ready: '.command-row',
    act: (tab) => dropDocument(tab, previewOfShop, '.document-form'),
  },
  {
    name: 'import-document-refused',
    path: () => '/catalogs',
    ready: '.command-row',
    act: (tab) => dropDocument(tab, refusedPreview, 'dialog .violation-list'),
  },
  {
    name: 'drop-document',
    pointer: true,
    path: () => '/catalogs',
    ready: '.command-row',
    act: (tab) => dropFile(tab, 'shop.yaml', new Uint8Array([1]), { only: 'over' }),
  },
  { name: 'preferences', path: () => '/preferences', ready: '.preferences-form' },
  {
    name: 'session-preferences',
    path: (known) => stepAt(known),
    ready: '.step-detail',
    act: async (tab) => {
      await tab.keyboard.press('o');
      await tab.waitForSelector('dialog .preferences-form');
    },
  },
  {
    name: 'step-mode',
    path: () => '/sessions/PAY-88',
    ready: '.mode-here',
    act: async (tab) => {
      await tab.getByRole('button', { name: /Change the mode from this step on/u }).click();
      await tab.waitForSelector('dialog .preferences-form');
    },
  },
  { name: 'care', path: () => '/care', ready: '.patients' },
  {
    name: 'care-prune',
    path: () => '/care',
    ready: '.patients',
    act: async (tab) => {
      await tab.getByLabel('Inactive for').fill('0');
      await tab.getByRole('button', { name: 'Preview' }).click();
      await tab.waitForSelector('.prune-table');
      await tab.locator('.prune-plan .actions').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'drop',
    pointer: true,
    path: () => '/',
    ready: firstRow,
    act: (tab) => dropFile(tab, 'EXPORT-212.workrail', new Uint8Array([1]), { only: 'over' }),
  },
  {
    name: 'import-refused',
    path: () => '/',
    ready: firstRow,
    refused: true,
    act: async (tab) => {
      await dropFile(tab, 'holiday.jpg', new Uint8Array([255, 216, 255, 224, 0, 16]));
      await tab.waitForSelector('.handed .grave');
    },
  },
  {
    name: 'keys',
    path: ({ review }) => `/sessions/${review}/timeline`,
    ready: '.lane-canvas',
    act: (tab) => tab.keyboard.press('?'),
  },
  {
    name: 'palette',
    path: (known) => stepAt(known),
    ready: '.step-detail .written:visible',
    act: async (tab) => {
      await tab.keyboard.press('Control+k');
      await tab.keyboard.type('re');
      await tab.waitForSelector('.palette-option:has-text("Search sessions")');
    },
  },
  { name: 'nowhere', path: () => '/nowhere', ready: '.notice' },
];
