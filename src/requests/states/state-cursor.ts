import { digestOf } from '../../base/digest.js';

/** How far somebody who follows a state has come. As text it is the etag of a version, with what else was told of it. */
export interface StateCursor {
  readonly etag: string;
  readonly closed: boolean;
  /** Digest of the conflicts that were told; empty where there were none. */
  readonly conflicts: string;
}

export const writeCursor = ({ etag, closed, conflicts }: StateCursor): string =>
  [etag, ...(closed ? ['closed'] : []), ...(conflicts === '' ? [] : [conflicts])].join('.');

/** Undefined where it is none. Who gives an etag alone knows of an open state without conflicts. */
export function readCursor(text: string): StateCursor | undefined {
  const [, etag, closed, conflicts = ''] = /^(v\d{1,9}-[0-9a-f]{12})(\.closed)?(?:\.([0-9a-f]{8}))?$/u.exec(text) ?? [];
  return etag === undefined ? undefined : { etag, closed: closed !== undefined, conflicts };
}

export function cursorAt({
  etag,
  status,
  conflicts,
}: {
  readonly etag: string;
  readonly status: 'open' | 'closed';
  readonly conflicts: readonly string[];
}): StateCursor {
  const digest = conflicts.length === 0 ? '' : digestOf(conflicts.toSorted()).slice(0, 8);
  return { etag, closed: status === 'closed', conflicts: digest };
}
