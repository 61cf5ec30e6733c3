import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { SessionId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import { type Piece, PiecedMap } from '../../base/pieced-map.js';
import type { DataRoot } from '../../machine/data-root.js';
import { isAlive } from '../../files/is-alive.js';
import { localFolder, localPlace } from '../../machine/local-folder.js';
import { checkPins } from '../segments/pins.js';
import type { Projection } from '../port/projection.js';
import type { KnownTail, Reading } from '../segments/reading.js';
import {
  type AddPart,
  openSealed,
  type Part,
  readSealed,
  type SealedFile,
  writeSealed,
} from '../../files/sealed-file.js';
import { linkedFolders, namesIn, type SessionFolder, sessionFolder } from '../segments/session-folder.js';
import { stillEndsThere } from '../segments/still-ends-there.js';

/** Changes whenever the shape of a reading or of a snapshot does. */
const shape = 4;
const purpose = 'snapshot';

interface KeptPiece {
  readonly keys: readonly string[];
  readonly part: Part;
}

interface Snapshot {
  readonly shape: number;
  readonly version: string;
  readonly id: SessionId;
  /** Without the tables of the fold: they stand before it, in pieces. */
  readonly reading: Reading<unknown>;
  readonly tables: { readonly [name: string]: readonly KeptPiece[] };
}

/** What of a session is kept where: the file, and what must be the same for it to be believed. */
export interface SnapshotOf<S> {
  readonly root: DataRoot;
  readonly id: SessionId;
  readonly projection: Projection<S>;
  readonly key: Uint8Array;
  /** How many entries of a table are read at once. */
  readonly pieceSize?: number;
}

const fileIn = (folder: string, id: SessionId): string => join(folder, `${id}.fold`);

/** Only a session without findings has a snapshot: whatever was found is looked at again by every process. */
function isClean<S>(reading: Reading<S>): boolean {
  const { missing, missingPins, otherFindings, segments } = reading;
  return (
    missing.size + missingPins.size + otherFindings.length === 0 &&
    [...segments.values()].every((segment) => segment.stop === undefined)
  );
}

/** Keeps a fold for the next cold start, and says whether it could. Whatever goes wrong here costs that start some milliseconds and nothing else. */
export function saveSnapshot<S>(
  { root, id, projection, key, pieceSize = limits.snapshotPiece }: SnapshotOf<S>,
  reading: Reading<S>,
): boolean {
  const folder = isClean(reading) ? localFolder(root, 'snapshots') : undefined;
  // A process that has slept since may remember what was redacted meanwhile: it must not bring that back to the disk.
  if (
    folder === undefined ||
    ![...reading.segments.values()].every((segment) => stillEndsThere(sessionFolder(root, id).segments, segment))
  )
    return false;
  try {
    removeUnfinished(folder, id, ({ pid }) => !isAlive(pid));
  } catch {
    // Somebody else's, or no file: it stays, and doctor tells of it.
  }
  return writeSealed(fileIn(folder, id), purpose, key, (add) => {
    const state: { [name: string]: unknown } = { ...(reading.state as object) };
    const tables: { [name: string]: readonly KeptPiece[] } = {};
    for (const name of projection.tables ?? []) {
      tables[name] = cutUp(state[name] as Map<string, unknown>, pieceSize, add);
      state[name] = undefined;
    }
    return serialize({
      shape,
      version: projection.version,
      id,
      reading: { ...reading, state },
      tables,
    } satisfies Snapshot);
  });
}

/** What writers that were killed have left of this session's snapshots. */
function removeUnfinished(folder: string, id: SessionId, which: (writer: { readonly pid: number }) => boolean): void {
  const start = `.${id}.fold.`;
  for (const name of namesIn(folder))
    if (name.startsWith(start) && which({ pid: Number(name.slice(start.length)) }))
      rmSync(join(folder, name), { force: true });
}

/** Of a session that is no more: nothing of its text may stay. */
export function removeSnapshots(root: DataRoot, id: SessionId): void {
  const folder = localPlace(root, 'snapshots');
  if (folder === undefined) return;
  rmSync(fileIn(folder, id), { force: true });
  removeUnfinished(folder, id, () => true);
}

/** A piece that nobody has looked into since it was read goes over as it is. */
function cutUp(table: Map<string, unknown>, pieceSize: number, add: AddPart): readonly KeptPiece[] {
  const kept: KeptPiece[] = [];
  const keep = (entries: readonly (readonly [string, unknown])[]): void => {
    for (let at = 0; at < entries.length; at += pieceSize) {
      const some = entries.slice(at, at + pieceSize);
      kept.push({ keys: some.map(([key]) => key), part: add(serialize(some.map(([, value]) => value))) });
    }
  };
  if (!(table instanceof PiecedMap)) {
    keep([...table]);
    return kept;
  }
  for (const part of (table as PiecedMap<string, unknown>).parts()) {
    if ('read' in part) keep(part.read);
    else {
      const { bytes, digest } = part.unread.copied();
      kept.push({ keys: part.unread.keys, part: add(bytes, digest) });
    }
  }
  return kept;
}

/**
 * A snapshot that is ours, of this program, and agrees with every segment it speaks of. Bytes are only looked into once
 * the seal holds. Its tables are read as they are asked for: where that fails `spoilt` is told, and the asking throws.
 */
export function loadSnapshot<S>(
  { root, id, projection, key }: SnapshotOf<S>,
  at: SessionFolder,
  spoilt: () => void,
): Reading<S> | undefined {
  let sealed: SealedFile | undefined;
  try {
    const folder = localPlace(root, 'snapshots');
    if (folder === undefined) return undefined;
    const file = fileIn(folder, id);
    // Most sessions have none, and an error made for each would cost more than the look.
    sealed = lstatSync(file, { throwIfNoEntry: false }) && openSealed(file, purpose, key);
    const snapshot = sealed && (deserialize(sealed.bytes) as Snapshot);
    const fits = snapshot?.shape === shape && snapshot.version === projection.version && snapshot.id === id;
    if (
      sealed !== undefined &&
      fits &&
      [...snapshot.reading.segments.values()].every((segment) => stillEndsThere(at.segments, segment))
    ) {
      const { reading, tables } = snapshot;
      // The segments speak for themselves; what else lies in the folder is looked at as in a whole reading, which finds the words for it.
      const pins = checkPins(at.pins);
      if (
        linkedFolders(at).length + pins.findings.length === 0 &&
        [...reading.pinNames].every((hash) => pins.names.has(hash))
      ) {
        const state = { ...(reading.state as object), ...tablesOf(tables, sealed, spoilt) };
        return { ...reading, pinNames: pins.names, state: state as S };
      }
    }
  } catch {
    // Nothing of it is believed.
  }
  sealed?.close();
  return undefined;
}

function tablesOf(
  tables: Snapshot['tables'],
  sealed: SealedFile,
  spoilt: () => void,
): { readonly [name: string]: PiecedMap<string, unknown> } {
  const bytesOf = (part: Part) => (): Buffer => {
    try {
      return sealed.part(part);
    } catch (cause) {
      spoilt();
      throw cause;
    }
  };
  return Object.fromEntries(
    Object.entries(tables).map(([name, kept]) => {
      const pieces = kept.map(
        ({ keys, part }) =>
          ({
            keys,
            bytes: bytesOf(part),
            copied: () => ({ bytes: sealed.unread(part), digest: part.digest }),
          }) satisfies Piece<string>,
      );
      return [name, new PiecedMap<string, unknown>(pieces, (bytes) => deserialize(bytes) as readonly unknown[])];
    }),
  );
}

/** How far a snapshot of this machine knows each segment to have gone, whatever became of it since. */
export function snapshotWitnesses(root: DataRoot, id: SessionId, key: Uint8Array): readonly KnownTail[] {
  try {
    const folder = localPlace(root, 'snapshots');
    const bytes = folder === undefined ? undefined : readSealed(fileIn(folder, id), purpose, key);
    const snapshot = bytes && (deserialize(bytes) as Snapshot);
    if (snapshot?.shape !== shape || snapshot.id !== id) return [];
    return [...snapshot.reading.segments.values()].flatMap(({ writer, position }) =>
      position.sum === '' ? [] : [{ writer, sum: position.sum, head: undefined }],
    );
  } catch {
    return [];
  }
}
