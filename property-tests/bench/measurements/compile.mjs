import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built, bundledWorkflows } from '../bench-world.mjs';
import { median, timed, timesOf } from '../frame/numbers.mjs';

/** The largest workflow that ships with the program, compiled with the routines that it calls. */
export const measurement = {
  name: 'compile',
  says: 'compiling the largest bundled workflow, with what it calls',
  rounds: 3,
  async run({ figure }) {
    const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'child'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    if (status !== 0) throw new Error(`compiling ended with ${status}`);
    const { id, bytes, cold, warm } = JSON.parse(stdout);
    figure(`bytes of ${id}`, bytes, 'bytes');
    figure('the first of a process', cold, 'ms');
    figure('again, p50', warm, 'ms');
  },
};

async function child() {
  const { openCompiler } = await built('library/compile-files.js');
  const paths = readdirSync(bundledWorkflows, { recursive: true }).filter((name) => /\.(ya?ml|json)$/u.test(name));
  const texts = new Map(paths.map((path) => [path, readFileSync(join(bundledWorkflows, path), 'utf8')]));
  const [largest, text] = [...texts].toSorted(([, a], [, b]) => b.length - a.length)[0];
  // Nothing is remembered from one turn to the next: each has files of its own.
  const compile = () => {
    const files = [...texts].map(([path, own]) => ({ path, label: path, bundled: true, read: { digest: path, text: own } }));
    const compilation = openCompiler()([files]).compilation(largest);
    if (!compilation.ok) throw new Error(`${largest} does not compile`);
  };
  const cold = await timed(compile);
  const warm = median(await timesOf(15, compile));
  process.stdout.write(JSON.stringify({ id: /^workflow:\s*(\S+)/mu.exec(text)?.[1] ?? largest, bytes: Buffer.byteLength(text), cold, warm }));
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'child') await child();
