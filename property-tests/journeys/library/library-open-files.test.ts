import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const built = new URL('../../../dist/library/workflow-files.js', import.meta.url).href;

const script = `
  import { closeSync, openSync } from 'node:fs';
  import { readWorkflowFile } from ${JSON.stringify(built)};
  const file = process.argv[1];
  const open = [];
  const told = [];
  try { for (;;) open.push(openSync('/dev/null', 'r')); } catch (fault) { told.push(fault.code); }
  try { told.push(readWorkflowFile(file)); } catch (fault) { told.push(fault.code); }
  for (const one of open) closeSync(one);
  told.push(Buffer.from(readWorkflowFile(file).bytes).toString());
  process.stdout.write(JSON.stringify(told));
`;

// Found by errors-at-positions: a server that met too many open files said for good that there is no such workflow.
it.runIf(process.platform === 'linux')(
  'a workflow file that cannot be opened because too many are open is no file that cannot be read',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'library-open-files-'));
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'workflow: user.a\n');
    const told = execFileSync(
      'sh',
      ['-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', script, file],
      { encoding: 'utf8' },
    );
    expect(JSON.parse(told)).toEqual(['EMFILE', 'EMFILE', 'workflow: user.a\n']);
    rmSync(folder, { recursive: true });
  },
);
