import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { petDocument } from '../../worlds/pet-document.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const hasStrace = spawnSync('strace', ['-V']).status === 0;
if (!hasStrace) console.log('import-strace: strace is not here; 3 tests of what an import opens are left out');

/** What the system is asked for while a document is checked, shown, imported and removed by an agent. */
describe.runIf(hasStrace)('system calls of an import', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'import-strace-')));
  const workspace = join(home, 'workspace');
  const secret = join(home, 'secret.json');
  let trace: readonly string[] = [];
  let answers = '';
  afterAll(() => rmSync(home, { recursive: true }));

  beforeAll(async () => {
    mkdirSync(join(workspace, '.workrail'), { recursive: true });
    writeFileSync(secret, '{"Secret":{"const":"told"}}');
    symlinkSync(secret, join(workspace, 'link.json'));
    const refs = [
      '../secret.json#/Secret',
      'link.json#/Secret',
      'https://127.0.0.1:1/a.json#/A',
      '//h.example/a.json#/A',
    ];
    for (const [at, ref] of refs.entries())
      writeFileSync(
        join(workspace, `d${at}.json`),
        JSON.stringify(petDocument).replaceAll('#/components/schemas/Pet', ref),
      );
    const calls = refs.flatMap((_, at) => {
      const source = { source: `d${at}.json` };
      return [
        { name: 'validate_openapi', arguments: source },
        { name: 'preview_openapi', arguments: source },
        { name: 'import_openapi', arguments: { ...source, catalogId: `c${at}` } },
        { name: 'search_commands', arguments: { commandId: `c${at} pets/add` } },
      ];
    });
    const file = join(home, 'trace');
    const messages = [
      {
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      },
      ...calls.map((params) => ({ method: 'tools/call', params })),
    ].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }));
    const args = ['mcp', '--toolsets', 'commands,catalogs', '--workspace', workspace];
    const what =
      'trace=connect,sendto,openat,open,creat,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,symlink,symlinkat';
    const child = spawn(
      'strace',
      ['-f', '-qq', '-s', '400', '-e', what, '-o', file, process.execPath, program, ...args],
      { env: { PATH: process.env['PATH'] ?? '', HOME: home }, stdio: ['pipe', 'pipe', 'ignore'] },
    );
    const ended = once(child, 'close');
    // Its input ends once all is answered: whoever goes away is not waited for.
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answers += text;
      if (answers.split('\n').length > messages.length) child.stdin.end();
    });
    child.stdin.write(`${messages.join('\n')}\n`);
    await ended;
    trace = readFileSync(file, 'utf8').split('\n');
  }, 120_000);

  it('are of imports that were made', () => {
    expect(answers.split('\n').filter((line) => line.includes('Imported c'))).toHaveLength(4);
    expect(answers).not.toContain('told');
  });

  it('connect to nobody', () => {
    expect(trace.filter((line) => /\b(?:connect|sendto)\(.*sa_family=AF_INET/u.test(line))).toEqual([]);
  });

  it('open no file that is only referred to, and write nothing outside of the folders', () => {
    expect(trace.filter((line) => line.includes(secret) && /\bopen/u.test(line))).toEqual([]);
    const writes = trace.filter(
      (line) =>
        /\b(?:rename|link|unlink|mkdir|symlink|creat)\w*\(/u.test(line) || /O_(?:WRONLY|RDWR|CREAT|TRUNC)/u.test(line),
    );
    const ours = ['.workrail', '.config/workrail', '.local/share/workrail'].map((name) =>
      name.startsWith('.w') ? join(workspace, name) : join(home, name),
    );
    const outside = writes.filter((line) => {
      const names = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, name]) => name!);
      return names.some((name) => !name.startsWith('/dev/') && !ours.some((folder) => name.startsWith(folder)));
    });
    expect(writes.length).toBeGreaterThan(20);
    // Folders above those of ours are made where they are missing.
    expect(outside.filter((line) => !/mkdir\w*\(.*"[^"]*\/\.(?:config|local|local\/share)"/u.test(line))).toEqual([]);
  });
});
