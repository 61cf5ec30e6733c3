import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeDemoFolder } from '../../../src/cli/demo/demo-folder.js';
import { startStdioClient } from '../../../src/mcp/stdio-client.js';

const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** Found by the scenario file-size-limit: the second write past the limit killed the server. */
describe.runIf(process.platform === 'linux')('a built server whose files may not grow any further', () => {
  it('says so as often as it is asked, and lives', async () => {
    const place = makeDemoFolder();
    const server = [
      process.execPath,
      program,
      'mcp',
      '--enable',
      'start_session',
      '--data-dir',
      place.dataDir,
      '--workspace',
      place.workspace,
    ];
    const client = await startStdioClient({
      command: 'sh',
      args: ['-c', 'ulimit -f 20; exec "$0" "$@"', ...server],
      env: place.env,
      cwd: place.workspace,
      name: 'file-size',
    });
    const { answer } = await client.call('start_session', { session: 'LIMIT' });
    const refusals: unknown[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const said = await client.call('checkpoint_workflow', {
        sessionToken: answer['sessionToken'] ?? '',
        output: { notesMarkdown: `${turn} ${'word '.repeat(6000)}` },
      });
      if (said.isError) refusals.push(said.answer['error_code']);
    }
    expect(refusals.length).toBeGreaterThan(2);
    expect(new Set(refusals)).toEqual(new Set(['STORAGE_FAULT']));
    await client.close();
    place.remove();
  }, 60_000);
});
