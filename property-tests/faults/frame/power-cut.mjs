import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAgent } from './agent.mjs';
import { runCommand } from './command.mjs';
import { countAcked, openLedger } from './ledger.mjs';
import { openOracle } from './oracle.mjs';
import { openPlayer } from './player.mjs';
import { playRounds } from './rounds.mjs';
import { compilePowerCut } from './shim.mjs';
import { subjects } from './subjects.mjs';
import { openTemplates } from './templates.mjs';
import { copyWorld, makeWorld } from './world.mjs';

const sizes = { ext4: 64, xfs: 320 };
const MiB = 1024 * 1024;

/** A file system of its own in a file, whose power can be cut: what is not on the disk by then is gone. */
function openDisk(workDir, type, name) {
  const image = join(existsSync('/dev/shm') ? '/dev/shm' : workDir, `workrail-faults-${process.pid}-${name}.img`);
  const mountPoint = join(workDir, 'mount');
  const cutter = compilePowerCut(workDir);
  mkdirSync(mountPoint, { recursive: true });
  const run = (program, ...words) => execFileSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const mount = () => run('mount', '-o', 'loop', image, mountPoint);
  const make = () => {
    rmSync(image, { force: true });
    writeFileSync(image, '');
    truncateSync(image, sizes[type] * MiB);
    run(`mkfs.${type}`, '-q', type === 'xfs' ? '-f' : '-F', image);
    mount();
  };
  const unmount = () => {
    // A process that was killed a moment ago may not have let go yet.
    for (let tries = 0; tries < 100; tries += 1) {
      if (spawnSync('umount', [mountPoint]).status === 0) return;
      spawnSync('sleep', ['0.05']);
    }
    run('umount', '-l', mountPoint);
  };
  make();
  return {
    mountPoint,
    settle: () => run('sync', '-f', mountPoint),
    cut: () => run(cutter, mountPoint),
    /** The machine comes up again: the journal is replayed. */
    remount: () => {
      unmount();
      mount();
    },
    close: () => {
      unmount();
      rmSync(image, { force: true });
    },
  };
}

/** Under a server and under commands; with `only`, which names commands by mutant, under commands alone. */
export async function cutPower(options, name, type, only) {
  const { build, sound, workDir } = options;
  const disk = openDisk(workDir, type, name);
  const templates = openTemplates(sound, workDir);
  const oracle = openOracle(build);
  // A move has two places, and its project cannot lie on the disk that goes.
  const telling = only?.[build.name];
  const commands = subjects.filter(
    (subject) =>
      subject.door === 'cli' && subject.places === undefined && (telling === undefined || telling === subject.name),
  );
  try {
    return await playRounds(options, name, async ({ round, folder: kept, dice }) => {
      const folder = join(disk.mountPoint, `round-${round}`);
      const atWork =
        only === undefined && (dice.chance(0.7) || options.stopAtFirst)
          ? await cutServer({ build, sound, disk, folder, dice })
          : await cutCommand({
              build,
              disk,
              folder,
              dice,
              templates,
              subject: dice.oneOf(commands),
              surely: telling !== undefined,
            });
      disk.remount();
      const { world, ledger, may, left } = atWork;
      const { violations } = await oracle.judge(world, ledger, { may, repeats: may.length > 0 ? 0 : 4 });
      violations.push(...left());
      // The disk goes; what was wrong on it stays.
      if (violations.length > 0) {
        cpSync(folder, join(kept, 'world'), { recursive: true });
        writeFileSync(join(kept, 'ledger.json'), JSON.stringify(ledger, undefined, 1));
      }
      rmSync(folder, { recursive: true, force: true });
      return { acked: countAcked({ entries: ledger }), violations };
    });
  } finally {
    oracle.close();
    disk.close();
  }
}

/** What a process has open on the disk keeps it from being taken down, so it works elsewhere. */
const apart = (world, workDir) => ({ ...world, workspace: workDir, home: workDir });

async function cutServer({ build, sound, disk, folder, dice }) {
  mkdirSync(folder);
  const world = makeWorld(folder);
  disk.settle();
  const ledger = openLedger(`P${dice.below(1e6)}`);
  const player = openPlayer({ ledger, dice, name: 'POWER', tries: 1 });
  const agent = await startAgent({ ...sound, program: build.program }, { ...world, ...apart(world, '/') });
  const playing = player.play(agent, 1e6);
  // Some are cut while the first session is begun, most at work.
  if (dice.chance(0.85)) while (ledger.entries.length < 2) await pause(1);
  await pause(dice.below(dice.oneOf([5, 60])));
  // An answer given while the power goes does not count: ext4 may then call a sync done that it has just given up, and no
  // process lives on without power to tell.
  const before = ledger.entries.map(({ outcome }) => outcome);
  disk.cut();
  await agent.kill();
  await playing;
  const known = ledger.entries.map((entry, index) =>
    before[index] === 'acked' ? entry : { ...entry, outcome: 'asked', late: entry.outcome === 'acked' },
  );
  return { world, ledger: known, may: [], left: () => [] };
}

async function cutCommand({ build, disk, folder, dice, templates, subject, surely }) {
  const template = await templates(subject.template);
  const world = copyWorld(template.world, folder);
  disk.settle();
  const entries = subject.entries(template).map((entry) => ({ ...entry }));
  const running = runCommand(build, { ...world, ...apart(world, '/') }, subject.words(template));
  let done = false;
  const ended = running.then(({ code }) => {
    done = code === 0;
  });
  // At the moment when it says that it is done, or before.
  await (surely || dice.chance(0.6) ? ended : Promise.race([ended, pause(100 + dice.below(500))]));
  const acknowledged = done;
  disk.cut();
  await ended;
  for (const entry of entries) if (acknowledged) entry.outcome = 'acked';
  return {
    world,
    ledger: [...template.ledger, ...entries],
    may: acknowledged ? [] : (subject.may ?? []),
    left: () => subject.left?.(world, template, { done: acknowledged }) ?? [],
  };
}
