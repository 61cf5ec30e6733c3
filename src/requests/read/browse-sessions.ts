import { limits } from '../../base/limits.js';
import { oncePerObject } from '../../base/once-per-object.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { parseSearch } from '../../contract/session-search.js';
import type { SessionsPage } from '../../contract/session-list.js';
import type { Environment } from '../world/environment.js';
import { goesToTrash } from '../world/goes-to-trash.js';
import { askSearch, filterValues } from '../world/session-filter.js';
import { noSuchPage } from '../world/rejections.js';
import { nothingRead, type PositionInList, positionOf } from '../world/session-list-page.js';
import type { SessionsAsked } from './list-sessions.js';

/** Sessions page by page, searched while somebody types. A page goes on after the last one shown, whatever has come or moved since. */
export async function browseSessions(
  env: Environment,
  { query = '', limit = limits.listPage, cursor }: SessionsAsked,
): Promise<Result<SessionsPage, Rejection>> {
  const after = cursor === undefined ? 0 : readPosition(cursor);
  if (after === undefined) return err(noSuchPage);
  const { register, now } = env;
  const asked = askSearch(parseSearch(query), now());
  const { shown, found, left, here, unreadable, all, told, reading, why } = await register.page(
    { asked, limit, after },
    limits.firstListMs,
  );
  if (shown.length === 0 && after === 0 && reading === undefined && unreadable.length > 0)
    return err(nothingRead(unreadable));
  const last = shown.at(-1);
  const goes = goesToTrash(env);
  return ok({
    sessions: shown.flatMap((entry) => {
      const { ref, listed } = entry.registered;
      if (listed === undefined) return [];
      const [goesAt, matches] = [goes(ref, listed), why(entry)];
      return [{ ...listed, ...(goesAt !== undefined && { goesAt }), ...(matches !== undefined && { why: matches }) }];
    }),
    found,
    here,
    ...(last !== undefined && left > 0 && { nextCursor: writePosition(positionOf(last)) }),
    ...(told.length > 0 && { told }),
    ...(cursor === undefined && { filters: valuesIn(all) }),
    unreadable,
    ...(reading !== undefined && { reading }),
  });
}

/** The same list is filtered with every letter that is typed. */
const valuesIn = oncePerObject(filterValues);

const writePosition = (position: PositionInList): string => Buffer.from(JSON.stringify(position)).toString('base64url');

function readPosition(cursor: string): PositionInList | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [tier, at, id, folder] = value as readonly unknown[];
  return typeof tier === 'number' && typeof at === 'string' && typeof id === 'string' && typeof folder === 'string'
    ? [tier, at, id, folder]
    : undefined;
}
