// Runs the bench (rounds.mjs) as a group of processes of its own, with one temporary folder for all that it makes: whoever
// ends it, at whatever moment, leaves neither behind.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'workrail-bench-'));
const alone = process.platform !== 'win32';
const bench = spawn(
  process.execPath,
  [fileURLToPath(new URL('rounds.mjs', import.meta.url)), ...process.argv.slice(2)],
  {
    detached: alone,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BENCH_FOLDER: folder, TMPDIR: folder },
  },
);

function end(code) {
  try {
    if (alone) process.kill(-(bench.pid ?? 0), 'SIGKILL');
    else bench.kill();
  } catch {
    // All of them have ended.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(128 + constants.signals[signal]));
bench.on('error', (cause) => {
  console.error(`bench: ${cause.message}`);
  end(1);
});
bench.on('exit', (code) => end(code ?? 1));
