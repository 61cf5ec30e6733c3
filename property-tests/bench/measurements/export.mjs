import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../big-session.mjs', import.meta.url));

/** Memory must not grow with the session; larger ones: node property-tests/bench/big-session.mjs 1024. */
export const measurement = {
  name: 'export',
  says: 'exporting and importing sessions of 128 and of 256 MiB',
  rounds: 1,
  async run({ figure }) {
    const { status, stdout } = spawnSync(process.execPath, [script, '128', '256'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`exporting ended with ${status}`);
    for (const [, size, , command, seconds, memory] of stdout.matchAll(
      /^\s*(\d+) MiB\s+(\d+)\s+(export|import)\s+([\d.]+)\s+(\d+) MiB/gmu,
    )) {
      figure(`${command} of ${size} MiB`, Number(seconds), 's');
      figure(`${command} of ${size} MiB: the most memory it held`, Number(memory), 'MiB');
    }
  },
};
