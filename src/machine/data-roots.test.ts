import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findDataRoots } from './data-roots.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-roots-'));
  mkdirSync(join(folder, 'repo', 'deep', 'er'), { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const workspace = (): string => join(folder, 'repo', 'deep', 'er');
const home = '/u/me';

test('without a project, sessions go to the user, by XDG', () => {
  const found = findDataRoots({ workspace: workspace(), env: {}, home, platform: 'linux' });
  expect(found.newSessions).toEqual({ kind: 'user', folder: '/u/me/.local/share/workrail' });
  expect(found.reading).toEqual([found.newSessions]);
  expect(found.config).toBe('/u/me/.config/workrail');
  const set = findDataRoots({
    workspace: workspace(),
    env: { XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: 'relative' },
    home,
    platform: 'linux',
  });
  expect(set.newSessions.folder).toBe('/d/workrail');
  expect(set.config).toBe('/u/me/.config/workrail');
});

test('the nearest .workrail at or above the workspace comes first; the user is read as well', () => {
  mkdirSync(join(folder, '.workrail'));
  mkdirSync(join(folder, 'repo', '.workrail'));
  writeFileSync(join(folder, 'repo', 'deep', '.workrail'), 'no folder');
  const found = findDataRoots({ workspace: workspace(), env: {}, home, platform: 'linux' });
  expect(found.newSessions).toEqual({ kind: 'project', folder: join(folder, 'repo', '.workrail') });
  expect(found.reading.map(({ kind }) => kind)).toEqual(['project', 'user']);
});

test('a folder that was named comes before both, on the command line before the environment', () => {
  mkdirSync(join(folder, 'repo', '.workrail'));
  const env = { WORKRAIL_DATA_DIR: '/from/env' };
  expect(findDataRoots({ workspace: workspace(), env, home }).newSessions).toEqual({
    kind: 'given',
    folder: '/from/env',
  });
  const found = findDataRoots({ workspace: workspace(), dataDir: 'here', env, home });
  expect(found.newSessions).toEqual({ kind: 'given', folder: join(workspace(), 'here') });
  expect(found.known.map(({ kind }) => kind)).toEqual(['given', 'project', 'user']);
  const same = findDataRoots({ workspace: workspace(), dataDir: join(folder, 'repo', '.workrail'), env, home });
  expect(same.known.map(({ kind }) => kind)).toEqual(['given', 'user']);
});

test('a folder named on the command line is read alone; one from the environment is read with the others', () => {
  mkdirSync(join(folder, 'repo', '.workrail'));
  const kindsRead = (from: { readonly dataDir?: string; readonly env: Readonly<Record<string, string>> }) =>
    findDataRoots({ workspace: workspace(), home, ...from }).reading.map(({ kind }) => kind);
  expect(kindsRead({ dataDir: 'here', env: {} })).toEqual(['given']);
  expect(kindsRead({ env: { WORKRAIL_DATA_DIR: '/from/env' } })).toEqual(['given', 'project', 'user']);
});

test('a folder that is only read beside them is never where new sessions go', () => {
  const found = findDataRoots({
    workspace: workspace(),
    env: { WORKRAIL_ALSO_READ: '/shown/too' },
    home,
    platform: 'linux',
  });
  expect(found.newSessions.kind).toBe('user');
  expect(found.reading.map(({ folder: at }) => at)).toEqual(['/u/me/.local/share/workrail', '/shown/too']);
  expect(
    findDataRoots({
      workspace: workspace(),
      dataDir: 'here',
      env: { WORKRAIL_ALSO_READ: '/shown/too' },
      home,
    }).reading.map(({ folder: at }) => at),
  ).toEqual([join(workspace(), 'here')]);
});

test('an empty variable is no variable', () => {
  expect(
    findDataRoots({
      workspace: workspace(),
      env: { WORKRAIL_DATA_DIR: '', XDG_DATA_HOME: '' },
      home,
      platform: 'darwin',
    }).newSessions.folder,
  ).toBe('/u/me/.local/share/workrail');
});
