import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { EventSum, SessionId } from '../../../src/base/ids.js';
import { wasRefused } from '../../../src/log/segments/spares.js';

const built = fileURLToPath(new URL('../../../dist/log/segments/spares.js', import.meta.url));
const count = 100;
const sumOf = (who: string, index: number): EventSum => `${who}${index}` as EventSum;

test('what processes note at one moment about a session is noted whole: none of it is written over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notes-'));
  const [root, id] = [{ kind: 'given' as const, folder }, 'ses_example' as SessionId];
  // As soon as both are there.
  const source = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { noteRefused } from ${JSON.stringify(built)};
    const [folder, who, other] = process.argv.slice(1);
    writeFileSync(folder + '/' + who, '');
    while (!existsSync(folder + '/' + other));
    for (let index = 0; index < ${count}; index += 1) noteRefused({ kind: 'given', folder }, '${id}', [who + index]);
  `;
  const run = (who: string, other: string): Promise<unknown> =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', source, folder, who, other]);
  try {
    await Promise.all([run('a', 'b'), run('b', 'a')]);
    const isNoted = wasRefused(root, id);
    const all = ['a', 'b'].flatMap((who) => Array.from({ length: count }, (_, index) => sumOf(who, index)));
    expect(all.filter((sum) => !isNoted(sum))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
