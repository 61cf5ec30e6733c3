import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';

const world = makeCommandLineWorld();
afterAll(() => world.close());

const draft = 'workflow: team.release\ndescription: d\nversion: 1.0.0\nsteps:\n  - { id: a, prompt: A }\n';
const at = (name: string, text = draft): void => writeFileSync(join(world.workspace, name), text);

it('workflows are saved, found, renamed and deleted', async () => {
  at('mine.yaml', draft.replace('prompt', 'promt'));
  const wrong = await world.run(['workflows', 'save', 'mine.yaml', '--to', 'user']);
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('did you mean `prompt`?')]);
  at('mine.yaml');
  const saved = await world.run(['workflows', 'save', 'mine.yaml', '--to', 'user']);
  expect([saved.code, saved.out]).toEqual([0, expect.stringContaining('Saved team.release (user/team.release.yaml)')]);
  at('mine.yaml', draft.replace('prompt: A', 'prompt: B'));
  const taken = await world.run(['workflows', 'save', 'mine.yaml', '--to', 'user']);
  expect([taken.code, taken.err]).toEqual([1, expect.stringContaining('--overwrite')]);
  expect(taken.err).not.toContain('expectedRevision');
  expect((await world.run(['workflows', 'save', 'mine.yaml', '--to', 'user', '--overwrite'])).out).toContain(
    'Replaced',
  );
  expect((await world.run(['workflows', 'rename', 'team.release', 'team.cut'])).out).toContain('Renamed to team.cut');
  expect((await world.run(['list', 'team.cut'])).out).toContain('team.cut');
  const asked = await world.run(['workflows', 'delete', 'team.cut']);
  expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('workflows delete team.cut --yes')]);
  const deleted = await world.run(['workflows', 'delete', 'team.cut', '--yes']);
  expect([deleted.code, deleted.out]).toEqual([0, expect.stringContaining('Moved to the trash: team.cut')]);
  expect((await world.run(['inspect', 'team.cut'])).code).toBe(1);
  expect((await world.run(['workflows', 'save', 'nothing.yaml'])).err).toContain('no such file: nothing.yaml');
  expect(existsSync(join(world.workspace, 'mine.yaml'))).toBe(true);
  expect(readFileSync(join(world.workspace, 'mine.yaml'), 'utf8')).toContain('prompt: B');
  expect(readdirSync(world.workspace)).toEqual(['mine.yaml']);
});
