import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readGlobalPreferences } from './global-preferences.js';

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

test.each(['', '{', '[]', '{"mode":"bold"}', '{"preferences":{"autonomy":1}}', '{"workflowFolders":"a"}'])('%j is a warning that names the file', (text) => {
  expect(read(text)).toEqual({});
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('config.json');
});
