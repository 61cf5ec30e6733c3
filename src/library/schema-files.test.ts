import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSchemas, type SchemaSource, writeSchema } from './schema-files.js';

let folder: string;
let source: SchemaSource;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'schemas-'));
  source = { name: 'project', folder, label: 'project/schemas' };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const given = (json: boolean | { readonly type: string }) => ({
  name: 'review',
  json,
  description: undefined,
  createdAt: '2026-01-01T00:00:00.000Z',
});

it('gives no number twice, be the file that has it spoilt', async () => {
  const schemas = openSchemas([source]);
  const { schema } = await writeSchema(source, schemas, given(true));
  expect(schema.version).toBe(1);
  mkdirSync(path.join(folder, 'review'), { recursive: true });
  writeFileSync(path.join(folder, 'review', '7-0123456789.json'), '');
  writeFileSync(path.join(folder, 'review', '4-01234567.json'), '{');
  expect(schemas.problems().map(({ label }) => label)).toEqual(['project/schemas/review/4-01234567.json']);
  expect((await writeSchema(source, schemas, given({ type: 'object' }))).schema.version).toBe(8);
  expect((await writeSchema(source, schemas, given(true))).isNew).toBe(false);
});

it('says what cannot be read, and does not take it for nothing', async () => {
  mkdirSync(path.join(folder, 'review'));
  vi.doMock(import('node:fs'), async (original) => {
    const fs = await original();
    const readdirSync = (file: string): string[] => {
      if (file.endsWith('review')) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'scandir' });
      return fs.readdirSync(file);
    };
    return { ...fs, readdirSync } as typeof fs;
  });
  vi.resetModules();
  const { openSchemas: opened } = await import('./schema-files.js');
  expect(opened([source]).problems()).toEqual([
    { label: 'project/schemas/review', problem: expect.stringContaining('too many open files') },
  ]);
  vi.doUnmock('node:fs');
  vi.resetModules();
});
