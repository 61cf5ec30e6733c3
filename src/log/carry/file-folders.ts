import { err, type Result } from '../../base/result.js';
import type { DataRoot } from '../../machine/data-root.js';
import { type FileRef, fileRefOf, placeOf, rootOf } from '../files/file-ref.js';
import { prepareDataRoot } from '../files/prepare-data-root.js';
import { holdLeases } from '../looks/hold-leases.js';
import type { LogRejection } from '../port/log-rejection.js';
import type { SessionRef } from '../port/session-ref.js';
import type { MoveAsked, MoveRefused, StoreFolders } from '../port/store-folders.js';
import { sessionFolder } from '../segments/session-folder.js';
import { type MaintainedSessions, staging } from './file-carry.js';
import { openStaging } from './import-staging.js';
import { copySession, relocateSession } from './relocate-session.js';

/** Copying again costs little next to keeping everybody else waiting; the last time they wait. */
const triesBesideWriters = 3;

/** What can be done with sessions because they are folders. */
export function fileFolders(
  sessions: MaintainedSessions,
  known: readonly DataRoot[],
  mark: () => string,
  /** Puts back all that only second names lead to. */
  putBackKept: (ref: SessionRef) => Promise<Result<unknown, LogRejection>>,
): StoreFolders {
  const copyOnce = async <E>(
    { from, to, now, check }: MoveAsked<E>,
    evenGrown: boolean,
    guard: (finish: () => Promise<Copied<E>>) => Promise<Copied<E>>,
  ): Promise<Copied<E>> => {
    const [{ id, root }, goal] = [fileRefOf(from), rootOf(to)];
    const staged = openStaging(goal, mark());
    try {
      const copied = await copySession(sessionFolder(root, id), staged);
      const checked = await check(staging(sessions, goal, staged));
      if (!checked.ok) return err({ why: 'checked', error: checked.error });
      return await guard(async () => {
        const relocation = { id, from: root, to: goal, staging: staged, copied, evenGrown, now, mark };
        const relocated = await relocateSession(relocation);
        return relocated.ok ? relocated : err({ why: relocated.error === 'grew' ? 'grew' : 'diverged' });
      });
    } finally {
      staged.discard();
    }
  };
  return {
    known: known.map(placeOf),
    move: async (asked) => {
      const there: SessionRef = { id: asked.from.id, place: asked.to };
      for (const ref of [asked.from, there]) sessions.open(ref).letGo();
      const leased = [asked.from, there].map(fileRefOf);
      // With the session its second names go, and with them what git took away before anybody copied it.
      const whole = await putBackKept(asked.from);
      if (!whole.ok) return err({ why: 'busy', error: whole.error });
      try {
        for (let tries = 1; ; tries += 1) {
          // What grows while it is copied is copied again; the last time nobody may write while that is done.
          const alone = tries >= triesBesideWriters;
          const done = alone
            ? await underLeases(leased, () => copyOnce(asked, true, (finish) => finish()))
            : await copyOnce(asked, false, (finish) => underLeases(leased, finish));
          if (done.ok) return done;
          const { error } = done;
          if (error.why !== 'grew') return err(error);
        }
      } finally {
        sessions.open(asked.from).letGo();
      }
    },
    prepare: (place) => prepareDataRoot(rootOf(place)),
  };
}

type Copied<E> = Result<void, MoveRefused<E> | { readonly why: 'grew' }>;

async function underLeases<E>(refs: readonly FileRef[], work: () => Promise<Copied<E>>): Promise<Copied<E>> {
  const held = await holdLeases(refs, work);
  return held.ok ? held.value : err({ why: 'busy', error: held.error });
}
