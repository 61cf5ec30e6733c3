import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.js';
import type { JsonValue } from '../../../src/base/json-value.js';
import type { readCatalog as ReadCatalog } from '../../../src/library/read-catalog.js';

// A thread is started from a file of the built program.
const built = fileURLToPath(new URL('../../../dist/library/read-catalog.js', import.meta.url));
const { readCatalog } = (await import(built)) as { readonly readCatalog: typeof ReadCatalog };

const world = mkdtempSync(join(tmpdir(), 'catalogs-'));
afterAll(() => rmSync(world, { recursive: true }));

let count = 0;
/** A folder with these files, and a file beside it that must never be read. */
function folderOf(files: Readonly<Record<string, JsonValue | string>>): string {
  count += 1;
  const folder = join(world, String(count), 'api');
  for (const [name, value] of Object.entries({ '../secret.json': { Secret: { const: 'told' } }, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}

const document = (schema: JsonValue, more: object = {}): JsonValue => ({
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  paths: { '/a': { get: { responses: { 200: { description: '', content: { 'application/json': { schema } } } } } } },
  ...more,
});

const read = (file: string, folder?: string, more: object = {}) =>
  readCatalog({ origin: { file, folder }, operations: ['GET /a', 'GET /b'], strict: false, ...more });

async function refusal(file: string, bounds = {}): Promise<string> {
  const found = await readCatalog({ origin: { file }, operations: [], strict: false }, bounds);
  return found.ok ? 'read' : found.error.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
}

describe('a document in a folder', () => {
  it('is read with the files that it refers to, and with the operations that are asked for', async () => {
    const folder = folderOf({
      'spec/api.json': document({ $ref: 'parts/pet.yaml#/Pet' }),
      'spec/parts/pet.yaml': 'Pet: {properties: {owner: {$ref: ../../common/owner.json}}}\n',
      'common/owner.json': { type: 'string' },
    });
    const found = await read(join(folder, 'spec/api.json'), folder);
    if (!found.ok) throw new Error(JSON.stringify(found.error));
    expect(found.value.catalog).toMatchObject({ title: 'T', warnings: [] });
    const [operation, none] = found.value.operations;
    expect(none).toBeUndefined();
    expect(operation?.definitions).toEqual({
      Pet: { properties: { owner: { $ref: '#/$defs/owner' } } },
      owner: { type: 'string' },
    });
    const narrow = await read(join(folder, 'spec/api.json'));
    expect(narrow).toMatchObject({
      ok: true,
      value: { catalog: { warnings: [{ rule: 'reference', file: 'parts/pet.yaml', line: 1 }] } },
    });
  });

  it('leads to no file outside, by whichever way', async () => {
    const folder = folderOf({ 'api.json': '' });
    symlinkSync('../secret.json', join(folder, 'link.json'));
    symlinkSync('..', join(folder, 'up'));
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    mkdirSync(join(folder, 'folder.json'));
    const references = [
      '../secret.json',
      'link.json',
      'up/secret.json',
      join(folder, '../secret.json'),
      'file:../secret.json',
    ];
    const others = ['pipe.json', 'folder.json', 'gone.json', 'http://127.0.0.1:1/x.json'];
    const all = [...references, ...others].map((name) => ({ $ref: `${name}#/Secret` }));
    writeFileSync(join(folder, 'api.json'), JSON.stringify(document({ allOf: all })));
    const found = await read(join(folder, 'api.json'));
    if (!found.ok) throw new Error(JSON.stringify(found.error));
    expect(found.value.catalog.warnings.map(({ rule }) => rule)).toEqual(all.map(() => 'reference'));
    expect(JSON.stringify(found.value)).not.toContain('told');
  });

  it('of which a file is in it under a second name is read', async () => {
    const folder = folderOf({ 'api.json': document({ $ref: 'hard.json#/A' }), 'soft.json': { A: { type: 'null' } } });
    linkSync(join(folder, 'soft.json'), join(folder, 'hard.json'));
    expect(await read(join(folder, 'api.json'))).toMatchObject({
      value: { operations: [{ definitions: { A: { type: 'null' } } }, undefined] },
    });
  });

  it('opens nothing but the document and the files it refers to, and asks no host', () => {
    const folder = folderOf({
      'api.json': document({ $ref: 'pet.json' }, { host: 'x' }),
      'pet.json': { $ref: 'http://127.0.0.1:1/x' },
      'other.json': {},
    });
    const program = `
      const { readCatalog } = await import(${JSON.stringify(built)});
      const found = await readCatalog({ origin: { file: ${JSON.stringify(join(folder, 'api.json'))} }, operations: [], strict: true });
      if (!found.ok) throw new Error(JSON.stringify(found.error));`;
    const trace = join(folder, '../trace.txt');
    const calls = 'trace=openat,open,connect,socket,bind,sendto,sendmsg';
    execFileSync('strace', [
      '-f',
      '-qq',
      '-o',
      trace,
      '-e',
      calls,
      process.execPath,
      '--input-type=module',
      '-e',
      program,
    ]);
    const lines = execFileSync('cat', [trace], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
    const opened = lines.flatMap((line) => / open(?:at)?\(.*?"([^"]*)".* = \d+$/u.exec(line)?.[1] ?? []);
    expect(opened.filter((path) => path.startsWith(world)).toSorted()).toEqual(
      ['api.json', 'pet.json'].map((name) => join(folder, name)),
    );
    expect(lines.filter((line) => /\b(?:connect|bind|sendto|sendmsg)\(|AF_INET/u.test(line))).toEqual([]);
  });
});

describe('a document that cannot be read', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['is not there', '', 'no file named'],
    ['is no text', Buffer.from([0x7b, 0xff, 0x7d]), 'not UTF-8'],
    ['is empty', '', 'not an object'],
    ['is cut', '{"openapi": "3.0.0", "paths": {', 'missing'],
    ['is no document', '[1, 2]', 'not an object'],
    ['is nested without end', '['.repeat(100_000), 'nested'],
    ['is too large', Buffer.alloc(limits.apiDocument + 1, ' '), 'larger than 32 MiB'],
  ])('because it %s is refused', async (what, bytes, said) => {
    const folder = folderOf({});
    const file = join(folder, what === 'is empty' ? 'api.yaml' : 'api.json');
    if (what !== 'is not there') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, bytes);
    }
    expect(await refusal(file)).toContain(said);
  });

  it('because it takes too long is refused, and so is one that takes too much memory', async () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `  /p${at}: {get: {summary: "number ${at}"}}`);
    const folder = folderOf({ 'api.yaml': `openapi: 3.0.3\npaths:\n${lines.join('\n')}\n` });
    expect(await refusal(join(folder, 'api.yaml'), { ms: 300 })).toBe(
      'time: reading the document takes longer than 0.3 s',
    );
    expect(await refusal(join(folder, 'api.yaml'), { mib: 32 })).toBe(
      'memory: reading the document takes more than 32 MB of memory',
    );
  });
});

it('what the official schema has against a document is told and stops nothing', async () => {
  const text = JSON.stringify(document({ type: 'string' }, { surprise: 1 }), null, 1);
  const found = await readCatalog({ origin: { text, name: 'api.json' }, operations: [], strict: true });
  expect(found).toMatchObject({
    ok: true,
    value: {
      catalog: { operations: [{ id: 'GET /a' }], warnings: [{ rule: 'strict', severity: 'warning', line: 1 }] },
    },
  });
});
