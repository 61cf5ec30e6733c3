import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { SessionId } from '../../base/ids.js';
import type { DataRoot } from '../../machine/data-root.js';
import { localFolder } from '../../log/files/local-folder.js';
import { readSealed, writeSealed } from '../../log/files/sealed-file.js';
import { sessionProjection } from '../../sessions/fold-session.js';
import type { Words } from '../../sessions/word-store.js';
import { openWordTable, type WordTable } from '../../sessions/word-table.js';
import type { Registered } from './registered-session.js';

/** Changes whenever the shape of an entry does, or what is ranked by. */
const shape = 4;
const purpose = 'session register';
const fileName = 'sessions';

interface Kept {
  /** What must be the same for the rest to be believed. */
  readonly made: string;
  readonly words: Words;
  readonly sessions: readonly (readonly [SessionId, Omit<Registered, 'ref'>])[];
}

/** Words are cut and folded by Unicode's tables, which come with Node. */
const madeBy = ({ kind, folder }: DataRoot, program: string): string =>
  JSON.stringify([
    shape,
    sessionProjection.version,
    program,
    process.versions['unicode'],
    process.versions.node,
    kind,
    folder,
  ]);

/** The entries of one data root as some process of this installation and program left them; each still has to be looked at. */
export function loadRegister(
  root: DataRoot,
  program: string,
  key: Uint8Array,
  table: WordTable,
): readonly Registered[] {
  try {
    const bytes = readSealed(join(root.folder, 'local', 'index', fileName), purpose, key);
    const kept = bytes === undefined ? undefined : (deserialize(bytes) as Kept);
    if (kept?.made !== madeBy(root, program)) return [];
    const adopt = table.adopt(kept.words);
    return kept.sessions.map(([id, entry]) => ({
      ...entry,
      ref: { id, root },
      places: entry.places.map((place) => ({ ...place, words: place.words && adopt(place.words) })),
    }));
  } catch {
    return [];
  }
}

/** Only words that some session still holds are written: what was redacted must not live on here. */
export function saveRegister(
  root: DataRoot,
  program: string,
  key: Uint8Array,
  entries: readonly Registered[],
  table: WordTable,
): boolean {
  const folder = localFolder(root, 'index');
  if (folder === undefined) return false;
  const own = openWordTable(key);
  const adopt = own.adopt(table.words());
  const sessions = entries.map(
    ({ ref, ...entry }) =>
      [
        ref.id,
        { ...entry, places: entry.places.map((place) => ({ ...place, words: place.words && adopt(place.words) })) },
      ] as const,
  );
  return writeSealed(join(folder, fileName), purpose, key, () =>
    serialize({ made: madeBy(root, program), words: own.words(), sessions } satisfies Kept),
  );
}
