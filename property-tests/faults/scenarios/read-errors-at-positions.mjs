import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diceOf } from '../frame/dice.mjs';
import { openTemplates } from '../frame/templates.mjs';
import { copyWorld } from '../frame/world.mjs';

const page = fileURLToPath(new URL('../frame/ask-page.mjs', import.meta.url));

/** What only reads, and what its answer must hold where nothing could not be read. */
const subjects = [
  { name: 'resume', words: (t) => ['resume', t.session, '--json'], holds: (t) => t.session },
  { name: 'resume, without words', words: () => ['resume', '--json'], holds: (t) => t.session },
  { name: 'continue with a token', words: (t) => ['continue', t.pair.stateToken, '--json'], holds: () => 'Make link' },
  { name: 'list', words: () => ['list', '--json'], holds: () => 'user.chain' },
  { name: 'inspect', words: () => ['inspect', 'user.chain', '--json'], holds: () => 'user.chain' },
  { name: 'sessions', words: () => ['sessions', '--json'], holds: (t) => t.session },
  { name: 'sessions, searched', words: (t) => ['sessions', t.session, '--json'], holds: (t) => t.session },
  { name: 'show', words: (t) => ['show', t.session, '--json'], holds: (t) => t.session },
  { name: 'log', words: (t) => ['log', t.session, '--json'], holds: () => 'run_started' },
  {
    name: 'export',
    words: (t, world) => ['export', t.session, '-o', join(world.folder, 'out'), '--json'],
    holds: (t) => t.session,
  },
  { name: 'render', words: (t) => ['render', t.session], holds: (t) => t.session },
  { name: 'doctor', words: () => ['doctor', '--json'], holds: () => '"sound":true' },
  {
    name: 'doctor --secrets',
    words: () => ['doctor', '--secrets', '--json'],
    holds: (t) => `"sessions":${t.sessions.length}`,
  },
  { name: 'prefs', words: (t) => ['prefs', t.session, '--json'], holds: (t) => t.session },
  { name: 'the page', page: true, holds: (t) => t.session },
];

const calls = ['openat', 'getdents64', 'read', 'pread64', 'statx', 'newfstatat', 'readlink'];
const errors = ['EIO', 'EACCES', 'EMFILE'];

/** Words that say that something is not there. */
const absence =
  /No work is recorded|\bno work\b|TOKEN_FOREIGN|TOKEN_UNKNOWN|NOT_FOUND|no workflow has|no session here|no sessions here|is not here|Did you mean|"sessions":\[\]|"workflows":\[\]|"candidates":\[\]/iu;

const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name));

/** One subject under strace, which watches the files of this world alone and lets one call fail. */
function runTraced(build, world, t, subject, { trace, inject }) {
  const watched = [world.dataDir, world.config, join(world.workspace, '.git'), join(world.workspace, '.workrail')];
  const paths = [...watched, ...[world.dataDir, world.config].flatMap(filesUnder)];
  const words = subject.page
    ? [page, build.folder, world.dataDir, world.workspace, t.session]
    : [build.program, ...subject.words(t, world), '--data-dir', world.dataDir, '--workspace', world.workspace];
  const all = [
    '-f',
    '-qq',
    '-o',
    trace,
    ...paths.flatMap((path) => ['-P', path]),
    '-e',
    `trace=${calls.join(',')}`,
    ...(inject === undefined ? [] : ['-e', `inject=${inject.call}:error=${inject.error}:when=${inject.at}`]),
    process.execPath,
    ...words,
  ];
  const child = spawn('strace', all, {
    cwd: world.workspace,
    env: { PATH: process.env.PATH ?? '', UV_THREADPOOL_SIZE: '1', UV_USE_IO_URING: '0', ...world.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const text = Buffer.concat(said).toString('utf8');
      const lines = readFileSync(trace, 'utf8').split('\n');
      resolve({ code, text, lines, hit: lines.some((line) => line.includes('(INJECTED)')) });
    });
  });
}

/** How often the main thread makes a call: strace counts those of each thread by themselves. */
function countOf(lines, call) {
  const main = lines[0]?.split(' ')[0];
  return lines.filter((line) => line.startsWith(`${main} `) && /^\d+ +(\w+)\(/u.exec(line)?.[1] === call).length;
}

const positionsOf = (subject, index, lines, tried) =>
  tried.flatMap((call) =>
    Array.from({ length: countOf(lines, call) }, (_, place) =>
      errors.map((error) => ({
        subject,
        call,
        error,
        at: place + 1,
        round: `${index}.${calls.indexOf(call)}.${place + 1}.${error}`,
      })),
    ).flat(),
  );

function judge({ code, text, lines }, world, t, subject) {
  const failed = lines.find((line) => line.includes('(INJECTED)')) ?? '';
  const [, file = ''] = /"([^"]+)"/u.exec(failed) ?? [];
  const wrong = [];
  if (/at \S+ \(?(?:file|node):|AssertionError|"INTERNAL"/u.test(text)) wrong.push('ended as a mistake of ours');
  if (code !== 0 && absence.test(text)) wrong.push('told a fault as absence');
  // A file that could not be read is listed by its name, with that.
  const isListed = text.includes('"unread_file"') && text.includes(file === '' ? 'cannot be read' : basename(file));
  if (code === 0 && !text.includes(subject.holds(t, world)) && !isListed)
    wrong.push('answered, and left out what is there');
  // Workflow files are named by their source and their place in it.
  const isNamed = text.includes(world.folder) || /\b(?:user|project|bundled)\/\S+\.(?:ya?ml|json)\b/u.test(text);
  if (code === 3 && /STORAGE_FAULT/u.test(text) && !isNamed) wrong.push('told a fault of the disk without the file');
  return wrong.map((what) => `${what} (${code}; ${failed.slice(0, 120)} ${file}): ${text.slice(0, 400)}`);
}

export const scenario = {
  name: 'read-errors-at-positions',
  says: 'EIO, EACCES and EMFILE at every open, listing, read and look of what only reads: no answer says that there is nothing, and a fault names its file',
  needs: ['linux', 'strace'],
  mutants: ['unread-is-empty'],
  rounds: Number.MAX_SAFE_INTEGER,
  smoke: 8,
  smokeSeconds: 25,
  mutantRounds: 60,
  run: async ({ rounds, seed, only, workDir, build, sound, stopAtFirst, halt, log }) => {
    const template = await openTemplates(sound, workDir)('base');
    const sum = { tried: 0, injected: 0, hit: 0, acked: 0, violations: [] };
    const dice = diceOf(seed, 'read-errors-at-positions');
    const attempt = async (subject, on, round, inject) => {
      const folder = join(workDir, `round-${round}`);
      mkdirSync(folder, { recursive: true });
      const world = copyWorld(template.world, join(folder, 'world'));
      const outcome = await runTraced(on, world, template, subject, { trace: join(folder, 'trace'), inject });
      return { folder, world, outcome };
    };
    const trials = [];
    for (const [index, subject] of subjects.entries()) {
      if (only !== undefined && !only.startsWith(`${index}.`)) continue;
      // A mutant is seen where sessions are listed.
      if (stopAtFirst && !/^(?:resume|sessions)/u.test(subject.name)) continue;
      const { folder, outcome } = await attempt(subject, sound, `count-${index}`);
      if (outcome.code !== 0)
        throw new Error(`${subject.name} does not work without a fault: ${outcome.text.slice(0, 300)}`);
      sum.acked += 1;
      trials.push(...positionsOf(subject, index, outcome.lines, stopAtFirst ? ['getdents64'] : calls));
      rmSync(folder, { recursive: true, force: true });
    }
    const chosen =
      only === undefined ? dice.shuffled(dice.some(trials, rounds)) : trials.filter(({ round }) => round === only);
    log(`${trials.length} positions, ${chosen.length} of them tried`);
    for (const { subject, call, error, at, round } of chosen) {
      const { folder, world, outcome } = await attempt(subject, build, round, { call, error, at });
      const violations = outcome.hit ? judge(outcome, world, template, subject) : [];
      sum.tried += 1;
      // A call that depends on the moment may not be made; then nothing was planned either.
      if (outcome.hit) [sum.injected, sum.hit] = [sum.injected + 1, sum.hit + 1];
      if (outcome.code === 0) sum.acked += 1;
      for (const what of violations) {
        sum.violations.push({ what: `${subject.name}, ${error} at ${call} ${at}: ${what}`, round });
        log(`${round} ${sum.violations.at(-1).what}`);
      }
      if (violations.length === 0) rmSync(folder, { recursive: true, force: true });
      else if (stopAtFirst) break;
      if (halt.now) break;
    }
    return sum;
  },
};
