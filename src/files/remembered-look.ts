import { limits } from '../base/limits.js';
import { lookAt } from './folders.js';

const gone = { ino: 0, mtimeMs: 0, ctimeMs: 0 };

/**
 * What a look at the names in some folders finds. It is taken anew once a name has come to one of them, has gone or was
 * replaced; until then it is known, for one system call a folder. What it throws is not remembered, nor what it finds in
 * a folder that has only just changed: that may change again within the same tick of its clock.
 */
export function rememberedLook<A>(folders: readonly string[], look: () => A): () => A {
  const marks = folders.map(() => gone);
  let known: { readonly found: A } | undefined;
  return () => {
    for (const [at, folder] of folders.entries()) {
      const mark = marks[at]!;
      const { ino, mtimeMs, ctimeMs } = lookAt(folder) ?? gone;
      if (ino === mark.ino && ctimeMs === mark.ctimeMs && mtimeMs === mark.mtimeMs) continue;
      marks[at] = { ino, mtimeMs, ctimeMs };
      known = undefined;
    }
    if (known !== undefined) return known.found;
    const settled = marks.every(isSettled);
    const found = look();
    if (settled) known = { found };
    return found;
  };
}

/** Whether a change from now on has another time. Nobody can set back the time of a change as they can that of the last writing. */
function isSettled({ ctimeMs }: typeof gone): boolean {
  return Date.now() - ctimeMs > (ctimeMs % 1000 === 0 ? limits.settledMs : limits.settledFineMs);
}
