import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { CliEnvironment } from '../print/cli-environment.js';

/** How somebody on this machine starts us from a shell: by name where their PATH finds us, else with the program's own path, which works from a clone and from wherever a package was installed. */
export function ownProgram({
  env,
  packageFolder,
  platform,
}: Pick<CliEnvironment, 'env' | 'packageFolder' | 'platform'>): readonly string[] {
  const main = path.join(packageFolder, 'dist', 'cli', 'main.js');
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  // What npx and npm scripts put there is gone when they end.
  const own = folders.filter((folder) => !folder.split(path.sep).includes('node_modules'));
  if (own.some((folder) => isUs(path.join(folder, platform === 'win32' ? 'workrail.cmd' : 'workrail'), main)))
    return ['workrail'];
  return isOfNpx(packageFolder) ? ['npx', '-y', 'workrail'] : ['node', main];
}

/** Lies where npx keeps what it fetched from the registry, for a while: there it is asked for by name again. */
export const isOfNpx = (packageFolder: string): boolean => packageFolder.split(path.sep).includes('_npx');

const isUs = (file: string, main: string): boolean =>
  existsSync(file) && (file.endsWith('.cmd') || realpathSync(file) === realpathSync(main));
