import { command } from '../../base/sentence.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { PruneAnswer, PruneEntry } from '../../contract/prune-answers.js';
import type { DataRoot } from '../../machine/data-root.js';
import type { Finding } from '../../log/port/finding.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { readGlobalPreferences } from '../../machine/global-preferences.js';
import { holdLeases } from '../../log/looks/hold-leases.js';
import { sessionFolder } from '../../log/segments/session-folder.js';
import { errorCode } from '../../files/fault-reason.js';
import type { SessionRef } from '../../log/store.js';
import { folderSize, forgetSession, lookIntoTrash, marksOf, moveToTrash, sameMarks } from '../../log/carry/trash.js';
import { listedSession } from '../../respond/listed-session.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
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
  /** These alone, however long ago they were worked on. */
  readonly sessions?: readonly string[];
  /** Only these, which somebody has been shown. */
  readonly only?: readonly Pick<PruneEntry, 'sessionId' | 'folder'>[] | undefined;
}

type Spared = PruneAnswer['spared'][number];
type Verdict =
  | { readonly kind: 'young' }
  | { readonly kind: 'old'; readonly entry: PruneEntry }
  | { readonly kind: 'spared'; readonly entry: Spared };

/** Takes away sessions that nobody has worked on for long. They go to the trash of their root, and from there with the next run. */
export async function pruneSessions(env: Environment, asked: PruneAsked): Promise<Result<PruneAnswer, Rejection>> {
  const { now, dryRun, keep = [], sessions = [], only } = asked;
  const configured = readGlobalPreferences(env.roots.config, () => undefined).pruneAfterDays;
  const age = asked.olderThanMs ?? (configured === undefined ? limits.pruneAfterMs : configured * 24 * 60 * 60 * 1000);
  const before = new Date(now.getTime() - age).toISOString();
  const [kept, meant] = [await placesMeant(env, keep), await placesMeant(env, sessions)];
  if (!kept.ok) return kept;
  if (!meant.ok) return meant;
  const roots = env.roots.reading;
  const judging: Judging = {
    before: sessions.length > 0 ? undefined : before,
    quietSince: new Date(now.getTime() - limits.pruneQuietMs).toISOString(),
    kept: kept.value,
    unsound: asked.unsound === true,
  };
  // Whoever takes one session away has said nothing of what lies in the trash.
  const trash = sessions.length > 0 ? [] : roots.map((root) => lookIntoTrash(root, now, !dryRun));
  const pruned: PruneEntry[] = [];
  const spared: Spared[] = [];
  for (const ref of await env.store.list()) {
    if (sessions.length > 0 && !meant.value.has(placeOf(ref))) continue;
    if (only !== undefined && !only.some(({ sessionId, folder }) => sessionId === ref.id && folder === ref.root.folder))
      continue;
    const judge = (): Promise<Verdict> => verdictOn(env, ref, judging);
    const first = await judge();
    const last = first.kind === 'old' && !dryRun ? await takeAway(env, ref, now, judge, first.entry) : first;
    if (last.kind === 'old') pruned.push(last.entry);
    if (last.kind === 'spared') spared.push(last.entry);
  }
  const oldestFirst = (a: PruneEntry, b: PruneEntry): number =>
    a.lastAt === b.lastAt ? 0 : a.lastAt < b.lastAt ? -1 : 1;
  return ok({
    before,
    dryRun,
    pruned: pruned.toSorted(oldestFirst),
    spared: spared.toSorted(oldestFirst),
    trash: {
      sessions: trash.reduce((sum, { sessions }) => sum + sessions, 0),
      bytes: trash.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    inGit: pruned.some(({ folder }) => isInGit(roots, folder)),
  });
}

const placeOf = ({ root, id }: SessionRef): string => `${root.folder}\n${id}`;
const isInGit = (roots: readonly DataRoot[], folder: string): boolean =>
  roots.some((root) => root.folder === folder && root.kind !== 'user') && findGitFolders(folder) !== undefined;

async function placesMeant(
  env: Environment,
  words: readonly string[],
): Promise<Result<ReadonlySet<string>, Rejection>> {
  const places = new Set<string>();
  for (const word of words) {
    const found = await findSession(env, word);
    if (!found.ok) return found;
    places.add(placeOf(found.value));
  }
  return ok(places);
}

interface Judging {
  /** Absent where sessions are named outright. */
  readonly before: string | undefined;
  /** What was worked on since then may be work under way. */
  readonly quietSince: string;
  readonly kept: ReadonlySet<string>;
  readonly unsound: boolean;
}

async function verdictOn(
  env: Environment,
  ref: SessionRef,
  { before, quietSince, kept, unsound }: Judging,
): Promise<Verdict> {
  const { id, root } = ref;
  const bytes = folderSize(sessionFolder(root, id).folder);
  try {
    const { state, findings, eventCount } = await env.store.open(ref).read();
    // Without one readable line nobody knows its age.
    if (before !== undefined && ((eventCount === 0 && findings.length === 0) || state.lastAt >= before))
      return { kind: 'young' };
    const { about, lastAt } = listedSession({
      sessionId: id,
      place: root.kind,
      folder: root.folder,
      session: state,
      eventCount,
      findings,
    });
    const entry: PruneEntry = { sessionId: id, about, place: root.kind, folder: root.folder, lastAt, bytes };
    if (state.keep)
      return { kind: 'spared', entry: { ...entry, why: 'kept', message: 'it is marked to be kept for ever' } };
    if (before !== undefined && state.lastAt >= quietSince)
      return {
        kind: 'spared',
        entry: {
          ...entry,
          why: 'used',
          message: env.words([
            `somebody worked on it within the last ${limits.pruneQuietMs / 60_000} minutes; to take it away all the same, name it: `,
            command('prune', '--session', id),
          ]),
        },
      };
    if (kept.has(placeOf(ref)))
      return { kind: 'spared', entry: { ...entry, why: 'named', message: 'this call names it' } };
    const wrong = findings.find(isUnsound);
    if (wrong !== undefined && !unsound)
      return { kind: 'spared', entry: { ...entry, why: 'unsound', message: findingText(wrong) } };
    return { kind: 'old', entry };
  } catch (cause) {
    const entry: PruneEntry = { sessionId: id, about: id, place: root.kind, folder: root.folder, lastAt: '', bytes };
    return {
      kind: 'spared',
      entry: { ...entry, why: 'failed', message: cause instanceof Error ? cause.message : String(cause) },
    };
  }
}

/** The unfinished end of a write was never part of the session. */
const isUnsound = ({ level }: Finding): boolean => level !== 'torn';

/** Under the lease, and after another look: somebody may have worked on it, or marked it, since it was listed. */
async function takeAway(
  env: Environment,
  ref: SessionRef,
  now: Date,
  judge: () => Promise<Verdict>,
  listed: PruneEntry,
): Promise<Verdict> {
  const { root, id } = ref;
  const at = sessionFolder(root, id);
  const used: Verdict = {
    kind: 'spared',
    entry: { ...listed, why: 'used', message: 'somebody worked on it just now' },
  };
  const log = env.store.open(ref);
  // What this process holds of it would be found gone.
  log.letGo();
  const done = await holdLeases([ref], async (): Promise<Verdict> => {
    const before = marksOf(at);
    const again = await judge();
    if (again.kind !== 'old') return again.kind === 'young' ? used : again;
    try {
      const trashed = moveToTrash(root, id, now, env.randomId());
      // The lease is a courtesy: whoever wrote without it, and was told so, wrote before the move, and is seen here.
      if (!sameMarks(before, marksOf(trashed.at))) {
        trashed.putBack();
        return used;
      }
      forgetSession(root, id);
      trashed.settle();
      return again;
    } catch (cause) {
      const code = errorCode(cause);
      if (code === undefined) throw cause;
      return {
        kind: 'spared',
        entry: { ...again.entry, why: 'failed', message: `it could not be moved to the trash (${code})` },
      };
    }
  });
  log.letGo();
  if (done.ok) return done.value;
  return { kind: 'spared', entry: { ...listed, why: 'used', message: done.error.message } };
}
