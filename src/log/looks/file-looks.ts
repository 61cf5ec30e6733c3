import { join } from 'node:path';
import { readSealed, writeSealed } from '../../files/sealed-file.js';
import type { Lasting } from '../../base/in-place.js';
import { localFolder } from '../../machine/local-folder.js';
import { type FileRef, fileRefOf, refOf, rootOf } from '../files/file-ref.js';
import { AppendHintReader } from '../locks/append-hints.js';
import type { Loaded } from '../port/session-log.js';
import type { Place, SessionRef } from '../port/session-ref.js';
import type { Hints, SeenMark, StoreLooks } from '../port/store-looks.js';
import type { DataRoot } from '../../machine/data-root.js';
import {
  folderTime,
  isSettled,
  type MarkedReading,
  readMarked,
  type RefreshMark,
  refreshMark,
  sameFiles,
} from './refresh-mark.js';
import { sessionsChangedAt } from './session-marks.js';

interface LookOptions<S> {
  readonly listIn: (root: DataRoot) => readonly FileRef[];
  readonly glance: (ref: SessionRef) => { read(): Promise<MarkedReading & Loaded<S>> };
  /** Seals what is kept on disk; without it nothing is. */
  readonly key: () => Uint8Array | undefined;
}

const purpose = 'session register';
const fileName = 'sessions';

/** Looks at sessions that are folders: at the times and sizes of files, and at what other processes left word of. */
export class FileLooks<S> implements StoreLooks<S> {
  readonly unseen: RefreshMark = { folder: Infinity, settled: true, files: [] };
  readonly #options: LookOptions<S>;

  constructor(options: LookOptions<S>) {
    this.#options = options;
  }

  listIn(place: Place): readonly SessionRef[] {
    return this.#options.listIn(rootOf(place)).map(refOf);
  }

  listedAt({ name }: Place): number | undefined {
    const at = sessionsChangedAt(name);
    return isSettled(at) ? at : undefined;
  }

  touchedAt(ref: SessionRef): number {
    return folderTime(fileRefOf(ref));
  }

  hints(place: Place): { look(now: number): Hints } {
    return new AppendHintReader(rootOf(place));
  }

  async read<A>(
    ref: SessionRef,
    take: (loaded: Loaded<S>) => A,
  ): Promise<{ readonly taken: Lasting<A>; readonly mark: SeenMark }> {
    return readMarked(fileRefOf(ref), this.#options.glance(ref), take);
  }

  refresh(ref: SessionRef, mark: SeenMark, depth: 'quick' | 'whole'): SeenMark {
    return refreshMark(fileRefOf(ref), mark as RefreshMark, depth === 'quick' ? 'folder' : 'files');
  }

  same(a: SeenMark, b: SeenMark): boolean {
    return sameFiles(a as RefreshMark, b as RefreshMark);
  }

  kept({ name }: Place): Buffer | undefined {
    const key = this.#options.key();
    return key && readSealed(join(name, 'local', 'index', fileName), purpose, key);
  }

  keep(place: Place, bytes: () => Buffer): boolean {
    const [folder, key] = [localFolder(rootOf(place), 'index'), this.#options.key()];
    return folder !== undefined && key !== undefined && writeSealed(join(folder, fileName), purpose, key, bytes);
  }
}
