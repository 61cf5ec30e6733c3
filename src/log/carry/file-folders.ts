import { err, ok, type Result } from '../../base/result.js';
import type { DataRoot } from '../../machine/data-root.js';
import { type FileRef, fileRefOf, placeOf, rootOf } from '../files/file-ref.js';
import { prepareDataRoot } from '../files/prepare-data-root.js';
import { holdLeases } from '../looks/hold-leases.js';
import type { Place, SessionRef } from '../port/session-ref.js';
import type { Staging } from '../port/store-carry.js';
import type { MoveAsked, MoveRefused, StoreFolders } from '../port/store-folders.js';
import { sessionFolder } from '../segments/session-folder.js';
import { openStaging, type StagedFolder } from './import-staging.js';
import { copySession, relocateSession } from './relocate-session.js';

/** Copying again costs little next to keeping everybody else waiting; the last time they wait. */
const triesBesideWriters = 3;

interface FolderOptions {
  readonly known: readonly DataRoot[];
  readonly mark: () => string;
  readonly letGo: (ref: SessionRef) => void;
  readonly staging: (root: DataRoot, staged: StagedFolder) => Staging;
}

/** What can be done with sessions because they are folders. */
export class FileFolders implements StoreFolders {
  readonly known: readonly Place[];
  readonly #options: FolderOptions;

  constructor(options: FolderOptions) {
    this.known = options.known.map(placeOf);
    this.#options = options;
  }

  async move<E>(asked: MoveAsked<E>): Promise<Result<void, MoveRefused<E>>> {
    const there: SessionRef = { id: asked.from.id, place: asked.to };
    for (const ref of [asked.from, there]) this.#options.letGo(ref);
    const leased = [asked.from, there].map(fileRefOf);
    try {
      for (let tries = 1; ; tries += 1) {
        // What grows while it is copied is copied again; the last time nobody may write while that is done.
        const alone = tries >= triesBesideWriters;
        const done = alone
          ? await underLeases(leased, () => this.#copyOnce(asked, true, (finish) => finish()))
          : await this.#copyOnce(asked, false, (finish) => underLeases(leased, finish));
        if (done.ok) return done;
        const { error } = done;
        if (error.why !== 'grew') return err(error);
      }
    } finally {
      this.#options.letGo(asked.from);
    }
  }

  async #copyOnce<E>(
    { from, to, now, check }: MoveAsked<E>,
    evenGrown: boolean,
    guard: (finish: () => Promise<Copied<E>>) => Promise<Copied<E>>,
  ): Promise<Copied<E>> {
    const { mark } = this.#options;
    const [{ id, root }, goal] = [fileRefOf(from), rootOf(to)];
    const staged = openStaging(goal, mark());
    try {
      const copied = await copySession(sessionFolder(root, id), staged);
      const checked = await check(this.#options.staging(goal, staged));
      if (!checked.ok) return err({ why: 'checked', error: checked.error });
      return await guard(async () => {
        const late = (): StagedFolder => openStaging(goal, mark());
        const relocation = { id, from: root, to: goal, staging: staged, copied, late, evenGrown, now, mark: mark() };
        const relocated = await relocateSession(relocation);
        if (relocated.ok) return ok(undefined);
        return err({ why: relocated.error === 'grew' ? 'grew' : 'diverged' });
      });
    } finally {
      staged.discard();
    }
  }

  prepare(place: Place): readonly string[] {
    return prepareDataRoot(rootOf(place));
  }
}

type Copied<E> = Result<void, MoveRefused<E> | { readonly why: 'grew' }>;

async function underLeases<E>(refs: readonly FileRef[], work: () => Promise<Copied<E>>): Promise<Copied<E>> {
  const held = await holdLeases(refs, work);
  return held.ok ? held.value : err({ why: 'busy', error: held.error });
}
