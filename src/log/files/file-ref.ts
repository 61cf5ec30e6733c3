import type { SessionId } from '../../base/ids.js';
import type { DataRoot } from '../../machine/data-root.js';
import type { Place, SessionRef } from '../port/session-ref.js';

/** A session by the data root that it lies in: what the port calls a place is a folder here. */
export interface FileRef {
  readonly id: SessionId;
  readonly root: DataRoot;
}

export const placeOf = ({ kind, folder }: DataRoot): Place => ({ kind, name: folder });
export const rootOf = ({ kind, name }: Place): DataRoot => ({ kind, folder: name });
export const fileRefOf = ({ id, place }: SessionRef): FileRef => ({ id, root: rootOf(place) });
export const refOf = ({ id, root }: FileRef): SessionRef => ({ id, place: placeOf(root) });
