// npm run check: the gates that need nothing but this clone, and a summary that says which failed.
// npm run check -- lint page   runs only those, of all there are.
import { spawnSync } from 'node:child_process';
import { root } from './build.mjs';
import { gates } from './gates.mjs';

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => gates.every((gate) => gate.name !== name));
if (unknown.length > 0) {
  const names = gates.map(({ name }) => name).join(', ');
  process.stderr.write(`check: no gate called ${unknown.join(', ')}; there are ${names}\n`);
  process.exit(2);
}

function run({ name, checks }) {
  process.stdout.write(`\n── ${name}: ${checks}\n`);
  const started = performance.now();
  const npm = process.env.npm_execpath ?? '';
  const args = ['run', '--silent', name];
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
  const { status } = npm.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return { name, passed: status === 0, seconds: (performance.now() - started) / 1000 };
}

const results = gates.filter(({ name, check }) => (asked.length > 0 ? asked.includes(name) : check)).map(run);
process.stdout.write('\n── summary\n');
for (const { name, passed, seconds } of results) {
  process.stdout.write(
    `${passed ? 'passed' : 'FAILED'}  ${name} (${seconds.toFixed(1)} s)${passed ? '' : `: npm run ${name} shows it again`}\n`,
  );
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
