import { command } from '../../base/sentence.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { PruneAnswer, PruneEntry } from '../../contract/prune-answers.js';
import { readGlobalPreferences } from '../../machine/global-preferences.js';
import type { Loaded } from '../../log/port/session-log.js';
import { samePlace, type SessionRef } from '../../log/port/session-ref.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { isFinished } from '../../sessions/run-status.js';
import { listedSession } from '../../respond/listed-session.js';
import type { Environment } from '../world/environment.js';
import { placeOf, resolveSessions } from '../world/resolve-sessions.js';
import { pruneClaims } from './prune-claims.js';
import { daysInMs, daysKept } from '../world/days-kept.js';
import { findingText } from '../world/log-rejections.js';

export interface PruneAsked {
  readonly now: Date;
  /** How long ago a session must have been worked on last; what is configured, or 90 days, where nobody says. */
  readonly olderThanMs?: number | undefined;
  readonly dryRun: boolean;
  /** Sessions to leave, beside those that are marked. */
  readonly keep?: readonly string[];
  /** Damaged ones too. */
  readonly unsound?: boolean;
  /** Also what was worked on so lately that the work may be under way. */
  readonly inUse?: boolean;
  /** These alone, whatever their age. */
  readonly sessions?: readonly string[];
  /** Only these, which somebody has been shown. */
  readonly only?: readonly Pick<PruneEntry, 'sessionId' | 'folder'>[] | undefined;
  /**
   * No person is asked: only what is finished, what nobody has looked at for as long, and what no git repository carries,
   * for as long as this says so. What is in the trash stays there.
   */
  readonly byItself?: (() => boolean) | undefined;
}

type Spared = PruneAnswer['spared'][number];
type Verdict =
  | { readonly kind: 'young' }
  | { readonly kind: 'old'; readonly entry: PruneEntry }
  | { readonly kind: 'spared'; readonly entry: Spared };

/** Takes away sessions that nobody has worked on for long. They go to the trash of their root, and from there with the next run. */
export async function pruneSessions(env: Environment, asked: PruneAsked): Promise<Result<PruneAnswer, Rejection>> {
  const { now, dryRun, keep = [], sessions = [], byItself } = asked;
  const age = asked.olderThanMs ?? daysInMs(daysKept(readGlobalPreferences(env.roots.config, () => undefined)));
  const before = new Date(now.getTime() - age).toISOString();
  const [kept, meant] = [await placesMeant(env, keep), await placesMeant(env, sessions)];
  if (!kept.ok) return kept;
  if (!meant.ok) return meant;
  const { care } = env.store;
  const judging: Judging = {
    before: sessions.length > 0 ? undefined : before,
    quietSince: new Date(now.getTime() - limits.pruneQuietMs).toISOString(),
    kept: kept.value,
    unsound: asked.unsound === true,
    // Whoever only says how old has named no session.
    inUse: asked.inUse === true && sessions.length > 0,
    unasked: byItself !== undefined,
    runs: new Map(),
  };
  // Whoever takes one session away has said nothing of what lies in the trash.
  const trash =
    sessions.length > 0 || byItself !== undefined ? { sessions: 0, bytes: 0 } : care.emptyTrash(now, !dryRun);
  const pruned: PruneEntry[] = [];
  const spared: Spared[] = [];
  for (const ref of await sessionsAskedOf(env, asked, meant.value)) {
    if (byItself?.() === false) break;
    const judge = (): Promise<Verdict> => verdictOn(env, ref, judging);
    const first = await judge();
    const last = first.kind === 'old' && !dryRun ? await takeAway(env, ref, now, judge, first.entry) : first;
    if (last.kind === 'old') pruned.push(last.entry);
    if (last.kind === 'spared') spared.push(last.entry);
  }
  if (!dryRun) await pruneClaims(env, { gone: runsOf(pruned, judging), before: judging.before });
  return ok({
    before,
    dryRun,
    pruned: pruned.toSorted(oldestFirst),
    spared: spared.toSorted(oldestFirst),
    trash,
    inGit: isAnyInGit(env, pruned),
  });
}

const runsOf = (pruned: readonly PruneEntry[], { runs }: Judging): ReadonlySet<string> =>
  new Set(pruned.flatMap(({ folder, sessionId }) => runs.get(`${folder}\n${sessionId}`) ?? []));

const isAnyInGit = ({ store }: Environment, pruned: readonly PruneEntry[]): boolean =>
  store.places.some(
    (place) => place.kind !== 'user' && pruned.some(({ folder }) => folder === place.name) && store.care.isInGit(place),
  );

const oldestFirst = (a: Pick<PruneEntry, 'lastAt'>, b: Pick<PruneEntry, 'lastAt'>): number =>
  a.lastAt === b.lastAt ? 0 : a.lastAt < b.lastAt ? -1 : 1;

async function sessionsAskedOf(
  env: Environment,
  { sessions = [], only, byItself }: PruneAsked,
  meant: ReadonlySet<string>,
): Promise<readonly SessionRef[]> {
  const leftToPeople = env.store.places.filter((place) => byItself !== undefined && env.store.care.isInGit(place));
  return (await env.store.list()).filter(
    (ref) =>
      (sessions.length === 0 || meant.has(placeOf(ref))) &&
      (only?.some(({ sessionId, folder }) => sessionId === ref.id && folder === ref.place.name) ?? true) &&
      !leftToPeople.some((place) => samePlace(place, ref.place)),
  );
}

async function placesMeant(
  env: Environment,
  words: readonly string[],
): Promise<Result<ReadonlySet<string>, Rejection>> {
  const meant = words.length === 0 ? ok([]) : await resolveSessions(env, words);
  return meant.ok ? ok(new Set(meant.value.map(placeOf))) : meant;
}

interface Judging {
  /** Absent where sessions are named outright. */
  readonly before: string | undefined;
  /** What was worked on since then may be work under way. */
  readonly quietSince: string;
  readonly kept: ReadonlySet<string>;
  readonly unsound: boolean;
  readonly inUse: boolean;
  readonly unasked: boolean;
  /** Of sessions that were looked at, by their folders and ids. */
  readonly runs: Map<string, readonly string[]>;
}

async function verdictOn(
  env: Environment,
  ref: SessionRef,
  { before, quietSince, kept, unsound, inUse, unasked, runs }: Judging,
): Promise<Verdict> {
  const { id, place } = ref;
  const bytes = env.store.care.size(ref);
  const at = { sessionId: id, place: place.kind, folder: place.name, bytes };
  const judge = (loaded: Loaded<FoldedSession>): Verdict => {
    const { state, findings, eventCount } = loaded;
    runs.set(placeOf(ref), [...state.runs.keys()]);
    // Without one readable line nobody knows its age.
    if (before !== undefined && ((eventCount === 0 && findings.length === 0) || state.lastAt >= before))
      return { kind: 'young' };
    if (unasked && (!isFinished(state) || seenSince(env, ref, before))) return { kind: 'young' };
    const { about, lastAt } = listedSession(ref, loaded);
    const entry: PruneEntry = { ...at, about, lastAt };
    if (state.keep) return spared(entry, 'kept', 'it is marked as never pruned');
    if (!inUse && state.lastAt >= quietSince) {
      const quiet = `someone worked on it in the last ${limits.pruneQuietMs / 60_000} minutes and may continue`;
      const anyway = [`${quiet}; to prune it anyway: `, command('prune', '--session', id, '--in-use')];
      return spared(entry, 'used', env.words(anyway));
    }
    if (kept.has(placeOf(ref))) return spared(entry, 'named', 'you chose to keep it');
    // The unfinished end of a write was never part of the session.
    const wrong = findings.find(({ level }) => level !== 'torn');
    return wrong === undefined || unsound ? { kind: 'old', entry } : spared(entry, 'unsound', findingText(wrong));
  };
  try {
    return await env.store.open(ref).read(judge);
  } catch (cause) {
    return spared({ ...at, about: id, lastAt: '' }, 'failed', cause instanceof Error ? cause.message : String(cause));
  }
}

const seenSince = (env: Environment, ref: SessionRef, moment = ''): boolean =>
  (env.store.retention.lookedAt(ref) ?? -Infinity) >= Date.parse(moment);

const spared = (entry: PruneEntry, why: Spared['why'], message: string): Verdict => ({
  kind: 'spared',
  entry: { ...entry, why, message },
});

/** Under the lease, and after another look: somebody may have worked on it, or marked it, since it was listed. */
async function takeAway(
  env: Environment,
  ref: SessionRef,
  now: Date,
  judge: () => Promise<Verdict>,
  listed: PruneEntry,
): Promise<Verdict> {
  const taken = await env.store.care.takeAway(ref, now, judge, ({ kind }) => kind === 'old');
  switch (taken.kind) {
    case 'gone':
      // Where somebody brings it back it is left to them for as long again.
      env.store.retention.noteLook(ref);
      return taken.verdict;
    case 'spared':
      return taken.verdict.kind === 'young'
        ? spared(listed, 'used', 'someone is working on it right now')
        : taken.verdict;
    case 'used':
      return spared(listed, 'used', 'someone is working on it right now');
    case 'busy':
      return spared(listed, 'used', taken.message);
    case 'failed':
      return spared(listed, 'failed', `it could not be moved to the trash (${taken.code})`);
  }
}
