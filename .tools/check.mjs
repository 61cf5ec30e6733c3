// npm run check: every gate, each an npm script of its own, and a summary that says which failed.
// npm run check -- lint types   runs only those.
import { spawnSync } from 'node:child_process';
import { root } from './build.mjs';

const gates = {
  types: 'sources, tests and laws compile',
  lint: 'floating promises, exhaustive switches, purity of the pure rooms, lengths',
  architecture: 'rooms import what they may; names and texts are tidy; both with their canaries',
  unused: 'no file, export or dependency that nothing needs',
  tests: 'unit tests and laws, on the built program',
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in gates));
if (unknown.length > 0) {
  process.stderr.write(`check: no gate called ${unknown.join(', ')}; there are ${Object.keys(gates).join(', ')}\n`);
  process.exit(2);
}

function run(name) {
  process.stdout.write(`\n── ${name}: ${gates[name]}\n`);
  const started = performance.now();
  const npm = process.env.npm_execpath ?? '';
  const args = ['run', '--silent', name];
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
  const { status } = npm.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return { name, passed: status === 0, seconds: (performance.now() - started) / 1000 };
}

const results = (asked.length > 0 ? asked : Object.keys(gates)).map(run);
process.stdout.write('\n── summary\n');
for (const { name, passed, seconds } of results) {
  process.stdout.write(
    `${passed ? 'passed' : 'FAILED'}  ${name} (${seconds.toFixed(1)} s)${passed ? '' : `: npm run ${name} shows it again`}\n`,
  );
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
