import { constants, fstatSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../base/limits.js';
import { withOpen } from '../../files/folders.js';
import { readAt } from '../../files/read-at.js';
import { writeAll } from '../../files/write-all.js';
import type { DataRoot } from '../../machine/data-root.js';
import { localFolder, localPlace } from '../../machine/local-folder.js';
import type { Hints } from '../port/store-looks.js';

const fileName = '.grown';

/**
 * Before a burst of appends a process leaves word of which session it is about to write to. A session that nobody has
 * left word of has only changed if its folder has, so that whoever watches thousands need not look at every file.
 */
export class AppendHints {
  readonly #folder: string | undefined;
  readonly #line: Buffer;
  #count = 0;

  constructor(root: DataRoot, id: string) {
    this.#folder = localFolder(root, 'locks');
    this.#line = Buffer.from(`${id}\n`);
  }

  note(): void {
    if (this.#folder === undefined) return;
    const file = join(this.#folder, fileName);
    try {
      withOpen(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, (fd) => writeAll(fd, this.#line));
      this.#count += 1;
      // Whoever reads it sees that it is gone, and looks at everything.
      if (this.#count % limits.growthLookEvery === 0 && lstatSync(file).size > limits.growthNotes)
        rmSync(file, { force: true });
    } catch {
      // Where no word can be left, no session can be written to either; and a look at every file comes round in time.
    }
  }
}

/** What has been noted in a data root since the last look. */
export class AppendHintReader {
  readonly #locks: string | undefined;
  #ino: number | undefined;
  #offset = 0;
  /** When each was last noted: an append may come a little later than its note. */
  readonly #noted = new Map<string, number>();

  constructor(root: DataRoot) {
    this.#locks = localPlace(root, 'locks');
  }

  look(now: number): Hints {
    if (this.#locks === undefined) return { unknown: true, ids: new Set() };
    const unknown = !this.#readNotes(join(this.#locks, fileName), now);
    // A burst that goes on was noted when it began; its lock is there as long as it lasts.
    for (const name of lockedNow(this.#locks)) this.#noted.set(name, now);
    for (const [id, at] of this.#noted) if (now - at > limits.growthKeptMs) this.#noted.delete(id);
    return { unknown, ids: new Set(this.#noted.keys()) };
  }

  /** False where notes may have been missed. */
  #readNotes(file: string, now: number): boolean {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    const ino = stat?.ino ?? 0;
    const known = ino === this.#ino && (stat?.size ?? 0) >= this.#offset;
    const from = known ? this.#offset : (stat?.size ?? 0);
    this.#ino = ino;
    this.#offset = stat?.size ?? 0;
    if (this.#offset === from) return known;
    const notes = readNotes(file, ino, from, this.#offset);
    if (notes === undefined) return false;
    // A line is one write; should one ever be seen in part, it is read again with the next look.
    const whole = notes.lastIndexOf('\n') + 1;
    this.#offset = from + Buffer.byteLength(notes.slice(0, whole));
    for (const id of notes.slice(0, whole).split('\n')) if (id !== '') this.#noted.set(id, now);
    return true;
  }
}

function readNotes(file: string, ino: number, from: number, to: number): string | undefined {
  try {
    return withOpen(file, constants.O_RDONLY, (fd) =>
      fstatSync(fd).ino === ino ? readAt(fd, from, to - from).toString('utf8') : undefined,
    );
  } catch {
    return undefined;
  }
}

/** The sessions whose locks somebody holds or waits for. */
function lockedNow(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) =>
      name === fileName ? [] : [name.replace(/^\.(.+)\.queue$/u, '$1').replace(/\.holder$/u, '')],
    );
  } catch {
    return [];
  }
}
