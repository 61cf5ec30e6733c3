import fc from 'fast-check';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.js';
import { segmentName } from '../../src/log/segments/segment-name.js';
import type { WriterId } from '../../src/base/ids.js';
import type { Requests } from '../../src/requests/requests.js';
import { bundleOf, importedOf, importOf, treeOf, unpacked } from '../worlds/bundle-world.js';
import { eventsOf, grow } from '../worlds/grown-sessions.js';
import { lives } from '../worlds/lives.js';
import {
  call,
  makeRequestsWorld,
  mergeInto,
  type RequestsWorld,
  sessionFolders,
  textOf,
} from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { renderWorkflow, straightWorkflow } from '../worlds/tiny-workflow.js';

/** A process of another installation: keys of its own, and only the data root that is named. */
const elsewhere = (world: RequestsWorld, data: string): Requests =>
  world.open(data, {
    XDG_CONFIG_HOME: join(world.folder, `config of ${data.replaceAll('/', ' ')}`),
    XDG_DATA_HOME: join(world.folder, 'nobody'),
  });

/** All that a person sees of a session, and what an agent is shown that goes on at each of its tips; tokens are an installation's own. */
async function seen(requests: Requests, session: string): Promise<string> {
  const story = await requests.people.readStory({ session });
  if (!story.ok) throw new Error(story.error.message);
  const told = { ...story.value, place: undefined };
  const tip = await requests.people.findTip({ session });
  const at =
    tip.ok && tip.value.stateToken !== undefined
      ? (await call(requests, 'continue_workflow', { stateToken: tip.value.stateToken })).answer
      : undefined;
  return JSON.stringify({ told, at }, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/\b(?:st|ack|ss)\.v1\.[0-9A-Z]+/gu, 'token') : value,
  );
}

test(
  'law 8: what is imported is what was exported: graph, recaps, next steps, bytes; and the same export again is the same bytes',
  async () => {
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), lives, async (seed, life) => {
        const { world, data } = await grow(seed, life);
        try {
          const here = elsewhere(world, data);
          const theirs = join(world.folder, 'theirs');
          const there = elsewhere(world, theirs);
          for (const session of sessionFolders(data)) {
            const bundle = await bundleOf(here, session);
            expect((await bundleOf(elsewhere(world, data), session)).equals(bundle)).toBe(true);
            expect(await importedOf(there, bundle)).toMatchObject({
              outcome: 'imported',
              sessionId: session,
              warnings: [],
            });
            expect(await seen(there, session)).toBe(await seen(here, session));
            expect(eventsOf(theirs, session)).toEqual(eventsOf(data, session));
            expect((await bundleOf(there, session)).equals(bundle)).toBe(true);
            expect(await importedOf(there, bundle)).toMatchObject({ outcome: 'already_here' });
            sessions += 1;
          }
        } finally {
          await world.close();
        }
      }),
      runs(12),
    );
    expect(sessions).toBeGreaterThan(0);
    console.log(`law 8: ${sessions} sessions exported and imported`);
  },
  patience,
);

const changes = fc.record({ at: fc.noBias(fc.nat()), bit: fc.nat(7), cut: fc.boolean() });

test(
  'law 8: a flipped byte or a cut anywhere in a bundle is refused, and leaves nothing on disk',
  async () => {
    const met = { flips: 0, cuts: 0, named: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        lives,
        fc.array(changes, { minLength: 40, maxLength: 40 }),
        fc.integer({ min: 1, max: 9000 }),
        async (seed, life, changed, piece) => {
          const { world, data } = await grow(seed, life);
          try {
            const here = elsewhere(world, data);
            const [session] = sessionFolders(data);
            if (session === undefined) return;
            const bundle = await bundleOf(here, session);
            const theirs = join(world.folder, 'theirs');
            const there = elsewhere(world, theirs);
            const before = treeOf(theirs);
            const names = new Set(['manifest.json', ...(await unpacked(bundle)).parts.keys()]);
            for (const { at, bit, cut } of changed) {
              const spoilt = Buffer.from(cut ? bundle.subarray(0, at % bundle.length) : bundle);
              if (!cut) spoilt[at % bundle.length]! ^= 1 << bit;
              const refused = await importOf(there, spoilt, false, piece);
              expect(refused).toMatchObject({
                ok: false,
                error: { code: expect.stringMatching(/^BUNDLE_/u) as string },
              });
              expect(treeOf(theirs)).toEqual(before);
              met[cut ? 'cuts' : 'flips'] += 1;
              // A flip in the manifest may change a part's name as well; then it goes by what was read.
              if (!refused.ok && names.has(textOf(refused.error.context?.['part']))) met.named += 1;
            }
            expect(await importOf(there, bundle, false, piece)).toMatchObject({ ok: true });
          } finally {
            await world.close();
          }
        },
      ),
      runs(8),
    );
    console.log(`law 8: ${JSON.stringify(met)}`);
    // The first bytes and the seal belong to no part.
    expect(met.named).toBeGreaterThan((met.flips + met.cuts) * 0.8);
  },
  patience,
);

test(
  'law 8: merging is the union: either way round, again, and over any number of clones',
  async () => {
    let merges = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        lives.filter(({ apart }) => apart.length > 1),
        fc.boolean(),
        async (seed, life, again) => {
          const { world } = await grow(seed, life);
          try {
            const clones = life.apart
              .map((_, index) => join(world.folder, `clone${index}`))
              .filter((folder) => existsSync(folder));
            const union = world.clone(join(world.folder, 'nowhere'), 'union');
            for (const clone of clones) mergeInto(union, clone);
            for (const session of sessionFolders(union)) {
              const bundles = [];
              for (const clone of clones)
                if (sessionFolders(clone).includes(session))
                  bundles.push(await bundleOf(elsewhere(world, clone), session));
              // Two clones may each have begun it alone, under the same key: then they share no line, and are two sessions.
              const whole = await seen(elsewhere(world, union), session);
              const wholeBundle = await bundleOf(elsewhere(world, union), session);
              for (const [order, list] of [bundles, bundles.toReversed()].entries()) {
                const requests = elsewhere(world, join(world.folder, `merged ${session} ${order}`));
                if (!(await mergedAll(requests, list, again))) continue;
                expect(await seen(requests, session)).toBe(whole);
                expect((await bundleOf(requests, session)).equals(wholeBundle)).toBe(true);
                merges += list.length - 1;
              }
            }
          } finally {
            await world.close();
          }
        },
      ),
      runs(8),
    );
    expect(merges).toBeGreaterThan(0);
    console.log(`law 8: ${merges} merges`);
  },
  patience,
);

/** False where two of them are no clones of each other. */
async function mergedAll(requests: Requests, bundles: readonly Buffer[], again: boolean): Promise<boolean> {
  for (const bundle of bundles) {
    const outcome = await importOf(requests, bundle, true);
    if (!outcome.ok && outcome.error.message.includes('share no history')) return false;
    expect(outcome).toMatchObject({ ok: true });
  }
  if (again)
    for (const bundle of bundles)
      expect(await importOf(requests, bundle, true)).toMatchObject({ ok: true, value: { outcome: 'already_here' } });
  return true;
}

test('law 8: an installation that goes on with what it imported never writes into a segment of another', async () => {
  const world = makeRequestsWorld({ seed: 5 });
  try {
    world.writeWorkflow('one', renderWorkflow(straightWorkflow('one', 4)));
    const here = world.open();
    const first = (await call(here, 'start_workflow', { workflowId: 'wr.one', session: 'ALPHA-1' }))
      .answer as JsonObject;
    await here.close();
    const theirs = join(world.folder, 'theirs');
    const there = elsewhere(world, theirs);
    await importedOf(there, await bundleOf(world.open(), 'ALPHA-1'));
    const before = (await unpacked(await bundleOf(there, 'ALPHA-1'))).parts;
    const tip = await there.people.findTip({ session: 'ALPHA-1' });
    const { ackToken, stateToken } = (
      await call(there, 'continue_workflow', { stateToken: tip.ok ? tip.value.stateToken! : '' })
    ).answer as JsonObject;
    expect(stateToken).not.toBe(first['stateToken']);
    await call(there, 'continue_workflow', {
      stateToken: stateToken!,
      ackToken: ackToken!,
      output: { notesMarkdown: 'done' },
    });
    const after = (await unpacked(await bundleOf(there, 'ALPHA-1'))).parts;
    expect(after.size).toBe(before.size + 1);
    for (const [name, bytes] of before) expect(after.get(name)?.equals(bytes)).toBe(true);
  } finally {
    await world.close();
  }
});

test('law 8: every name a segment can have is a name a bundle can hold', async () => {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz';
  const { isPartName } = await import('../../src/bundles/manifest.js');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999_999_999_999 }),
      fc.array(fc.constantFrom(...letters.split('')), { minLength: 8, maxLength: 16 }),
      (seq, writer) => {
        expect(isPartName(`segments/${segmentName(seq, writer.join('') as WriterId)}`)).toBe(true);
      },
    ),
  );
});
