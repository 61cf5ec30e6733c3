import type { SessionId, WorkflowHash } from '../../base/ids.js';
import { modes, type Preferences, samePreferences } from '../../base/preferences.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { PreferencesAsked, PreferencesTold } from '../../contract/people-answers.js';
import { boldnessWarning, choosePreferences } from '../../decide/choose-preferences.js';
import type { EventDraft } from '../../events/event.js';
import {
  changeGlobalPreferences,
  type GlobalPreferences,
  globalPreferencesFile,
  readGlobalPreferences,
} from '../../machine/global-preferences.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { newestTip } from '../../sessions/newest-tip.js';
import { beginningMissing } from '../steps/beginning-missing.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { drive, turn } from '../world/drive.js';

export interface PreferencesRequest {
  readonly session?: string | undefined;
  /** Those that all new sessions begin with, in place of a session's. */
  readonly global: boolean;
  /** Nothing: they are only shown. */
  readonly asked?: PreferencesAsked | undefined;
}

/** Shows or changes how the work is to be done: in a session from here on, or wherever something new begins. */
export async function changePreferences(
  env: Environment,
  request: PreferencesRequest,
): Promise<Result<PreferencesTold, Rejection>> {
  const { session, global, asked } = request;
  if (global) return globally(env, asked);
  const found = await findSession(env, session);
  // Without any session there is still what the first one will begin with.
  if (!found.ok)
    return session === undefined && asked === undefined
      ? ok(
          shown(
            env,
            readGlobalPreferences(env.roots.config, () => undefined),
          ),
        )
      : found;
  const log = env.store.open(found.value);
  const changed = asked === undefined ? ok([]) : await inSession(log, asked);
  if (!changed.ok) return changed;
  const standing = shown(
    env,
    readGlobalPreferences(env.roots.config, () => undefined),
  );
  const told = await log.read(({ state, findings }): Result<StandingTold, Rejection> => {
    if (!state.started) return err(beginningMissing(log.id, findings));
    const tip = openTip(log.id, state);
    const run = tip && state.runs.get(tip.run);
    return ok({
      sessionId: log.id,
      preferences: state.preferences ?? standing.global,
      ...(tip !== undefined &&
        run !== undefined && {
          run: {
            runId: run.id,
            workflowId: run.started.data.workflowId,
            title: run.started.data.title,
            preferences: tip.preferences,
            hash: run.workflowHash,
          },
        }),
    });
  });
  if (!told.ok) return told;
  const { run, ...about } = told.value;
  if (run === undefined) return ok({ ...standing, session: about, changed: changed.value, warnings: [] });
  const { hash, ...aboutRun } = run;
  const pinned = changed.value.includes('run') ? await env.pinned.of(log, hash) : undefined;
  const warning = pinned?.ok === true ? boldnessWarning(run.preferences, pinned.value.recommends) : undefined;
  return ok({
    ...standing,
    session: { ...about, run: aboutRun },
    changed: changed.value,
    warnings: warning === undefined ? [] : [warning],
  });
}

type SessionTold = NonNullable<PreferencesTold['session']>;
type StandingTold = Omit<SessionTold, 'run'> & {
  readonly run?: NonNullable<SessionTold['run']> & { readonly hash: WorkflowHash };
};

function globally(env: Environment, asked: PreferencesAsked | undefined): Result<PreferencesTold, Rejection> {
  const before = shown(
    env,
    readGlobalPreferences(env.roots.config, () => undefined),
  );
  if (asked === undefined) return ok(before);
  const written = changeGlobalPreferences(env.roots.config, asked, env.randomId());
  if (!written.ok)
    return err({
      code: 'PRECONDITION_FAILED',
      message: written.error,
      action: `put ${before.file} right, then ask again`,
      context: { file: before.file },
    });
  const after = shown(env, written.value);
  return ok({ ...after, changed: samePreferences(before.global, after.global) ? [] : ['global'] });
}

function shown(env: Environment, { mode, preferences }: GlobalPreferences): PreferencesTold {
  return {
    global: choosePreferences(modes[mode ?? 'guided'], preferences),
    file: globalPreferencesFile(env.roots.config),
    changed: [],
    warnings: [],
  };
}

/** Where a run of the session can still be gone on with. */
function openTip(id: SessionId, state: FoldedSession): RunNode | undefined {
  const tip = newestTip(id, state);
  return tip?.pending !== undefined && tip.children.length === 0 ? tip : undefined;
}

type Changed = readonly ('session' | 'run')[];

/** New runs begin with it, and the open one goes on with it: both in one append. */
async function inSession(log: SessionLog<FoldedSession>, asked: PreferencesAsked): Promise<Result<Changed, Rejection>> {
  const changing = turn<Result<Changed, Rejection>, Changed>(
    ({ state, findings }) => {
      if (!state.started) return { answer: err(beginningMissing(log.id, findings)) };
      const events: EventDraft[] = [];
      const changed: ('session' | 'run')[] = [];
      const change = (what: 'session' | 'run', standing: Preferences, node?: RunNode): void => {
        const preferences = choosePreferences(standing, asked);
        if (samePreferences(preferences, standing)) return;
        changed.push(what);
        events.push({
          kind: 'preferences_changed',
          ...(node !== undefined && { run: node.run, node: node.id }),
          data: { preferences },
        });
      };
      if (state.preferences !== undefined) change('session', state.preferences);
      const tip = openTip(log.id, state);
      if (tip !== undefined) change('run', tip.preferences, tip);
      return { answer: ok(changed), events };
    },
    (_, done) => ({ done }),
  );
  return drive(log, changing, 'keyed');
}
