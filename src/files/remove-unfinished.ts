import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './is-alive.js';

/**
 * Removes what processes that were killed had begun to write for a file: hidden names that end with the id of one. Folders
 * of users hold files of theirs with a number at the end: there only names with an ending of ours are meant.
 */
export function removeUnfinished(
  folder: string,
  isMeant: (file: string) => boolean = () => true,
  ends: 'tmp or draft' | 'anyhow' = 'tmp or draft',
): void {
  for (const name of readdirSync(folder)) {
    const [, file = '', pid, end] = /^\.(.+?)\.(\d+)(?:\.\d+)?(\.tmp|\.draft)?$/u.exec(name) ?? [];
    if (pid === undefined || (end === undefined && ends !== 'anyhow')) continue;
    if (isMeant(file) && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
