import { spawn } from 'node:child_process';

/** The command line, as a process of its own. Its stdin is empty. Without a data folder (null) it looks for its own. */
export function runCommand(build, world, words, { env = {}, wrap = [], dataDir = world.dataDir, input = '' } = {}) {
  const all = [
    ...wrap,
    process.execPath,
    build.program,
    ...words,
    ...(dataDir === null ? [] : ['--data-dir', dataDir]),
    '--workspace',
    world.workspace,
  ];
  const child = spawn(all[0], all.slice(1), {
    cwd: world.workspace,
    env: { PATH: process.env.PATH ?? '', ...world.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out = [];
  const err = [];
  child.stdout.on('data', (bytes) => out.push(bytes));
  child.stderr.on('data', (bytes) => err.push(bytes));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code, signal, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(err).toString('utf8') }),
    );
  });
}
