import { command, type Sentence } from '../../base/sentence.js';
import { limits } from '../../base/limits.js';
import { plural } from '../../base/plural.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { PruneEntry } from '../../contract/prune-answers.js';
import type { RetentionAnswer, RetentionKept } from '../../contract/retention-answers.js';
import type { Place } from '../../log/port/session-ref.js';
import { changeRetention, globalPreferencesFile, readGlobalPreferences } from '../../machine/global-preferences.js';
import type { Environment } from '../world/environment.js';
import { pruneSessions } from './prune-sessions.js';
import { daysInMs, daysKept } from '../world/days-kept.js';
import { keptRetention, toldRetention } from './retention-told.js';

export interface RetentionAsked {
  readonly now: Date;
  readonly afterDays?: number | undefined;
  readonly acts?: boolean | undefined;
}

/** Shows or changes how long finished sessions stay, and whether servers see to it by themselves. */
export async function retention(
  env: Environment,
  { now, afterDays, acts }: RetentionAsked,
): Promise<Result<RetentionAnswer, Rejection>> {
  const before = readGlobalPreferences(env.roots.config, () => undefined);
  const asked = {
    ...(afterDays !== undefined && afterDays !== daysKept(before) && { pruneAfterDays: afterDays }),
    ...(acts !== undefined && acts !== (before.pruneByItself ?? false) && { pruneByItself: acts }),
  };
  const changed = Object.keys(asked).length > 0;
  const after = changed ? changeRetention(env.roots.config, asked, env.randomId()) : ok(before);
  if (!after.ok) {
    const file = globalPreferencesFile(env.roots.config);
    return err({
      code: 'PRECONDITION_FAILED',
      message: after.error,
      action: `fix ${file}, then try again`,
      context: { file },
    });
  }
  const plan = await pruneSessions(env, { now, dryRun: true, byItself: () => true });
  return plan.ok ? ok({ ...toldRetention(env, after.value), changed, due: plan.value.pruned }) : plan;
}

/**
 * Takes to the trash what is due, once a day for each data root, where the user's configuration says so. It ends early
 * once `goOn` says no; the next quiet moment goes on from there.
 */
export async function applyRetention(
  env: Environment,
  now: Date,
  goOn: () => boolean,
  log: (line: string) => void,
): Promise<void> {
  const config = readGlobalPreferences(env.roots.config, () => undefined);
  if (config.pruneByItself !== true || env.refusal() !== undefined) return;
  const places = env.store.places.filter((place) => isDue(keptRetention(env, place), now));
  if (places.length === 0) return;
  const afterDays = daysKept(config);
  const before = new Date(now.getTime() - daysInMs(afterDays)).toISOString();
  // Only what the register already knows to be old and done is read; the verdict is made on what is read.
  const only = (await env.register.look(false)).flatMap(({ ref, listed }) =>
    places.some(({ name }) => name === ref.place.name) && listed?.run?.status === 'complete' && listed.lastAt < before
      ? [{ sessionId: ref.id, folder: ref.place.name }]
      : [],
  );
  const done = await pruneSessions(env, {
    now,
    olderThanMs: daysInMs(afterDays),
    dryRun: false,
    only,
    byItself: goOn,
  });
  if (!done.ok) return log(`retention: ${done.error.message}`);
  const checked = goOn();
  for (const place of places) {
    const moved = done.value.pruned.filter(({ folder }) => folder === place.name);
    if (checked || moved.length > 0) keep(env, place, { now, afterDays, checked, moved });
  }
  if (done.value.pruned.length > 0) log(env.words(trace(done.value.pruned, afterDays)));
}

/** Also where the clock was put back. */
function isDue({ checkedAt }: RetentionKept, now: Date): boolean {
  if (checkedAt === undefined) return true;
  const since = now.getTime() - Date.parse(checkedAt);
  return !(since >= 0 && since < limits.retentionEveryMs);
}

interface Done {
  readonly now: Date;
  readonly afterDays: number;
  readonly checked: boolean;
  readonly moved: readonly PruneEntry[];
}

function keep(env: Environment, place: Place, { now, afterDays, checked, moved }: Done): void {
  // What another server has written meanwhile stays.
  const { checkedAt, runs } = keptRetention(env, place);
  const at = now.toISOString();
  const named = moved.slice(0, limits.retentionNamesTold).map(({ sessionId, about }) => ({ sessionId, about }));
  const run = { at, afterDays, moved: named, more: moved.length - named.length };
  const kept: RetentionKept = {
    ...(checked ? { checkedAt: at } : checkedAt !== undefined && { checkedAt }),
    runs: moved.length === 0 ? runs : [run, ...runs].slice(0, limits.retentionRunsTold),
  };
  env.store.retention.tell(place, Buffer.from(`${JSON.stringify(kept)}\n`));
}

function trace(pruned: readonly PruneEntry[], afterDays: number): Sentence {
  const names = pruned.slice(0, limits.blockers).map(({ sessionId }) => sessionId);
  const more = pruned.length - names.length;
  return [
    `retention: moved ${plural(pruned.length, 'session')} to the trash, finished and not viewed for ${plural(afterDays, 'day')}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}; for details: `,
    command('retention'),
  ];
}
