import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NextCall } from '../../../src/base/rejection.js';
import { limits } from '../../../src/base/limits.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { tiny } from '../../worlds/library-world.js';
import { treeOf } from '../../worlds/bundle-world.js';

/** A server that has been at work for a while remembers what it saw: what becomes a link then is refused all the same. */
let world: RequestsWorld;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 14 });
  world.writeWorkflow('own.yaml', tiny('team.own'));
});
afterEach(async () => world.close());

const session = 'AUTH-1';
const inSession = (part: string): string => join('sessions', session, part);
const longAgo = 1_000_000_000;
const rested = (): Promise<void> => pause(3 * limits.settledFineMs);

test('a link that is planted between two calls is refused, whoever sets the times back', async () => {
  const requests = world.open();
  const started = await requests.call('start_workflow', { workflowId: 'team.own', session });
  const look = { stateToken: (started.answer as NextCall['arguments'])['stateToken'] };
  for (const part of ['workflows', 'quarantine', 'local/index']) mkdirSync(join(world.data, part), { recursive: true });
  const [segment = ''] = readdirSync(join(world.data, inSession('segments')));
  const [pin = ''] = readdirSync(join(world.data, inSession('pins')));
  const checkpoint = { ...look, output: { notesMarkdown: 'x' } };
  const both = [
    ['continue_workflow', look],
    ['checkpoint_workflow', checkpoint],
  ] as const;
  const places: readonly (readonly [place: string, refused: typeof both | readonly (typeof both)[0][]])[] = [
    ...['.', 'sessions', 'local', 'local/locks', 'local/index', 'workflows', 'quarantine'].map(
      (place) => [place, both] as const,
    ),
    [inSession('.'), both],
    [inSession('segments'), both],
    [inSession(join('segments', segment)), both],
    // What a step executes is read; to keep notes beside it takes none. One that is in memory is not read again.
    [inSession('pins'), both.slice(0, 1) as [(typeof both)[0]]],
    [inSession(join('pins', pin)), []],
  ];
  const outside = join(world.folder, 'outside');
  mkdirSync(outside);
  for (const [place, refused] of places) {
    const path = join(world.data, place);
    // A time that can be set again to the very same.
    utimesSync(dirname(path), longAgo, longAgo);
    // What is known of every folder is what was seen when nothing had changed for a while.
    await rested();
    for (let call = 0; call < 2; call += 1)
      expect(await requests.call('continue_workflow', look)).toMatchObject({ failed: false });
    const goal = join(outside, 'goal');
    renameSync(path, goal);
    symlinkSync(goal, path);
    utimesSync(dirname(path), longAgo, longAgo);
    const before = treeOf(outside);
    for (const [tool, args] of both) {
      const { failed, text } = await requests.call(tool, args);
      const isRefused = refused.some(([name]) => name === tool);
      expect([place, tool, failed, /symbolic link/u.test(text)]).toEqual([place, tool, isRefused, isRefused]);
      expect([place, treeOf(outside)]).toEqual([place, before]);
    }
    rmSync(path);
    renameSync(goal, path);
  }
  expect(existsSync(join(world.data, inSession('segments')))).toBe(true);
  expect(await requests.call('continue_workflow', look)).toMatchObject({ failed: false });
}, 60_000);
