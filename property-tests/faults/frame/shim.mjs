import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const native = (name) => fileURLToPath(new URL(`../native/${name}`, import.meta.url));

/** Compiles once a run. */
export function compileShim(workDir) {
  return compile(join(workDir, 'shim.so'), ['-shared', '-fPIC', '-O1', native('shim.c'), '-ldl']);
}

export function compilePowerCut(workDir) {
  return compile(join(workDir, 'cut-power'), ['-O1', native('cut-power.c')]);
}

function compile(file, words) {
  const { status, stderr } = spawnSync('gcc', [...words, '-o', file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`gcc failed: ${stderr}`);
  return file;
}

/**
 * Makes calls of one program go wrong by their number: what is counted, and which of them, can be changed while it runs.
 * Only what it does below `under` counts.
 */
export function openShim(library, folder, under) {
  const plan = join(folder, 'fault-plan');
  const log = join(folder, 'fault-log');
  let serial = 0;
  for (const file of [plan, log]) rmSync(file, { force: true });
  return {
    env: { LD_PRELOAD: library, FAULT_UNDER: under.join(':'), FAULT_PLAN: plan, FAULT_LOG: log },
    /** `what`: kill, killafter, error, after, torn, short. `at` 0 counts only. */
    arm: ({ ops, at, count = 1, what, error = 'EIO' }) => {
      serial += 1;
      writeFileSync(`${plan}.new`, `${serial} ${ops} ${at} ${count} ${what} ${constants.errno[error]}\n`);
      renameSync(`${plan}.new`, plan);
    },
    disarm: () => rmSync(plan, { force: true }),
    /** The calls counted since it was armed last. */
    calls: () => {
      let text = '';
      try {
        text = readFileSync(log, 'utf8');
      } catch (cause) {
        if (cause.code !== 'ENOENT') throw cause;
      }
      return text
        .split('\n')
        .map((line) => /^(\d+) (\d+) (\w+) (.*?)( hit)?$/u.exec(line))
        .filter((found) => found !== null && Number(found[1]) === serial)
        .map(([, , n, op, path, hit]) => ({ n: Number(n), op, path, hit: hit !== undefined }));
    },
  };
}
