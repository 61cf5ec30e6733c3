import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeGlobalPreferences, readGlobalPreferences } from './global-preferences.js';

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-config-'));
  warnings = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const read = (text: string): unknown => {
  writeFileSync(join(folder, 'config.json'), text);
  return readGlobalPreferences(folder, (line) => warnings.push(line));
};

test('no file is no preference', () => {
  expect(readGlobalPreferences(folder, (line) => warnings.push(line))).toEqual({});
  expect(warnings).toEqual([]);
});

test('what is there is read, what is not ours is left alone', () => {
  const value = { mode: 'auto_stop', preferences: { autonomy: 'guided' }, workflowFolders: ['a'] };
  expect(read(JSON.stringify({ ...value, editor: 'x' }))).toEqual(value);
  expect(warnings).toEqual([]);
});

test.each(['', '{', '[]', '{"mode":"bold"}', '{"preferences":{"autonomy":1}}', '{"workflowFolders":"a"}'])(
  '%j is a warning that names the file',
  (text) => {
    expect(read(text)).toEqual({});
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('config.json');
  },
);

test('a change is kept where it was read from, for the user alone', () => {
  const config = join(folder, 'new', 'config');
  expect(changeGlobalPreferences(config, { mode: 'auto_stop', riskPolicy: 'aggressive' }, 'x')).toEqual({
    ok: true,
    value: { mode: 'auto_stop', preferences: { riskPolicy: 'aggressive' } },
  });
  expect(readGlobalPreferences(config, (line) => warnings.push(line))).toEqual({
    mode: 'auto_stop',
    preferences: { riskPolicy: 'aggressive' },
  });
  expect(statSync(join(config, 'config.json')).mode & 0o077).toBe(0);
  expect(readdirSync(config)).toEqual(['config.json']);
});

test('a link to kept dotfiles stays a link, and what it leads to is changed', () => {
  const kept = join(folder, 'dotfiles');
  mkdirSync(kept);
  writeFileSync(join(kept, 'workrail.json'), '{"editor":"x"}');
  symlinkSync(join(kept, 'workrail.json'), join(folder, 'config.json'));
  expect(changeGlobalPreferences(folder, { autonomy: 'guided' }, 'x').ok).toBe(true);
  expect(lstatSync(join(folder, 'config.json')).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(join(kept, 'workrail.json'), 'utf8'))).toEqual({
    editor: 'x',
    preferences: { autonomy: 'guided' },
  });
});

test.each(['', '{', '[]', '{"mode":"bold"}'])('%j is not written over', (text) => {
  read(text);
  const changed = changeGlobalPreferences(folder, { mode: 'guided' }, 'x');
  expect(changed).toEqual({ ok: false, error: expect.stringContaining('config.json') });
  expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe(text);
  expect(readdirSync(folder)).toEqual(['config.json']);
});
