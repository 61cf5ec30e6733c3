import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built, bundledWorkflows } from '../bench-world.mjs';
import { median, timed, timesOf } from '../frame/numbers.mjs';
import { largeWorkrailText } from '../large-workrail.mjs';

/** The largest workflow that ships with the program, compiled with everything beside it; and a large file of the WorkRail JSON format. */
export const measurement = {
  name: 'compile',
  says: 'compiling the bundled workflows, and a large file of the WorkRail JSON format',
  rounds: 3,
  async run({ figure }) {
    const { id, bytes, cold, warm } = inProcess('bundled');
    figure(`bytes of ${id}, the largest`, bytes, 'bytes');
    figure('all bundled ones, the first of a process', cold, 'ms');
    figure('all bundled ones again, p50', warm, 'ms');
    const large = inProcess('large');
    figure('bytes of a large file of the WorkRail JSON format', large.bytes, 'bytes');
    figure('that file, the first of a process', large.cold, 'ms');
    figure('that file again, p50', large.warm, 'ms');
  },
};

function inProcess(what) {
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), what], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`compiling ended with ${status}`);
  return JSON.parse(stdout);
}

async function bundled() {
  const { openCompiler } = await built('library/compile-files.js');
  const paths = readdirSync(bundledWorkflows, { recursive: true }).filter((name) => /\.(ya?ml|json)$/u.test(name));
  const texts = new Map(paths.map((path) => [path, readFileSync(join(bundledWorkflows, path), 'utf8')]));
  const [largest, text] = [...texts].toSorted(([, a], [, b]) => b.length - a.length)[0];
  // Nothing is remembered from one turn to the next: each has files of its own.
  const compile = () => {
    const files = [...texts].map(([path, own]) => ({
      path,
      label: path,
      source: { name: 'bundled', folder: bundledWorkflows, label: 'bundled' },
      read: { digest: path, text: own },
    }));
    const compilation = openCompiler()([files]).compilation(largest);
    if (!compilation.ok) throw new Error(`${largest} does not compile`);
  };
  const cold = await timed(compile);
  const warm = median(await timesOf(15, compile));
  process.stdout.write(
    JSON.stringify({
      id: /^workflow:\s*(\S+)/mu.exec(text)?.[1] ?? largest,
      bytes: Buffer.byteLength(text),
      cold,
      warm,
    }),
  );
}

async function large() {
  const { compileSource } = await built('definitions/compile-source.js');
  const text = largeWorkrailText();
  let turn = 0;
  // Each turn has a text and conditions of its own: nothing is remembered from the one before.
  const compile = () => {
    turn += 1;
    const own = text.replaceAll('taskComplexity', `taskComplexity${turn}`);
    if (!compileSource(own, 'large.json').ok) throw new Error('the large file does not compile');
  };
  const cold = await timed(compile);
  const warm = median(await timesOf(15, compile));
  process.stdout.write(JSON.stringify({ bytes: Buffer.byteLength(text), cold, warm }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await (process.argv[2] === 'large' ? large() : bundled());
