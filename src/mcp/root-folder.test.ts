import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { rootFolder } from './root-folder.js';

const folder = mkdtempSync(path.join(tmpdir(), 'workrail roots-'));
const file = path.join(folder, 'file.txt');
writeFileSync(file, '');
afterAll(() => rmSync(folder, { recursive: true }));

const uri = (where: string) => ({ uri: pathToFileURL(where).href });

it('is the first root that is a folder of this machine', () => {
  expect(rootFolder([])).toBeUndefined();
  expect(
    rootFolder([
      { uri: 'https://example.com/a' },
      { uri: 'file://elsewhere/share' },
      uri(file),
      uri(path.join(folder, 'gone')),
      uri(folder),
      uri(tmpdir()),
    ]),
  ).toBe(folder);
});
