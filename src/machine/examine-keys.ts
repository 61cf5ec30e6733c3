import { command, commandWord, type Sentence } from '../base/sentence.js';
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { keysFile, readKeyFile } from './keys.js';
import { errorCode } from '../files/fault-reason.js';

export interface KeyFinding {
  readonly level: 'note' | 'damage';
  readonly file: string;
  readonly message: string;
  readonly remedy: Sentence;
}

/** The installation's sealing keys: whether they can be used, and by nobody else. */
export function examineKeys(configFolder: string): readonly KeyFinding[] {
  const path = join(configFolder, keysFile);
  const finding = (level: KeyFinding['level'], message: string, remedy: Sentence): KeyFinding => ({
    level,
    file: keysFile,
    message,
    remedy,
  });
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const found: KeyFinding[] = [];
  const { uid } = stat;
  const own = process.getuid?.();
  if (own !== undefined && uid !== own)
    found.push(
      finding('note', `it belongs to user ${uid}, and you are user ${own}`, `take it over: sudo chown ${own} ${path}`),
    );
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
    found.push(
      finding(
        'note',
        `others can read it (mode ${(stat.mode & 0o777).toString(8)}): anyone who has the keys can make tokens`,
        [`chmod 600 ${commandWord(path)}; then `, command('keys', 'rotate')],
      ),
    );
  try {
    accessSync(path, constants.R_OK);
    readKeyFile(path);
  } catch (cause) {
    const unreadable = errorCode(cause) !== undefined;
    found.push(
      finding(
        'damage',
        `${unreadable ? 'it may not be read' : 'it holds no key that can be read'}: tokens end with the process that gave them out`,
        unreadable
          ? `chmod 600 ${path}`
          : `restore it, or remove it to have a new one made: old tokens end, and workrail resume gives new ones`,
      ),
    );
  }
  return found;
}
