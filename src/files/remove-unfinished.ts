import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './is-alive.js';

/** Removes what processes that were killed had begun to write for a file: hidden names that end with the id of one. */
export function removeUnfinished(folder: string, isMeant: (file: string) => boolean = () => true): void {
  for (const name of readdirSync(folder)) {
    const [, file = '', pid] = /^\.(.+?)\.(\d+)(?:\.\d+)?(?:\.tmp|\.draft)?$/u.exec(name) ?? [];
    if (pid === undefined || !isMeant(file) || isAlive(Number(pid))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
