// How long it takes to list many workflow files: `node property-tests/bench/library-listing.mjs [--files 500] [--rounds 7]`, on the built program.
// Each round is a process of its own, as a server is when an agent first asks. Prints medians; the last line is JSON.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** One process: the first look, looks at everything again, and looks while the folders are watched. */
async function oneRound(folder, files) {
  const { openLibrary } = await import('../../dist/library/workflow-library.js');
  const { openKeptWorkflows } = await import('../../dist/requests/world/kept-workflows.js');
  const sources = [{ name: 'project', folder: join(folder, 'workflows'), label: 'project' }];
  const root = { kind: 'given', folder: join(folder, 'data') };
  const kept = openKeptWorkflows(root, sources, join(folder, 'built.json'), () => Buffer.alloc(32));
  const library = openLibrary(sources, kept);
  const look = async () => {
    const { length } = await library.list();
    if (length !== files) throw new Error(`${length} of ${files} are listed`);
  };
  const floor = await timed(async () => {
    for (let at = 0; at < files; at += 1) readFileSync(nameOf(folder, at));
  });
  const cold = await timed(look);
  const warm = [];
  for (let turn = 0; turn < 20; turn += 1) warm.push(await timed(look));
  library.watch();
  await look();
  // A watch is believed once it has settled.
  await pause(3000);
  await look();
  const watched = [];
  for (let turn = 0; turn < 20; turn += 1) watched.push(await timed(look));
  await library.close();
  process.stdout.write(JSON.stringify({ floor, cold, warm: median(warm), watched: median(watched) }));
}

const nameOf = (folder, at) => join(folder, 'workflows', String(at % 10), `w${at}.yaml`);

/** Four to eight steps each, with what workflows have: conditions, contracts, context, a loop. */
function workflowText(at) {
  const steps = Array.from(
    { length: 4 + (at % 5) },
    (_, step) =>
      `  - id: s${step}\n    title: Step ${step}\n    prompt: |\n      Look at part ${step} of \${{ inputs.subject }} and say what is there.\n      Then compare it with the part before, and hand back what differs.\n    sets: { k${step}: { type: string, enum: [same, other] } }\n${step === 0 ? '' : `    if: context.k${step - 1} == "same"\n`}`,
  );
  return `workflow: team.w${at}\ntitle: Number ${at}\ndescription: Use this to do number ${at}.\nversion: 1.0.0\ntags: [bench]\ninputs:\n  subject: { type: string, required: true }\nsteps:\n${steps.join('')}`;
}

async function main() {
  const [files, rounds] = [option('files', 500), option('rounds', 7)];
  const folder = mkdtempSync(join(tmpdir(), 'library-listing-'));
  try {
    for (let at = 0; at < 10; at += 1) mkdirSync(join(folder, 'workflows', String(at)), { recursive: true });
    writeFileSync(join(folder, 'built.json'), JSON.stringify({ build: 'bench', files: [] }));
    for (let at = 0; at < files; at += 1) writeFileSync(nameOf(folder, at), workflowText(at));
    await pause(200);
    const oneProcess = () => {
      const child = spawnSync(
        process.execPath,
        [fileURLToPath(import.meta.url), '--round', folder, '--files', String(files)],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
      );
      if (child.status !== 0) throw new Error('a round failed');
      return JSON.parse(child.stdout);
    };
    const results = Array.from({ length: rounds }, () => {
      rmSync(join(folder, 'data'), { recursive: true, force: true });
      return { ...oneProcess(), later: oneProcess().cold };
    });
    const [floor, cold, later, warm, watched] = ['floor', 'cold', 'later', 'warm', 'watched'].map((name) =>
      median(results.map((result) => result[name])),
    );
    console.log(
      `${files} files, medians of ${rounds} processes: reading them ${floor.toFixed(1)} ms, cold ${cold.toFixed(0)} ms, in a later process ${later.toFixed(0)} ms, warm ${warm.toFixed(2)} ms, watched ${watched.toFixed(3)} ms`,
    );
    console.log(`a warm look takes 1/${(cold / warm).toFixed(0)} of a cold one`);
    console.log(JSON.stringify({ files, rounds, floor, cold, later, warm, watched }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const round = process.argv.indexOf('--round');
if (round < 0) await main();
else await oneRound(process.argv[round + 1], option('files', 500));
