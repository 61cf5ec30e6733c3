// Makes the world go wrong around the built program, and holds what is left on the disk against what was acknowledged.
//   npm run faults -- --rounds 200 --seed 7              every scenario, 200 rounds each
//   npm run faults -- --only NAME [--only NAME]          some of them; --list names them
//   npm run faults -- --only NAME --seed 7 --round 31    one round again, exactly
//     --jobs 2                                           so many scenarios at the same time; the short form takes two
//     --from FOLDER                                      with the trace that lies there, where the round was made from one
//   npm run faults -- --no-mutants | --mutants-only      without, or with nothing but, the builds that must be caught
//   npm run faults -- --of FOLDER                        another clone's build
//   npm run faults:smoke                                 the short form
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBuilds } from './frame/builds.mjs';
import { lacking } from './frame/here.mjs';
import { mutants as knownMutants } from './frame/mutants.mjs';
import { printReport, printScenario } from './frame/report.mjs';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string' },
    round: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    work: { type: 'string', default: tmpdir() },
    of: { type: 'string', default: projectFolder },
    list: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    from: { type: 'string' },
    jobs: { type: 'string' },
    keep: { type: 'boolean', default: false },
    'no-mutants': { type: 'boolean', default: false },
    'mutants-only': { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

async function loadScenarios() {
  const folder = fileURLToPath(new URL('scenarios', import.meta.url));
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.mjs'))
    .toSorted();
  const all = [];
  for (const file of files) all.push((await import(new URL(`scenarios/${file}`, import.meta.url).href)).scenario);
  for (const { name, mutants } of all)
    for (const mutant of mutants)
      if (!(mutant in knownMutants)) throw new Error(`${name} must catch ${mutant}, which is no mutant`);
  return all;
}

const scenarios = await loadScenarios();
const unknown = asked.only.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  console.error(`faults: no scenario ${unknown.join(', ')}; npm run faults -- --list names them`);
  process.exit(2);
}
if (asked.list) {
  for (const { name, says, mutants } of scenarios)
    console.log(`${name.padEnd(26)} ${says}${mutants.length > 0 ? `; must catch ${mutants.join(', ')}` : ''}`);
  process.exit(0);
}

const workDir = mkdtempSync(join(asked.work, 'workrail-faults-'));
const builds = openBuilds(resolve(asked.of), workDir);
const chosen = scenarios.filter(({ name, smoke }) =>
  asked.only.length > 0 ? asked.only.includes(name) : !asked.smoke || smoke > 0,
);
const log = (line) => {
  if (asked.verbose) console.log(`    ${line.slice(0, 400)}`);
};
/** Ctrl-C ends a long run after the round that it is in, and what was tried is reported. */
const halt = { now: false };
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    halt.now = true;
  });
/** What is wrong is said at once: a long run may be watched. */
const tell = (line) => console.log(`    ${line.slice(0, 400)}`);

/** Runs a scenario on one build. A folder with something wrong in it stays; the others go. */
async function runOn(scenario, buildName, rounds, stopAtFirst) {
  const folder = join(workDir, scenario.name, buildName);
  mkdirSync(folder, { recursive: true });
  const { seed } = asked;
  const began = performance.now();
  const outcome = await scenario.run({
    rounds,
    seed,
    only: asked.round,
    from: asked.from,
    workDir: folder,
    build: builds(buildName),
    sound: builds('sound'),
    halt,
    stopAtFirst,
    log: stopAtFirst ? log : tell,
  });
  if (outcome.violations.length === 0 && !asked.keep) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return { ...outcome, seconds: (performance.now() - began) / 1000 };
}

async function runScenario(scenario) {
  const missing = lacking(scenario.needs);
  if (missing.length > 0) return { scenario, skipped: missing.join('; ') };
  const rounds = asked.smoke ? scenario.smoke : Number(asked.rounds ?? scenario.rounds);
  const result = { scenario, survivors: [], caught: [] };
  try {
    // The harness shows first that it sees what it is there to see.
    const judged = asked['no-mutants'] || asked.round !== undefined ? [] : scenario.mutants;
    for (const mutant of judged) {
      const { violations, tried, seconds } = await runOn(scenario, mutant, scenario.mutantRounds ?? rounds, true);
      log(
        `${scenario.name} on ${mutant}: ${violations[0]?.what ?? 'nothing was seen'} (${tried} tried, ${seconds.toFixed(1)} s)`,
      );
      (violations.length > 0 ? result.caught : result.survivors).push(mutant);
    }
    if (!asked['mutants-only']) Object.assign(result, { sound: await runOn(scenario, 'sound', rounds, false) });
  } catch (cause) {
    result.broken = cause instanceof Error ? cause.stack : String(cause);
  }
  return result;
}

/** The longest first, so that none of them is left over for the end. */
const waiting = chosen
  .map((scenario, place) => ({ scenario, place }))
  .toSorted((a, b) => (b.scenario.smokeSeconds ?? 0) - (a.scenario.smokeSeconds ?? 0));
const results = [];
const work = async () => {
  for (let next = waiting.shift(); next !== undefined && !halt.now; next = waiting.shift()) {
    const result = await runScenario(next.scenario);
    results[next.place] = result;
    printScenario(result, asked.seed);
  }
};
await Promise.all(Array.from({ length: Number(asked.jobs ?? (asked.smoke ? 3 : 1)) }, work));
const failed = printReport(
  results.filter((result) => result !== undefined),
  asked.seed,
);
if (failed === 0 && !asked.keep) rmSync(workDir, { recursive: true, force: true, maxRetries: 3 });
else console.log(`what was left lies in ${workDir}`);
process.exit(failed === 0 ? 0 : 1);
