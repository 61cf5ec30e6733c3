import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { givenContext, givenValues } from './given-values.js';

const folder = mkdtempSync(path.join(tmpdir(), 'given-values-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(path.join(folder, 'notes.md'), 'Two lines\nof notes.\n');
writeFileSync(path.join(folder, 'list.json'), '["a", "b"]');

const read = (...entries: readonly string[]): ReturnType<typeof givenContext> =>
  givenContext(
    '--context',
    entries,
    givenValues({ stdin: Readable.from([]), stdinIsTerminal: false, workingFolder: folder, err: () => undefined }),
    () => Promise.resolve(() => undefined),
  );

describe('givenContext', () => {
  it('reads the value of a key from a file', async () => {
    expect(await read('notes=@notes.md', 'list=@list.json', 'json:=@list.json')).toEqual({
      ok: true,
      value: { notes: 'Two lines\nof notes.', list: ['a', 'b'], json: ['a', 'b'] },
    });
  });

  it('takes @@ for a text that begins with @, and a dash for itself', async () => {
    expect(await read('who=@@ann', 'at=@', 'none=-')).toEqual({
      ok: true,
      value: { who: '@ann', at: '@', none: '-' },
    });
  });

  it('names the option, the key and the file where it cannot be read, or is not JSON', async () => {
    expect(await read('notes=@gone.md')).toMatchObject({
      ok: false,
      error: expect.stringContaining('--context notes= @gone.md'),
    });
    expect(await read('notes:=@notes.md')).toMatchObject({ ok: false, error: expect.stringContaining('not JSON') });
    expect(await read('n:=x')).toMatchObject({ ok: false, error: expect.stringContaining('As text: n=…') });
  });
});
