import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/base/digest.js';
import { petDocument } from '../../worlds/pet-document.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'import-interrupted-'));
  mkdirSync(join(home, 'ws', '.workrail'), { recursive: true });
  for (const name of ['A', 'B']) {
    const description = name.repeat(100_000);
    const text = JSON.stringify({ ...petDocument, info: { title: name, version: '1', description } });
    writeFileSync(join(home, 'ws', `${name}.json`), text);
  }
});
afterEach(() => rmSync(home, { recursive: true }));

const catalogs = (...names: readonly string[]): string => join(home, 'ws', '.workrail', 'catalogs', ...names);
const env = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'] ?? '', HOME: home });
const server = (): readonly string[] => ['mcp', '--toolsets', 'catalogs', '--workspace', join(home, 'ws')];
const messages = (calls: readonly (readonly [name: string, args: object])[]): string =>
  [
    {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    },
    ...calls.map(([name, args]) => ({ method: 'tools/call', params: { name, arguments: args } })),
  ]
    .map((message, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
    .join('');
const importing = (source: string) => ['import_openapi', { source, catalogId: 'big', overwrite: true }] as const;

/** What a catalog is made of is whole: one of the two documents, and settings that are read. */
function expectWhole(): void {
  const here = existsSync(catalogs()) ? readdirSync(catalogs()).filter((name) => !name.startsWith('.')) : [];
  if (here.length === 0) return;
  expect(here).toEqual(['big']);
  const [document, settings] = ['document.json', 'catalog.json'].map(
    (name) => JSON.parse(readFileSync(catalogs('big', name), 'utf8')) as { readonly info?: { readonly title: string } },
  );
  expect(['A', 'B']).toContain(document?.info?.title);
  expect(settings).toMatchObject({ version: 1, enabled: true });
}

it('an import that is killed anywhere leaves a whole catalog or none, and the next one goes through', async () => {
  for (let round = 0; round < 8; round += 1) {
    const child = spawn(process.execPath, [program, ...server()], { env: env(), stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(child, 'close');
    let lines = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      lines += text.split('\n').length - 1;
      // The more answers, the further it has come; somewhere in the work on the next.
      if (lines > round % 4) setTimeout(() => child.kill('SIGKILL'), (round * 37) % 90);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.write(messages(Array.from({ length: 12 }, (_, at) => importing(at % 2 === 0 ? 'A.json' : 'B.json'))));
    await ended;
    expectWhole();
  }
  const after = spawnSync(process.execPath, [program, ...server()], {
    env: env(),
    input: messages([importing('A.json')]),
    encoding: 'utf8',
  });
  expect(after.stdout).toMatch(/Imported big|Replaced big|Already here: big/u);
  expectWhole();
}, 120_000);

it('an import for which there is no room is told, and changes nothing', () => {
  const limited = (source: string): string =>
    spawnSync('bash', ['-c', 'ulimit -f 64; exec "$@"', 'x', process.execPath, program, ...server()], {
      env: env(),
      input: messages([importing(source)]),
      encoding: 'utf8',
    }).stdout;
  expect(limited('A.json')).toContain('STORAGE_FAULT');
  expect(existsSync(catalogs()) ? readdirSync(catalogs()).filter((name) => name !== '.lock') : []).toEqual([]);
  const whole = spawnSync(process.execPath, [program, ...server()], {
    env: env(),
    input: messages([importing('A.json')]),
    encoding: 'utf8',
  });
  expect(whole.stdout).toContain('Imported big');
  const before = sha256Hex(readFileSync(catalogs('big', 'document.json')));
  expect(limited('B.json')).toContain('STORAGE_FAULT');
  expect(sha256Hex(readFileSync(catalogs('big', 'document.json')))).toBe(before);
  expect(readdirSync(catalogs('big')).toSorted()).toEqual(['catalog.json', 'document.json']);
}, 60_000);
