import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { named } from './fault-reason.js';
import { noWait, requirePlain, withOpen } from './folders.js';

/** All of a plain file of a data root. A link is not followed, and nobody is waited for. */
export const readPlainFile = (file: string): Buffer => withOpen(file, constants.O_RDONLY, (fd) => readFileSync(fd));

/** The same of a file that is the user's own, to which a link may lead. */
export function readThroughLink(file: string): Buffer {
  const fd = openSync(file, constants.O_RDONLY | noWait);
  try {
    return named(file, () => {
      requirePlain(fd, file);
      return readFileSync(fd);
    });
  } finally {
    closeSync(fd);
  }
}
