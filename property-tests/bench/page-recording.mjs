// Makes what README shows, over the sessions of workrail demo: two pictures, and a recording of half a minute.
//   npm run build && [PAGE_FOLDER=dist/dashboard] node property-tests/bench/page-recording.mjs [folder] [pictures] [recording]
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filmOf } from './frame/film.mjs';
import { hideFolder } from './frame/hide-folder.mjs';
import { loadSources } from './frame/load-sources.mjs';
import { smallerPng } from './frame/smaller-png.mjs';

const [folder = mkdtempSync(join(tmpdir(), 'page-recording-')), ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { load, close: closeSources } = await loadSources();
const { builtPage } = await load('/property-tests/worlds/page-world.ts');
const { makeDemoWorld } = await load('/property-tests/worlds/demo-world.ts');
const { openBrowser } = await load('/property-tests/worlds/page-browser.ts');
const { requestToAck } = await load('/src/cli/demo/demo-player.ts');
const { lostRows } = await load('/src/cli/demo/lost-rows.ts');
const { lostRowsEnd } = await load('/src/cli/demo/lost-rows-end.ts');
const { webhookReview } = await load('/src/cli/demo/webhook-review.ts');

const pageFolder = process.env.PAGE_FOLDER ?? builtPage;
const viewport = { width: 1120, height: 700 };
const browser = await openBrowser();

/** A tab on a world, some minutes after its newest work; `now` moves it on as far after what is newest then. */
async function tabOn(world, options = {}) {
  const context = await browser.context({ viewport, colorScheme: 'light', timezoneId: 'UTC', ...options });
  const tab = await context.newPage();
  tab.on('pageerror', (error) => console.error(error));
  const now = async () => {
    const { sessions } = await (await world.served.get('/api/sessions')).json();
    const newest = sessions.map(({ lastAt }) => lastAt).toSorted();
    await tab.clock.setFixedTime(Date.parse(newest.at(-1)) + 240_000);
  };
  await now();
  return { tab, now };
}

const titleIn = (tab, title) => tab.locator('.board-row a', { hasText: title }).first();

async function pictures() {
  const world = await makeDemoWorld({ pageFolder });
  for (const colorScheme of ['light', 'dark']) {
    const { tab, now } = await tabOn(world, { colorScheme, viewport: { width: 1200, height: 750 } });
    const take = async (name) => {
      await hideFolder(tab, world.folder);
      await tab.waitForTimeout(500);
      writeFileSync(join(folder, `${name}-${colorScheme}.png`), smallerPng(await tab.screenshot()));
    };
    await tab.goto(world.served.origin);
    await tab.getByText('Do you agree').first().click();
    await tab.getByRole('button', { name: 'Agree', exact: true }).waitFor();
    await tab.mouse.move(0, 0);
    await take('demo-sessions');
    if (colorScheme === 'light') await world.finish();
    await now();
    const { runs } = await (await world.served.get(`/api/sessions/${lostRows.session}`)).json();
    const run = `/sessions/${lostRows.session}/runs/${runs[0].runId}`;
    const { nodes } = await (await world.served.get(`/api${run}`)).json();
    const fork = nodes.find((_, index) => nodes.filter(({ up }) => up === index).length > 1);
    await tab.goto(`${world.served.origin}${run}?node=${fork.id}`);
    await tab.waitForSelector('.step-detail .written:visible');
    await take('demo-session');
    await tab.context().close();
  }
  await world.close();
}

/** An agent asks, the user answers on the page, and the agent goes on; then what both branches found, and all of it again. */
async function recording() {
  const world = await makeDemoWorld({ pageFolder });
  const { agent, review, shown } = world;
  const { tab, now } = await tabOn(world);
  const film = filmOf(tab, viewport);
  const { waits } = webhookReview;
  await tab.goto(world.served.origin);
  await titleIn(tab, lostRows.label.title).waitFor();
  await film.hold(2000);
  await film.press(tab.getByText('Do you agree').first());
  await tab.getByRole('button', { name: 'Agree', exact: true }).waitFor();
  await film.hold(2400);
  await film.press(tab.getByRole('button', { name: 'Agree', exact: true }));
  await film.hold(1200);
  const agreed = await agent.play(review, waits.asked);
  await agent.play(agreed.answer, waits.agreed[0]);
  await now();
  await film.hold(1400);

  await film.press(titleIn(tab, lostRows.label.title));
  await tab.waitForSelector('.step-detail');
  await hideFolder(tab, world.folder);
  await film.hold(1600);
  const explained = await agent.play(shown, lostRowsEnd.explain);
  await film.hold(1200);
  await now();
  await agent.call('continue_workflow', requestToAck(explained.answer, lostRowsEnd.propose));
  await film.hold(900);
  // Who reads a step keeps it until they ask for what has come.
  const [news, choice] = [tab.locator('.step-panel .news-pill'), tab.locator('.step-detail select').first()];
  await news.or(choice).first().waitFor();
  if (await news.isVisible()) await film.press(news);
  await choice.waitFor();
  await film.hold(2400);
  await film.point(choice);
  await choice.selectOption('make');
  await film.hold(700);
  await film.press(tab.locator('.step-detail button[type=submit]').first());
  await film.hold(1000);
  await now();
  let at = await agent.play(explained.answer, lostRowsEnd.propose);
  for (const handedIn of [lostRowsEnd.fix, lostRowsEnd.handOver]) {
    await film.hold(900);
    await now();
    at = await agent.play(at.answer, handedIn);
  }
  await film.hold(2200);

  await film.press(
    tab
      .getByRole('button', { name: 'Compare branches' })
      .or(tab.getByRole('link', { name: 'Compare branches' }))
      .first(),
  );
  await tab.waitForSelector('.compared-row');
  await film.hold(1800);
  await film.scroll(360);
  await film.hold(1800);
  await film.press(tab.getByRole('link', { name: 'Back to session' }));
  await tab.waitForSelector('.step-detail');
  await film.hold(600);
  await film.press(
    tab
      .getByRole('link', { name: 'Timeline' })
      .or(tab.getByRole('button', { name: 'Timeline' }))
      .first(),
  );
  await tab.waitForSelector('.lane-canvas');
  await film.hold(1000);
  await film.press(tab.getByRole('button', { name: '4×' }).first());
  await film.press(tab.getByRole('button', { name: /^(Replay|Play)$/u }).first());
  await film.watch(3200);
  await film.hold(1500);
  const developed = await film.develop(await browser.context());
  writeFileSync(join(folder, 'demo.png'), developed);
  console.log(`demo.png: ${film.seconds().toFixed(1)} s, ${Math.round(developed.length / 1024)} KB`);
  await world.close();
}

try {
  if (wanted.length === 0 || wanted.includes('pictures')) await pictures();
  if (wanted.length === 0 || wanted.includes('recording')) await recording();
} finally {
  await browser.close();
  await closeSources();
}
console.log(folder);
