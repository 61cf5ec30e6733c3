import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const answers = (program, words) => () => spawnSync(program, words).error === undefined;

/** What a scenario may need of the machine: how to see that it is here, and how it is had. */
const needs = {
  linux: { is: () => process.platform === 'linux', had: 'only Linux has it' },
  root: { is: () => process.getuid?.() === 0, had: 'run as root' },
  gcc: { is: answers('gcc', ['--version']), had: 'apt-get install gcc' },
  strace: { is: () => spawnSync('strace', ['-qq', 'true']).status === 0, had: 'apt-get install strace' },
  git: { is: answers('git', ['--version']), had: 'apt-get install git' },
  prlimit: { is: answers('prlimit', ['--version']), had: 'apt-get install util-linux' },
  namespaces: {
    is: () => spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0,
    had: 'apt-get install util-linux, and leave to make pid namespaces',
  },
  ext4: { is: () => canMount('ext4'), had: 'apt-get install e2fsprogs, and loop devices' },
  xfs: { is: () => canMount('xfs'), had: 'apt-get install xfsprogs, and loop devices' },
};

function canMount(type) {
  return (
    existsSync('/dev/loop-control') &&
    readFileSync('/proc/filesystems', 'utf8').includes(`\t${type}\n`) &&
    spawnSync(`mkfs.${type}`, ['-V']).error === undefined
  );
}

/** What of it this machine lacks, in words. */
export function lacking(names) {
  return names.filter((name) => !needs[name].is()).map((name) => `${name} is not here (${needs[name].had})`);
}
