import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAgent } from './agent.mjs';
import { diceOf } from './dice.mjs';
import { openLedger } from './ledger.mjs';
import { openOracle } from './oracle.mjs';
import { openPlayer } from './player.mjs';
import { playRounds } from './rounds.mjs';
import { readTrace, traced } from './trace.mjs';
import { leaveBehind, weakDisk } from './weak-disk.mjs';
import { makeWorld, worldAt } from './world.mjs';

/** Crash states made from one trace before another is taken: each trace is another play. */
const statesATrace = 250;
const stepsATrace = 24;

/**
 * A server plays under strace. From what it did, states are made that a crash may have left on a disk that keeps no more
 * than it must, and each is judged by what had been answered by then. `failing` are syncs that fail, by their number.
 */
export async function playCrashStates(options, name, { failing }) {
  const { build, seed, workDir, from } = options;
  const oracle = openOracle(build, { looks: 100 });
  const traces = new Map();
  const traceFor = async (number) => {
    if (!traces.has(number))
      traces.set(
        number,
        from !== undefined
          ? loadTrace(from)
          : await takeTrace(options, join(workDir, `trace-${number}`), {
              dice: diceOf(seed, name, 'trace', number),
              failing,
              number,
            }),
      );
    return traces.get(number);
  };
  const sum = await playRounds(options, name, async ({ round, folder, dice }) => {
    const { folder: traceFolder, world, operations, ledger } = await traceFor(Math.floor(round / statesATrace));
    const upTo = pickMoment(operations, dice);
    const disk = weakDisk(world.folder);
    let answered = 0;
    for (const operation of operations.slice(0, upTo)) {
      if (operation.op === 'say') answered += operation.answers;
      else disk.act(operation);
    }
    leaveBehind(disk, folder, dice);
    const left = { ...worldAt(folder), workspace: world.workspace, home: world.home };
    const known = ledger.map((entry) =>
      entry.answeredAs <= answered ? entry : { ...entry, outcome: 'asked', answer: undefined },
    );
    const { violations } = await oracle.judge(left, known, { repeats: 3 });
    return {
      again: `--from ${traceFolder}`,
      violations,
      acked: known.filter(({ outcome }) => outcome === 'acked').length,
    };
  });
  oracle.close();
  for (const { folder } of traces.values())
    if (sum.violations.length === 0 && from === undefined) rmSync(folder, { recursive: true, force: true });
  return sum;
}

/** Any moment; more often one right after an answer, when most is promised, or right after lines were written, when least is sure. */
function pickMoment(operations, dice) {
  const after = (chosen) => operations.flatMap((operation, index) => (chosen(operation) ? [index + 1] : []));
  const roll = dice.below(10);
  if (roll < 4) return dice.oneOf(after(({ op, answers }) => op === 'say' && answers > 0));
  if (roll < 6) return dice.oneOf(after(({ op, path }) => op === 'write' && path.includes('/segments/')));
  // Several lines in one write: all of them count, or none.
  if (roll < 7)
    return dice.oneOf(
      after(({ op, path, bytes }) => op === 'write' && path.includes('/segments/') && bytes.includes('\n{')),
    );
  return dice.below(operations.length + 1);
}

async function takeTrace({ build, sound }, folder, { dice, failing, number }) {
  const world = makeWorld(join(folder, 'world'));
  const log = join(folder, 'trace');
  const faults =
    failing.length === 0 ? [] : ['-e', `inject=fdatasync:error=EIO:when=${dice.oneOf(failing)}+${6 + dice.below(6)}`];
  const wrap = [
    'strace',
    '-f',
    '-qq',
    '--seccomp-bpf',
    '-y',
    '-xx',
    '-s',
    '4000000',
    '-e',
    `trace=${traced}`,
    ...faults,
    '-o',
    log,
  ];
  const ledger = openLedger(`C${number}`);
  const player = openPlayer({ ledger, dice, name: 'CRASH', tries: 3 });
  const agent = await startAgent({ ...sound, program: build.program }, world, { wrap });
  await player.play(countingAnswers(agent, ledger), stepsATrace);
  await agent.close();
  if (faults.length > 0 && !readFileSync(log, 'latin1').includes('(INJECTED)'))
    throw new Error('no sync failed while the trace was taken');
  writeFileSync(join(folder, 'ledger.json'), JSON.stringify(ledger.entries));
  return loadTrace(folder);
}

/** A trace is kept where something was wrong, so that the very same states can be made again. */
function loadTrace(folder) {
  const world = worldAt(join(folder, 'world'));
  const operations = [
    { op: 'mkdir', path: join(world.folder, 'config') },
    { op: 'mkdir', path: join(world.folder, 'config', 'workrail') },
    { op: 'sync', path: world.folder },
    { op: 'sync', path: join(world.folder, 'config') },
  ];
  for (const operation of readTrace(join(folder, 'trace'), world.folder))
    operations.push(operation.op === 'say' ? { op: 'say', answers: countAnswers(operation.bytes) } : operation);
  return { folder, world, operations, ledger: JSON.parse(readFileSync(join(folder, 'ledger.json'), 'utf8')) };
}

/** Each entry learns with which answer of the server it was settled: so many had to be written before it is promised. */
function countingAnswers(agent, ledger) {
  let answers = 0;
  return {
    call: async (tool, args) => {
      const result = await agent.call(tool, args);
      if (result !== undefined) ledger.entries.at(-1).answeredAs = answers += 1;
      return result;
    },
  };
}

/** Answers to calls, as they go over stdout: one line each. */
const countAnswers = (bytes) =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes('"workrail/answer"')).length;
