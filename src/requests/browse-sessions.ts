import { limits } from '../base/limits.js';
import type { Rejection } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import type { SessionsPage } from '../contract/http-api.js';
import type { SessionListed } from '../contract/session-list.js';
import { matchText, searchedWords } from '../respond/search-text.js';
import type { SessionIndex } from './session-index.js';

export interface BrowseAsked {
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface Met {
  readonly listed: SessionListed;
  readonly tier: number;
}

/** Sessions page by page, searched while somebody types. A page goes on after the last one shown, whatever has come or moved since. */
export async function browseSessions(index: SessionIndex, { query = '', limit = limits.listPage, cursor }: BrowseAsked): Promise<Result<SessionsPage, Rejection>> {
  const after = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && after === undefined) return err({ code: 'VALIDATION_ERROR', message: 'cursor is not one that an answer gave', action: 'ask again without it' });
  await index.freshen();
  const words = searchedWords(query);
  const met: Met[] = [];
  const unreadable: SessionsPage['unreadable'][number][] = [];
  let here = 0;
  for (const { ref, listed, text, unreadable: why } of index.entries()) {
    here += 1;
    if (why !== undefined) unreadable.push({ sessionId: ref.id, folder: ref.root.folder, message: why });
    if (listed === undefined || text === undefined) continue;
    if (words.length === 0) {
      met.push({ listed, tier: 0 });
      continue;
    }
    const match = matchText(text, words);
    if (match !== undefined) met.push({ listed: { ...listed, why: match.why }, tier: match.tier });
  }
  met.sort((a, b) => comparePlaces(placeOf(a), placeOf(b)));
  const from = after === undefined ? 0 : firstAfter(met, after);
  const shown = met.slice(from, from + limit);
  const last = shown.at(-1);
  const { reading } = index;
  return ok({
    sessions: shown.map(({ listed }) => listed),
    found: met.length,
    here: reading === undefined ? here : reading.of,
    ...(last !== undefined && from + shown.length < met.length && { nextCursor: writePlace(placeOf(last)) }),
    unreadable,
    ...(reading !== undefined && { reading }),
  });
}

/** Where a session stands in the list: how closely it matches, when it was worked on, its id and root. */
type Place = readonly [tier: number, lastAt: string, id: string, folder: string];

const placeOf = ({ listed, tier }: Met): Place => [tier, listed.lastAt, listed.sessionId, listed.folder];

function comparePlaces(a: Place, b: Place): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  if (a[1] !== b[1]) return a[1] < b[1] ? 1 : -1;
  if (a[2] !== b[2]) return a[2] < b[2] ? -1 : 1;
  return a[3] === b[3] ? 0 : a[3] < b[3] ? -1 : 1;
}

function firstAfter(met: readonly Met[], place: Place): number {
  const index = met.findIndex((one) => comparePlaces(placeOf(one), place) > 0);
  return index < 0 ? met.length : index;
}

const writePlace = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function readPlace(cursor: string): Place | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [tier, lastAt, id, folder] = value as readonly unknown[];
  return typeof tier === 'number' && typeof lastAt === 'string' && typeof id === 'string' && typeof folder === 'string' ? [tier, lastAt, id, folder] : undefined;
}
