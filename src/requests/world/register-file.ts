import { deserialize, serialize } from 'node:v8';
import type { SessionId } from '../../base/ids.js';
import type { Place } from '../../log/port/session-ref.js';
import type { StoreLooks } from '../../log/port/store-looks.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { WordTable } from '../../sessions/word-table.js';
import { sessionProjection } from '../../sessions/fold-session.js';
import type { Words } from '../../sessions/word-store.js';
import type { Registered } from './registered-session.js';

/** Changes whenever the shape of an entry does, or what is ranked by. */
const shape = 11;

export interface KeptAt {
  readonly looks: StoreLooks<FoldedSession>;
  readonly place: Place;
  readonly program: string;
}

interface Kept {
  /** What must be the same for the rest to be believed. */
  readonly made: string;
  readonly words: Words;
  readonly sessions: readonly (readonly [SessionId, Omit<Registered, 'ref'>])[];
}

/** Words are cut and folded by Unicode's tables, which come with Node. */
const madeBy = ({ kind, name }: Place, program: string): string =>
  JSON.stringify([
    shape,
    sessionProjection.version,
    program,
    process.versions['unicode'],
    process.versions.node,
    kind,
    name,
  ]);

/** The entries of one data root as some process of this installation and program left them; each still has to be looked at. */
export function loadRegister({ looks, place, program }: KeptAt, table: WordTable): readonly Registered[] {
  try {
    const bytes = looks.kept(place);
    const kept = bytes === undefined ? undefined : (deserialize(bytes) as Kept);
    if (kept?.made !== madeBy(place, program)) return [];
    const adopt = table.adopt(kept.words);
    return kept.sessions.map(([id, entry]) => ({
      ...entry,
      ref: { id, place },
      places: entry.places.map((place) => ({ ...place, words: place.words && adopt(place.words) })),
    }));
  } catch {
    return [];
  }
}

/** Only words that some session still holds are written: what was redacted must not live on here. */
export function saveRegister(
  { looks, place, program }: KeptAt,
  entries: readonly Registered[],
  own: WordTable,
  table: WordTable,
): boolean {
  const adopt = own.adopt(table.words());
  const sessions = entries.map(
    ({ ref, ...entry }) =>
      [
        ref.id,
        { ...entry, places: entry.places.map((place) => ({ ...place, words: place.words && adopt(place.words) })) },
      ] as const,
  );
  return looks.keep(place, () =>
    serialize({ made: madeBy(place, program), words: own.words(), sessions } satisfies Kept),
  );
}
