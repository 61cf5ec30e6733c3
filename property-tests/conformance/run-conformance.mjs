// npm run conformance: the MCP conformance suite against the product, and its fixture scenarios against the same transport.
// Words after `--` are beginnings of names: npm run conformance -- tasks- tries those scenarios alone.
// The suite is fetched by npx with the Node that it needs; where it cannot be had, nothing was tried, and the run has failed.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const suite = ['-y', '-p', 'node@22', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];

/** The revisions that are tried: the last that begins with initialize, and the one after it. Each scenario names its own. */
const revisions = ['2025-11-25', '2026-07-28'];

/** What any server must do. */
const ofAnyServer = [
  'server-initialize',
  'server-session-lifecycle',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'caching',
  'http-header-validation',
  'sep-2164-resource-not-found',
  'input-required-result-unsupported-methods',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
  'input-required-result-missing-input-response',
];
/** What needs tools, resources and prompts of the suite's own. */
const withFixtures = [
  'server-stateless',
  'logging-set-level',
  'completion-complete',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'json-schema-2020-12',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-sampling',
  'input-required-result-basic-list-roots',
  'input-required-result-request-state',
  'input-required-result-multiple-input-requests',
  'input-required-result-multi-round',
  'input-required-result-non-tool-request',
  'input-required-result-result-type',
  'input-required-result-tampered-state',
  'input-required-result-capability-check',
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

/** What does not apply, and why; a name that ends with a dash stands for all that begin with it. */
const doNotApply = {
  'server-sse-polling': 'answers are not streamed again after a lost connection: the same call gets the same answer',
  'sep-2640-skills-': 'no skills are offered',
  'http-custom-header-server-validation': 'no header of ours is named in a tool',
  'tasks-status-notifications': 'the suite skips it itself; tasks are looked at and nothing is pushed',
};

function run(program, args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (out += bytes));
    child.on('error', (error) => resolve({ code: 1, out: String(error) }));
    child.on('exit', (code) => resolve({ code, out }));
  });
}

/** An extension has no revision of its own: those that we have go with the newest. */
function revisionsOf(scenario) {
  const of = known.get(scenario) ?? [];
  return of.includes('extension') ? revisions.slice(-1) : revisions.filter((one) => of.includes(one));
}

const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning));

/** A scenario is a program of its own, which waits as long as it works: two at a time, told in their order. */
async function against(url, scenarios) {
  const tries = scenarios
    .filter(isWanted)
    .flatMap((scenario) => revisionsOf(scenario).map((revision) => ({ scenario, revision })));
  const waiting = [...tries];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      Object.assign(next, await tried(url, next.scenario, next.revision));
  };
  await Promise.all([work(), work()]);
  for (const { scenario, revision, passed, result } of tries)
    process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${revision}  ${scenario.padEnd(44)} ${result}\n`);
  const failed = tries.filter(({ passed }) => !passed);
  for (const { scenario, out } of failed) process.stdout.write(`\n${scenario}:\n${out}\n`);
  return failed.length;
}

async function tried(url, scenario, revision) {
  const forced = known.get(scenario).includes(revision) ? [] : ['--force'];
  const args = ['server', '--url', url, '--scenario', scenario, '--spec-version', revision, ...forced];
  const { code, out } = await run('conformance', args, withSuite);
  const result = /Passed: .*/u.exec(out)?.[0] ?? 'no result';
  return { passed: code === 0 && / 0 failed/u.test(result), result, out };
}

// npx takes longer than most scenarios: it is asked once, for where it has put the programs.
const fetched = await run('npx', [...suite, '-c', 'printf %s "$PATH"']);
const withSuite = { ...process.env, PATH: fetched.out.trim().split('\n').at(-1) };
const listed = fetched.code === 0 ? await run('conformance', ['list', '--server'], withSuite) : fetched;
if (listed.code !== 0 || !listed.out.includes('server-initialize')) {
  process.stdout.write(
    `The conformance suite cannot be had here, so nothing was tried:\n${listed.out.trim().split('\n').at(-1)}\n`,
  );
  process.exit(1);
}
const known = new Map([...listed.out.matchAll(/^\s+- (\S+) \[(.*)\]/gmu)].map(([, name, of]) => [name, of.split(',')]));
const untried = [...known.keys()].filter((name) => !ofAnyServer.includes(name) && !withFixtures.includes(name));
const reasonFor = (name) =>
  Object.entries(doNotApply).find(
    ([begins]) => name === begins || (begins.endsWith('-') && name.startsWith(begins)),
  )?.[1];
const unexplained = untried.filter((name) => reasonFor(name) === undefined);

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
const product = spawn(
  process.execPath,
  [join(root, 'dist', 'cli', 'main.js'), 'serve', '--port', '0', '--data-dir', join(folder, 'data')],
  { cwd: folder, env: { ...process.env, HOME: folder }, stdio: ['ignore', 'pipe', 'inherit'] },
);
const port = await new Promise((resolve, reject) => {
  let out = '';
  product.on('exit', () => reject(new Error(`workrail serve ended: ${out}`)));
  product.stdout.on('data', (bytes) => {
    out += bytes;
    const found = /at http:\/\/127\.0\.0\.1:(\d+)\//u.exec(out)?.[1];
    if (found !== undefined) resolve(found);
  });
});
process.stdout.write('The product:\n');
let failures = await against(`http://127.0.0.1:${port}/mcp`, ofAnyServer);
product.removeAllListeners('exit');
product.kill('SIGTERM');

const vite = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { openFixtureServer } = await vite.ssrLoadModule('/property-tests/conformance/fixture-server.ts');
const fixtures = await openFixtureServer();
process.stdout.write('\nThe same transport with fixtures:\n');
failures += await against(fixtures.url, [...withFixtures, ...ofAnyServer]);
await fixtures.close();
await vite.close();
rmSync(folder, { recursive: true, force: true });
failures += unexplained.length;
process.stdout.write('\nNot tried:\n');
for (const name of untried) process.stdout.write(`  ${name}: ${reasonFor(name) ?? 'NOBODY HAS SAID WHY'}\n`);
process.stdout.write(`\n${failures === 0 ? 'All of it passed.' : `${failures} failed.`}\n`);
process.exit(failures === 0 ? 0 : 1);
