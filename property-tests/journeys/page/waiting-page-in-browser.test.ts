import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { type BuiltServer, startBuilt } from '../../worlds/built-server.js';
import { serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import { barriers } from '../../worlds/page-barriers.js';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../worlds/page-browser.js';
import { builtPage } from '../../worlds/page-world.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';

const workflow = `workflow: team.ask
title: Bring out a version
description: D
steps:
  - { id: agree, title: Agree on the plan, prompt: p, notes: required, confirm: true }
  - id: give
    title: Choose the way
    prompt: p
    needs:
      - { reason: needs_user_choice, key: way, ask: Which way is it to go? }
      - { reason: needs_user_artifact, key: design, ask: Where is the design? }
      - { reason: needs_user_secret_or_token, key: token, ask: A deploy token. }
    sets: { way: { type: string, enum: [left, right] } }
  - { id: after, title: After, prompt: "Go \${{ context.way }} by \${{ context.design }}." }
`;

const notes =
  'Three steps: **first** the migration, then the switch, then the old column goes.\n\n- the migration runs for an hour\n- the switch is a flag';

describe.runIf(chromiumPath !== undefined)('what waits for the person, on the page', () => {
  let opened: OpenBrowser;
  let context: BrowserContext;
  let world: RequestsWorld;
  let requests: Requests;
  let served: ServedWorld;
  const agents: BuiltServer[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    opened = await openBrowser();
  }, 60_000);
  afterAll(() => opened.close());

  beforeEach(async () => {
    world = makeRequestsWorld({ seed: 29 });
    requests = world.open();
    served = await serveRequests(requests, { pageFolder: builtPage });
    mkdirSync(join(world.folder, 'workspace', 'docs'), { recursive: true });
    writeFileSync(join(world.folder, 'workspace', 'docs', 'design.md'), 'The design.');
    mkdirSync(join(world.data, 'workflows'), { recursive: true });
    writeFileSync(join(world.data, 'workflows', 'ask.yaml'), workflow);
    context = await opened.context();
    errors.length = 0;
    context.on('page', (tab) => {
      tab.on('pageerror', ({ message }) => void errors.push(message));
      tab.on('console', (message) => void (message.type() === 'error' ? errors.push(message.text()) : undefined));
    });
  });
  afterEach(async () => {
    await context.close();
    for (const { child, ended } of agents.splice(0)) {
      child.kill();
      await ended;
    }
    await served.close();
    await world.close();
  });

  interface Agent {
    readonly call: (name: string, given: object) => Promise<string>;
  }

  /** An agent of another process, on the same folder. */
  async function agent(): Promise<Agent> {
    const built = startBuilt('legacy', ['mcp', '--data-dir', world.data], { folder: join(world.folder, 'workspace') });
    agents.push(built);
    await built.initialize();
    return {
      call: async (name, given) => {
        const { result } = await built.ask('tools/call', { name, arguments: given });
        const { content } = result as { readonly content: readonly { readonly text: string }[] };
        return content.map(({ text }) => text).join('\n');
      },
    };
  }

  const pairIn = (text: string): { readonly stateToken: string; readonly ackToken: string } => ({
    stateToken: /st\.v1\.\w+/u.exec(text)?.[0] ?? '',
    ackToken: /ack\.v1\.\w+/u.exec(text)?.[0] ?? '',
  });
  const start = async ({ call }: Agent, sessionKey: string): Promise<ReturnType<typeof pairIn>> =>
    pairIn(await call('start_workflow', { workflowId: 'team.ask', sessionKey }));

  async function open(path = '/'): Promise<Page> {
    const tab = await context.newPage();
    await tab.goto(`${served.origin}${path}`);
    await tab.waitForSelector('.live-state .steady');
    return tab;
  }

  const inTab = (tab: Page, title: RegExp): Promise<unknown> =>
    tab.waitForFunction((source) => new RegExp(source, 'u').test(document.title), title.source);
  const answers = (): readonly unknown[] => world.lines().filter(({ kind }) => kind === 'question_answered');
  const turn = (tab: Page): Promise<void> => tab.locator('.waiting-asks').first().click();

  it('comes within a second, is agreed to, and the agent goes on with it', async () => {
    const one = await agent();
    const pair = await start(one, 'ASK-1');
    const tab = await open();
    await tab.waitForSelector('[data-row] a');
    expect(await tab.title()).toBe('WorkRail');
    const blocked = await one.call('continue_workflow', { ...pair, output: { notesMarkdown: notes } });
    const began = performance.now();
    expect(blocked).toContain('Blocked');
    await inTab(tab, /^\(1\) WorkRail$/u);
    expect(performance.now() - began).toBeLessThan(1000);
    expect(await tab.locator('link[rel="icon"]').getAttribute('href')).toContain('data:image/svg+xml');
    // Whose work it is comes first, then what is asked.
    expect((await tab.locator('.waiting-line').innerText()).split('\n').filter((line) => line !== '')).toEqual([
      'ASK-1',
      'Agree on the plan · Bring out a version',
      expect.stringContaining('gree'),
      expect.any(String),
      expect.any(String),
    ]);
    await turn(tab);
    await tab.waitForSelector('.handed-in .written strong');
    expect(await barriers(tab)).toEqual([]);
    await tab.getByRole('button', { name: 'Agree', exact: true }).click();
    await tab.waitForSelector('.what-next:focus');
    await expect.poll(() => tab.locator('.waiting-group').textContent()).toContain('The user agreed, in the page');
    await inTab(tab, /^WorkRail$/u);
    const next = tab.locator('.waiting-group .what-next');
    expect(await next.textContent()).toContain('continues with its next call');
    expect(await one.call('continue_workflow', pair)).toContain('The user agreed, in the page');
    await expect.poll(() => next.textContent()).toBe('Recorded. The agent has continued.');
    expect(answers().length).toBe(1);
    expect(errors).toEqual([]);
  });

  it('takes a choice, a file and that a secret was handed over, each once', async () => {
    const one = await agent();
    let pair = await start(one, 'ASK-2');
    pair = pairIn(await one.call('continue_workflow', { ...pair, confirmed: true, output: { notesMarkdown: notes } }));
    await one.call('continue_workflow', { ...pair, output: { notesMarkdown: 'I need three things.' } });
    const tab = await open();
    await turn(tab);
    const form = (name: string) => tab.locator('.answer-form', { hasText: name });
    await form('Which way').getByRole('button', { name: 'Answer' }).click();
    expect(await form('Which way').getByRole('alert').textContent()).toContain('Enter an answer');
    await form('Which way').getByRole('combobox').selectOption('left');
    await form('Which way').getByRole('button', { name: 'Answer' }).click();
    await form('Which way').waitFor({ state: 'detached' });
    await form('design').getByRole('checkbox').check();
    await form('design').getByRole('textbox').fill('docs/nothing.md');
    await form('design').getByRole('button', { name: 'Answer' }).click();
    await expect.poll(() => form('design').getByRole('alert').textContent()).toContain('does not exist');
    expect(answers().length).toBe(1);
    await form('design').getByRole('textbox').fill('docs/design.md');
    await form('design').getByRole('button', { name: 'Answer' }).click();
    await form('design').waitFor({ state: 'detached' });
    await form('token').getByRole('button', { name: 'I handed it over' }).click();
    await expect.poll(() => tab.locator('.what-next').textContent()).toContain('continues with its next call');
    // Whoever comes back in a new chat is told as well.
    const two = await agent();
    const found = await two.call('resume_session', { query: 'ASK-2' });
    const look = await two.call('continue_workflow', { stateToken: pairIn(found).stateToken });
    expect(look).toContain('The user gave');
    const went = await two.call('continue_workflow', pairIn(look));
    expect(went).toContain('Go left by docs/design.md.');
    expect(answers().length).toBe(3);
  });

  it('is refused with a reason on the step’s own page, and the agent hears it', async () => {
    const one = await agent();
    const pair = await start(one, 'ASK-3');
    await one.call('continue_workflow', { ...pair, output: { notesMarkdown: notes } });
    const tab = await open('/sessions/ASK-3');
    const panel = tab.locator('.step-detail .answer-panel');
    await panel.getByRole('button', { name: 'Refuse …' }).click();
    await tab.keyboard.type('The old column stays for a month.');
    expect(await barriers(tab)).toEqual([]);
    await panel.getByRole('button', { name: 'Refuse', exact: true }).click();
    await expect
      .poll(() => tab.locator('.step-detail').textContent())
      .toContain('The user said no: The old column stays for a month, in the page');
    expect(await tab.locator('.step-detail .what-next').textContent()).toContain('says that you refused, and why');
    expect(await one.call('continue_workflow', pair)).toContain('The old column stays for a month.');
    expect(answers().length).toBe(1);
    // Other work asks again, and what was said of the answer before is no longer so.
    await one.call('continue_workflow', { ...pair, output: { notesMarkdown: 'The old column stays for a month.' } });
    await panel.getByRole('button', { name: 'Agree', exact: true }).waitFor();
    expect(await tab.locator('.step-detail .what-next').count()).toBe(0);
    await tab.getByRole('button', { name: 'Follow' }).click();
    await panel.getByRole('button', { name: 'Agree', exact: true }).click();
    await tab.waitForSelector('.step-detail .what-next:has-text("continues with its next call")');
    expect(await one.call('continue_workflow', pair)).toContain('The user agreed');
    await tab.waitForSelector('.step-detail .what-next:has-text("Recorded. The agent has continued.")');
  });

  it('tells the kind of an artifact apart from its fields, before any other view has come', async () => {
    await context.route(/\/assets\/(?!index-|waiting).*\.css$/u, (route) => route.abort());
    const one = await agent();
    const pair = await start(one, 'ASK-6');
    const plan = { kind: 'team.plan_steps', planSteps: ['migrate', 'switch'] };
    await one.call('continue_workflow', { ...pair, output: { notesMarkdown: notes, artifacts: [plan] } });
    const tab = await open();
    await turn(tab);
    const summary = tab.locator('.handed-in summary', { hasText: 'team.plan_steps' });
    expect(await summary.textContent()).toBe('team.plan_steps planSteps');
    const [kind, fields] = await summary
      .locator('span')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()));
    expect(fields!.left - kind!.right).toBeGreaterThanOrEqual(8);
  });

  it('records one answer where page and command line answer at once, and tells the other', async () => {
    const one = await agent();
    const pair = await start(one, 'ASK-4');
    await one.call('continue_workflow', { ...pair, output: { notesMarkdown: notes } });
    const tab = await open();
    const other = await open();
    for (const each of [tab, other]) await turn(each);
    const { people } = world.open(undefined, {}, 'terminal');
    const told = await people.readQuestions({ session: 'ASK-4' });
    const [question] = told.ok ? told.value.waiting[0]!.questions : [];
    const agree = tab.getByRole('button', { name: 'Agree', exact: true });
    await agree.waitFor();
    // A pointer takes its time, and on a busy machine the button has gone when it gets there.
    const [elsewhere] = await Promise.all([
      people.answerQuestion({ session: 'ASK-4', answer: 'agreed', ...question! }),
      agree.evaluate((button: HTMLElement) => button.click()),
    ]);
    expect(elsewhere.ok).toBe(true);
    await expect.poll(() => tab.locator('.waiting-group').textContent()).toContain('The user agreed');
    await expect.poll(() => other.locator('.waiting-group').textContent()).toContain('This was answered elsewhere');
    expect(answers().length).toBe(1);
    expect(await one.call('continue_workflow', pair)).toContain('The user agreed');
    expect(answers().length).toBe(1);
  });

  it('asks for leave to notify on the click alone, and tells of what comes', async () => {
    await context.addInitScript(() => {
      const told: string[] = [];
      Object.assign(window, { told, asked: 0 });
      class Notice extends EventTarget {
        static permission = 'default';
        static requestPermission(): Promise<string> {
          (window as unknown as { asked: number }).asked += 1;
          Notice.permission = 'granted';
          return Promise.resolve('granted');
        }
        constructor(title: string) {
          super();
          told.push(title);
        }
      }
      Object.assign(window, { Notification: Notice });
    });
    const one = await agent();
    const pair = await start(one, 'ASK-5');
    const tab = await open();
    await tab.waitForSelector('[data-row] a');
    const seen = (name: 'told' | 'asked'): Promise<unknown> =>
      tab.evaluate((of) => (window as unknown as Record<string, unknown>)[of], name);
    expect(await seen('asked')).toBe(0);
    await tab.getByRole('button', { name: 'Notify me' }).click();
    await tab.waitForSelector('button[aria-pressed="true"]:has-text("Notify me")');
    expect(await seen('asked')).toBe(1);
    await one.call('continue_workflow', { ...pair, output: { notesMarkdown: notes } });
    await expect.poll(() => seen('told')).toEqual(['Agree on the plan is waiting for you']);
  });
});
