import fc from 'fast-check';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../../src/base/ids.js';
import type { FollowBatch } from '../../../src/log/port/session-log.js';
import { readFollowPosition, SessionFollower } from '../../../src/log/reading/follow-session.js';
import { sessionFolder } from '../../../src/log/segments/session-folder.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { makeWorld, note, type World } from '../../worlds/log-world.js';

const id = 'ses_example' as SessionId;
const deeds = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('append' as const),
        by: fc.nat(3),
        count: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), by: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('pull' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('checkout' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('stash' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('carry' as const) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
  ),
  { minLength: 3, maxLength: 40, size: 'max' },
);

const segmentsOf = (folder: string): string => join(folder, 'sessions', id, 'segments');

/** As git does: a file that grew is replaced by a new one. */
function pull(from: string, to: string): void {
  for (const name of readdirSync(segmentsOf(from))) {
    const [source, goal] = [join(segmentsOf(from), name), join(segmentsOf(to), name)];
    if (existsSync(goal) && statSync(goal).size >= statSync(source).size) continue;
    writeFileSync(`${goal}.new`, readFileSync(source));
    renameSync(`${goal}.new`, goal);
  }
}

test(
  'who follows a session is told each event once, whatever befalls its files, and what came from behind is said to',
  async () => {
    let told = 0;
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(deeds, async (done) => {
        const world = makeWorld();
        try {
          const seen = await follow(world, done);
          const { state } = await world.log().verify();
          expect(seen.map(({ sum }) => sum).toSorted()).toEqual(state.sums.toSorted());
          told += seen.length;
          merged += seen.filter((event) => event.merged).length;
          const inOrder = seen.filter((event) => !event.merged).map(({ sum }) => sum);
          expect(inOrder).toEqual(state.sums.filter((sum) => inOrder.includes(sum)));
        } finally {
          await world.close();
        }
      }),
      runs(80),
    );
    console.log(`followed: ${told} events, ${merged} of them merged`);
    expect(merged).toBeGreaterThan(0);
  },
  patience,
);

async function follow(
  world: World,
  done: typeof deeds extends fc.Arbitrary<infer T> ? T : never,
): Promise<{ sum: string; merged: boolean }[]> {
  const here = world.root.folder;
  const copy = { kind: 'given', folder: join(world.folder, 'copy') } as const;
  const first = world.log({ lock: 'off' });
  await first.append(() => ({ answer: '', events: [note('first')] }));
  cpSync(join(here, 'sessions'), join(copy.folder, 'sessions'), { recursive: true });
  const there = { roots: [copy], newSessions: copy, lock: 'off' } as const;
  const logs = [first, world.log({ lock: 'off' }), world.log(there), world.log(there)];
  const at = sessionFolder(world.root, id);
  const seen: { sum: string; merged: boolean }[] = [];
  const take = ({ events }: FollowBatch): void => {
    for (const { event, merged } of events) seen.push({ sum: event.sum, merged });
  };
  let follower = new SessionFollower(at, id, undefined);
  for (const batch of follower.history()) take(batch);
  for (const deed of done) {
    if (deed.do === 'append')
      await logs[deed.by]!.append(() => ({
        answer: '',
        events: Array.from({ length: deed.count }, (_, i) => note(`${deed.by} ${i}`)),
      }));
    else if (deed.do === 'end') logs[deed.by]!.letGo();
    else if (deed.do === 'pull') pull(copy.folder, here);
    else if (deed.do === 'checkout') {
      // All files anew, with the same bytes; whoever held one goes on in another.
      cpSync(segmentsOf(here), `${segmentsOf(here)}.new`, { recursive: true });
      rmSync(segmentsOf(here), { recursive: true });
      renameSync(`${segmentsOf(here)}.new`, segmentsOf(here));
    } else if (deed.do === 'stash') {
      renameSync(segmentsOf(here), `${segmentsOf(here)}.away`);
      mkdirSync(segmentsOf(here));
      take(follower.look());
      rmSync(segmentsOf(here), { recursive: true });
      renameSync(`${segmentsOf(here)}.away`, segmentsOf(here));
    } else if (deed.do === 'carry') {
      const batch = follower.look();
      take(batch);
      const position = readFollowPosition(batch.position);
      expect(JSON.stringify(position)).toBe(batch.position);
      follower = new SessionFollower(at, id, position);
      for (const more of follower.history()) take(more);
    } else take(follower.look());
  }
  pull(copy.folder, here);
  take(follower.look());
  take(follower.look());
  return seen;
}

test('a line that is half written is told once it is whole', async () => {
  const world = makeWorld();
  try {
    const log = world.log({ lock: 'off' });
    await log.append(() => ({ answer: '', events: [note('one')] }));
    const follower = new SessionFollower(sessionFolder(world.root, id), id, undefined);
    follower.skip();
    await log.append(() => ({ answer: '', events: [note('two'), note('three')] }));
    const [name] = readdirSync(segmentsOf(world.root.folder));
    const file = join(segmentsOf(world.root.folder), name!);
    const whole = readFileSync(file);
    truncateSync(file, whole.length - 5);
    expect(follower.look().events).toEqual([]);
    writeFileSync(file, whole);
    expect(follower.look().events.map(({ event }) => (event.kind === 'note_added' ? event.data.text : ''))).toEqual([
      'two',
      'three',
    ]);
    expect(follower.look().events).toEqual([]);
  } finally {
    await world.close();
  }
});
