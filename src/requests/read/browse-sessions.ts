import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SessionsPage, SessionListed } from '../../contract/session-list.js';
import { matchText, searchedWords } from '../../respond/search-text.js';
import { compareByWork, type ListedEntry, type SessionIndex } from '../world/session-index.js';

export interface BrowseAsked {
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface Met {
  readonly listed: SessionListed;
  readonly tier: number;
  readonly why?: string;
}

/** Sessions page by page, searched while somebody types. A page goes on after the last one shown, whatever has come or moved since. */
export async function browseSessions(
  index: SessionIndex,
  { query = '', limit = limits.listPage, cursor }: BrowseAsked,
): Promise<Result<SessionsPage, Rejection>> {
  const after = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && after === undefined)
    return err({
      code: 'VALIDATION_ERROR',
      message: 'cursor is not one that an answer gave',
      action: 'ask again without it',
    });
  await index.freshen();
  const met = search(index.newestFirst(), searchedWords(query));
  const unreadable = [...index.entries()].flatMap(({ ref, unreadable: why }) =>
    why === undefined ? [] : [{ sessionId: ref.id, folder: ref.root.folder, message: why }],
  );
  const from = after === undefined ? 0 : firstAfter(met, after);
  const shown = met.slice(from, from + limit);
  const last = shown.at(-1);
  const { reading } = index;
  return ok({
    sessions: shown.map(({ listed, why }) => (why === undefined ? listed : { ...listed, why })),
    found: met.length,
    here: reading?.of ?? index.size,
    ...(last !== undefined && from + shown.length < met.length && { nextCursor: writePlace(placeOf(last)) }),
    unreadable,
    ...(reading !== undefined && { reading }),
  });
}

/** The closest matches first, and among those the newest work: the order of the entries is kept within each tier. */
function search(entries: readonly ListedEntry[], words: readonly string[]): readonly Met[] {
  if (words.length === 0) return entries.map(({ listed }) => ({ listed, tier: 0 }));
  const tiers = new Map<number, Met[]>();
  const matching: ListedEntry[] = [];
  for (const entry of amongWhich(entries, words)) {
    const match = matchText(entry.text, words);
    if (match === undefined) continue;
    matching.push(entry);
    const met = { listed: entry.listed, tier: match.tier, why: match.why };
    const same = tiers.get(match.tier);
    if (same === undefined) tiers.set(match.tier, [met]);
    else same.push(met);
  }
  searched.set(entries, { words, matching });
  return [...tiers].toSorted(([a], [b]) => a - b).flatMap(([, same]) => same);
}

/** What was looked for last in a list that has not changed since. */
const searched = new WeakMap<
  readonly ListedEntry[],
  { readonly words: readonly string[]; readonly matching: readonly ListedEntry[] }
>();

/** Who types on can only lose matches: where each word of before stands in one of now, the others need not be read again. */
function amongWhich(entries: readonly ListedEntry[], words: readonly string[]): readonly ListedEntry[] {
  const last = searched.get(entries);
  return last !== undefined && last.words.every((before) => words.some((word) => word.includes(before)))
    ? last.matching
    : entries;
}

/** Where a session stands in the list: how closely it matches, when it was worked on, its id and root. */
type Place = readonly [tier: number, lastAt: string, id: string, folder: string];

const placeOf = ({ listed, tier }: Met): Place => [tier, listed.lastAt, listed.sessionId, listed.folder];

function comparePlaces([tierA, atA, idA, folderA]: Place, [tierB, atB, idB, folderB]: Place): number {
  return (
    tierA - tierB ||
    compareByWork({ lastAt: atA, sessionId: idA, folder: folderA }, { lastAt: atB, sessionId: idB, folder: folderB })
  );
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
  return typeof tier === 'number' && typeof lastAt === 'string' && typeof id === 'string' && typeof folder === 'string'
    ? [tier, lastAt, id, folder]
    : undefined;
}
