import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';

const world = makeCommandLineWorld();
afterAll(() => world.close());

beforeAll(() => {
  const workflows = join(world.workspace, '.workrail', 'workflows');
  mkdirSync(workflows, { recursive: true });
  writeFileSync(
    join(workflows, 'two.yaml'),
    `workflow: team.two
description: Two steps.
inputs:
  task: { type: string, required: true }
  style: { type: string, default: As carefully as anybody could ever wish for }
steps:
  - { id: one, prompt: One. }
  - { id: two, prompt: Two. }
`,
  );
});

const run = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err, bytes } = await world.run(args);
  expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
  return out + bytes.toString('utf8');
};
interface Listed {
  readonly sessionId: string;
  readonly about: string;
}
const called = async (session: string): Promise<readonly string[]> => {
  const { sessions } = JSON.parse(await run('sessions', '--json')) as { readonly sessions: readonly Listed[] };
  const { about } = JSON.parse(await run('show', session, '--json')) as Listed;
  const [report = ''] = (await run('render', session)).split('\n');
  return [sessions.find(({ sessionId }) => sessionId === session)?.about ?? '', about, report];
};
const tokens = async (...args: readonly string[]): Promise<readonly [string, string]> => {
  const { stateToken, ackToken } = JSON.parse(await run(...args, '--json')) as Record<string, string>;
  return [stateToken ?? '', ackToken ?? ''];
};

describe('a session', () => {
  it('is called by what its first run was given, whatever is begun in it later, and no default', async () => {
    await run('start', 'team.two', '--session', 'S-1', '--input', 'task=Fix the login');
    expect(await called('S-1')).toEqual(['Fix the login', 'Fix the login', '# S-1: Fix the login']);
    await run('start', 'team.two', '--session', 'S-1', '--input', 'task=Something much longer that came to mind later');
    expect(await called('S-1')).toEqual(['Fix the login', 'Fix the login', '# S-1: Fix the login']);
    await run('sessions', 'label', 'S-1', '--title', 'The login');
    expect(await called('S-1')).toEqual(['The login', 'The login', '# S-1: The login']);
  });

  it('that is complete says how many branches of it are open', async () => {
    const [first, ack] = await tokens('start', 'team.two', '--session', 'S-2', '--input', 'task=Fix the logout');
    const [second, next] = await tokens('continue', first, ack, '--notes', 'x');
    const [, again] = await tokens('continue', first);
    await run('continue', first, again, '--notes', 'another way');
    await run('continue', second, next, '--notes', 'done');
    const { out } = await world.run(['sessions', 'logout'], { terminal: true, env: { NO_COLOR: '1' } });
    expect(out).toContain('complete, 1 branch open');
    expect(await run('show', 'S-2')).toContain('complete, 1 branch open');
    expect(await run('render', 'S-2')).toMatch(/complete.*, 1 branch open/u);
  });
});
