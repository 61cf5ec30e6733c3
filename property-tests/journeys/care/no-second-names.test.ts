import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as Fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { tiny } from '../../worlds/library-world.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';

/** A file system on which no file can have two names, as FAT and some network mounts are. */
const links = vi.hoisted(() => ({ refused: 0 }));
vi.mock('node:fs', async (importOriginal) => ({
  ...(await importOriginal<typeof Fs>()),
  linkSync: () => {
    links.refused += 1;
    throw Object.assign(new Error('operation not permitted, link'), { code: 'EPERM', syscall: 'link' });
  },
}));

let world: RequestsWorld;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 14 });
  world.writeWorkflow('own.yaml', tiny('team.own'));
  links.refused = 0;
});
afterEach(async () => world.close());

const segments = (): readonly string[] => {
  const folder = join(world.data, 'sessions', 'AUTH-1', 'segments');
  return readdirSync(folder).map((name) => join(folder, name));
};
async function begun(requests: Requests): Promise<{ readonly stateToken: string }> {
  const { answer } = await requests.call('start_workflow', { workflowId: 'team.own', session: 'AUTH-1' });
  const { stateToken } = answer as { readonly stateToken: string };
  for (const text of ['one', 'two'])
    expect(
      await requests.call('checkpoint_workflow', { stateToken, output: { notesMarkdown: `Note ${text}` } }),
    ).toMatchObject({ failed: false });
  expect(links.refused).toBeGreaterThan(0);
  expect(existsSync(join(world.data, 'local', 'running', 'spare', 'AUTH-1', 'taken'))).toBe(false);
  return { stateToken };
}
const missed = 'which was acknowledged as recorded';
const cut = (file: string): void => {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.lastIndexOf(10, bytes.length - 2) + 1));
};

test.each(['ended', 'was killed while it rested'])(
  'lines that git took from a process that %s are missed by the answers, too',
  async (how) => {
    const writer = world.open();
    const look = await begun(writer);
    if (how === 'ended') await writer.close();
    else {
      const ended = join(world.data, 'local', 'ended', 'AUTH-1');
      while (!existsSync(ended) || readdirSync(ended).every((name) => name.startsWith('.'))) await pause(5);
    }
    const [file] = segments();
    const whole = readFileSync(file!);
    cut(file!);
    const reader = world.open();
    for (const [tool, args] of [
      ['continue_workflow', look],
      ['resume_session', { sessionId: 'AUTH-1' }],
    ] as const) {
      const { text } = await reader.call(tool, args);
      expect([tool, text]).toEqual([tool, expect.stringContaining(missed)]);
    }
    // It goes on as far as it is here, and says so for as long as that is so.
    const went = await reader.call('checkpoint_workflow', { ...look, output: { notesMarkdown: 'gone on with' } });
    expect(went).toMatchObject({ failed: false });
    expect((await reader.call('continue_workflow', look)).text).toContain(missed);
    writeFileSync(file!, whole);
    const again = await world.open().call('continue_workflow', look);
    expect(again.text).not.toContain(missed);
  },
);

test('what was taken away on purpose is not missed', async () => {
  const writer = world.open();
  const look = await begun(writer);
  await writer.close();
  rmSync(join(world.data, 'local', 'ended'), { recursive: true });
  cut(segments()[0]!);
  expect((await world.open().call('continue_workflow', look)).text).not.toContain(missed);
});
