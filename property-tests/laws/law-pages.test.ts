import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunStep } from '../../src/definitions/compiled/compiled-workflow.js';
import { sendCommand } from '../../src/requests/commands/send-command.js';
import type { Sent } from '../../src/decide/commands/decide-tried.js';
import { api, calledServers, type CalledServers } from '../worlds/called-servers.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { answer, type Script, type Scripted } from '../worlds/scripted-server.js';
import { sending, sendingWorld, toSend } from '../worlds/sent-command.js';

let world: CalledServers;
afterEach(() => world.close());

type Paginate = NonNullable<RunStep['paginate']>;
type By = Paginate['by'];
const ways: readonly By[] = ['link', 'cursor', 'page', 'offset'];

const paginate: { readonly [by in By]: Paginate } = {
  link: { by: 'link' },
  cursor: { by: 'cursor', items: 'body.items', next: 'body.meta.next', param: 'cursor' },
  page: { by: 'page', param: 'page', first: 1, items: 'body.items' },
  offset: { by: 'offset', param: 'offset', first: 0, items: 'body.items' },
};

/** A list as a server has it, that is asked for in one of the four ways. */
function listServer(by: By, size: number, perPage: number): Script {
  const items = (from: number): readonly object[] =>
    Array.from({ length: Math.max(0, Math.min(perPage, size - from)) }, (_, at) => ({ id: from + at }));
  return ({ path }) => {
    const { searchParams } = new URL(path, api);
    const at = (name: string, none: number): number => Number(searchParams.get(name) ?? none);
    if (by === 'page') return answer(200, { items: items((at('page', 1) - 1) * perPage) });
    if (by === 'offset') return answer(200, { items: items(at('offset', 0)) });
    const from = at(by === 'link' ? 'q' : 'cursor', 0);
    const next = from + perPage < size ? from + perPage : undefined;
    if (by === 'cursor')
      return answer(200, { items: items(from), ...(next !== undefined && { meta: { next: String(next) } }) });
    const link = next === undefined ? '' : `</v1/items?q=${next}>; rel="next", <${api}/v1/items>; rel="first"`;
    return answer(200, items(from), { link });
  };
}

/** What stands between a request and its answer. */
const troubles: readonly ((now: number) => Scripted)[] = [
  () => answer(429, 'later', { 'retry-after': '7' }),
  (now) => answer(503, 'later', { 'retry-after': new Date(now + 21_500).toUTCString() }),
  () => answer(502, 'no'),
  () => ({ ...answer(200, { items: [] }), cut: 30, then: 'reset' }),
];

async function listed(step: Partial<RunStep>): Promise<Sent> {
  return sendCommand(sendingWorld(world), toSend(step), sending());
}
const bodyOf = ({ came }: Sent): unknown =>
  'verdict' in came && came.verdict.kind === 'right' ? came.verdict.left.body : came;
const ids = (count: number): readonly object[] => Array.from({ length: count }, (_, id) => ({ id }));

describe('a list that is read page by page', () => {
  it.each(ways)('by %s, with ten thousand items and a server that is often busy, is the list', async (by) => {
    world = await calledServers();
    const list = listServer(by, 10_000, 70);
    world.server.script((request, count) =>
      count % 3 === 0 ? troubles[(count / 3) % troubles.length]!(world.clock.now()) : list(request, count),
    );
    const sent = await listed({ paginate: { ...paginate[by], maxPages: 1000 } });
    expect(bodyOf(sent)).toEqual(ids(10_000));
    const pages = Math.ceil(10_000 / 70);
    expect(sent.pages).toBe(by === 'link' || by === 'cursor' ? pages : pages + 1);
    // As long as the server asked, to the second and to the date.
    expect(new Set(world.clock.pauses)).toEqual(new Set([500, 7000, 21_000]));
  });

  it(
    'has each item once and in order, as many as are wanted, whatever stands between',
    async () => {
      world = await calledServers();
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...ways),
          fc.record({
            size: fc.nat(60),
            perPage: fc.integer({ min: 1, max: 25 }),
            maxItems: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
            maxPages: fc.integer({ min: 1, max: 30 }),
          }),
          fc.array(fc.option(fc.constantFrom(...troubles), { nil: undefined, freq: 3 }), { maxLength: 8 }),
          async (by, { size, perPage, maxItems, maxPages }, between) => {
            const list = listServer(by, size, perPage);
            const left = [...between];
            let last = false;
            world.server.script((request, count) => {
              const trouble = last ? undefined : left.shift();
              // No request is troubled more often than it is sent again.
              last = trouble !== undefined;
              return trouble?.(world.clock.now()) ?? list(request, count);
            });
            const sent = await listed({
              paginate: { ...paginate[by], maxPages, ...(maxItems !== undefined && { maxItems }) },
              keep: { id: 'item.id', i: 'i' },
            });
            const wanted = Math.min(size, maxItems ?? size, maxPages * perPage);
            expect(bodyOf(sent)).toEqual(Array.from({ length: wanted }, (_, id) => ({ id, i: id })));
            expect(sent.pages).toBeLessThanOrEqual(maxPages);
          },
        ),
        runs(150),
      );
    },
    patience,
  );

  it('ends where the server gives the same page again and again', async () => {
    world = await calledServers();
    const same = { items: ids(3), meta: { next: 'same' } };
    world.server.script(() => answer(200, same, { link: `<${api}/v1/items?q=1>; rel="next"` }));
    const asked: number[] = [];
    for (const by of ways) {
      const before = world.server.seen.length;
      const sent = await listed({ paginate: { ...paginate[by], items: 'body.items' } });
      asked.push(world.server.seen.length - before);
      // By a link or a cursor the page after may well look alike; by a number it is the same.
      expect(bodyOf(sent)).toEqual(by === 'page' || by === 'offset' ? ids(3) : [...ids(3), ...ids(3)]);
    }
    expect(asked).toEqual([2, 2, 2, 2]);
  });

  it('fails with the page that failed, and asks for no more', async () => {
    world = await calledServers();
    const list = listServer('page', 100, 10);
    const third =
      (scripted: Scripted): Script =>
      (request, count) =>
        request.path.endsWith('page=3') ? scripted : list(request, count);
    const verdicts: [Scripted, object][] = [
      [
        answer(404, { message: 'gone' }),
        { message: 'page 3: it answered 404, expected 2xx', left: { body: { message: 'gone' } } },
      ],
      [answer(200, { other: [] }), { message: expect.stringMatching(/^page 3: `items` has no value/u) as string }],
      [answer(200, { items: {} }), { message: 'page 3: `body.items` is not a list' }],
    ];
    for (const [scripted, verdict] of verdicts) {
      world.server.script(third(scripted));
      const sent = await listed({ paginate: paginate.page });
      expect(sent).toMatchObject({ pages: 3, came: { verdict: { kind: 'wrong', ...verdict } } });
    }
    world.server.script(third({ ...answer(200, { items: [] }), cut: 5, then: 'reset' }));
    expect(await listed({ paginate: paginate.page, retry: { max: 0 } })).toMatchObject({
      pages: 3,
      came: { outcome: 'unknown', error: { message: expect.stringMatching(/^page 3: /u) as string } },
    });
    world.server.script(() => answer(200, [], { link: '<https://other.example.com/?q=1>; rel=next' }));
    const elsewhere = await listed({ paginate: { by: 'link' } });
    expect(elsewhere).toMatchObject({
      pages: 1,
      came: { verdict: { message: expect.stringContaining('only pages at https://api.example.com') as string } },
    });
  });

  it('may be as long as an answer, and no longer', async () => {
    world = await calledServers();
    world.server.script(listServer('offset', 500, 50));
    const send = (step: Partial<RunStep>): Promise<Sent> =>
      sendCommand(sendingWorld(world, { limits: { answerBytes: 2048 } }), toSend(step), sending());
    expect(await send({ paginate: paginate.offset })).toMatchObject({
      came: { verdict: { kind: 'wrong', message: expect.stringContaining('`limits.answerBytes`') as string } },
    });
    expect(await send({ paginate: { ...paginate.offset, maxItems: 100 } })).toMatchObject({ pages: 2 });
  });

  it('is asked for with its secrets on every page, and tells none', async () => {
    const value = 'v3ry-secret-key';
    world = await calledServers({ secrets: [{ catalog: 'shop', origin: api, name: 'KEY', value }] });
    world.server.script(({ path }) => {
      const url = new URL(path, api);
      const from = Number(url.searchParams.get('q') ?? 0);
      url.searchParams.set('q', String(from + 1));
      return answer(200, [from], from < 3 ? { link: `<${url.href}>; rel="next"` } : {});
    });
    for (const way of ['with', 'auth'] as const) {
      const before = world.server.seen.length;
      const env = sendingWorld(
        world,
        way === 'auth' ? { auth: { kind: 'query', name: 'key', value: '${{ secrets.KEY }}' } } : {},
      );
      const given = way === 'with' ? { with: { key: '${{ secrets.KEY m4rk }}' } } : {};
      const sent = await sendCommand(env, toSend({ paginate: { by: 'link' } }, given), sending());
      expect(bodyOf(sent)).toEqual([0, 1, 2, 3]);
      expect(JSON.stringify(sent)).not.toContain(value);
      for (const { path } of world.server.seen.slice(before))
        expect(new URL(path, api).searchParams.getAll('key')).toEqual([value]);
    }
  });
});
