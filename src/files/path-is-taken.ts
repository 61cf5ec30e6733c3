import { lstatSync } from 'node:fs';

/** Whether anything stands there, be it a link that leads nowhere. */
export function pathIsTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
