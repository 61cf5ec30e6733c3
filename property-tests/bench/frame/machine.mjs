import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from 'node:os';

const kinds = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x01021994, 'tmpfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlay'],
  [0x2fc12fc1, 'zfs'],
]);

/** What the figures depend on, and nothing that names the machine. */
export function machineFacts(folder = process.env.BENCH_FOLDER ?? tmpdir()) {
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}, kernel ${release().replace(/-.*/u, '')}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    fileSystem: kinds.get(statfsSync(folder).type) ?? `type ${statfsSync(folder).type}`,
    loadBefore: Number(loadavg()[0].toFixed(2)),
    program: JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version,
  };
}
