import type * as Fs from 'node:fs';

type Call = (...args: readonly unknown[]) => unknown;

/** The file system with a look at each call of these functions before it is made; a look that throws stops it. */
export function watchedDisk(
  fs: typeof Fs,
  names: readonly (keyof typeof Fs)[],
  look: (name: keyof typeof Fs, first: unknown) => void,
): typeof Fs {
  const watched = names.map((name): readonly [string, Call] => [
    name,
    (...args) => {
      look(name, args[0]);
      return (fs[name] as Call)(...args);
    },
  ]);
  return { ...fs, ...Object.fromEntries(watched) };
}

/** The disk as a process sees it that is killed before its n-th change: from then on nothing it does has an effect. */
export const disk = { armed: false, changes: 0, killAt: Infinity };

const changing = [
  'writeSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'fsyncSync',
  'fdatasyncSync',
  'writeFileSync',
  'linkSync',
  'copyFileSync',
] as const;

export const killableDisk = (fs: typeof Fs): typeof Fs =>
  watchedDisk(fs, changing, () => {
    if (!disk.armed) return;
    disk.changes += 1;
    if (disk.changes >= disk.killAt) throw new Error('killed');
  });
