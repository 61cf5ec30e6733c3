import type { SessionId, WorkflowHash } from '../../base/ids.js';
import { modeWords } from '../../base/mode-words.js';
import { modeNames, modes, type Preferences, samePreferences } from '../../base/preferences.js';
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
import { beginningMissing } from '../world/log-rejections.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { nodeIn } from '../world/session-state.js';
import { command } from '../../base/sentence.js';
import { drive, turn } from '../world/drive.js';

export interface PreferencesRequest {
  readonly session?: string | undefined;
  /** Those that all new sessions begin with, in place of a session's. */
  readonly global: boolean;
  /** Of a session: the step that waits there and what follows it, and nothing else. */
  readonly node?: string | undefined;
  /** Nothing: they are only shown. */
  readonly asked?: PreferencesAsked | undefined;
}

/** Shows or changes how the work is to be done: in a session from here on, or wherever something new begins. */
export async function changePreferences(
  env: Environment,
  request: PreferencesRequest,
): Promise<Result<PreferencesTold, Rejection>> {
  const { session, global, node, asked } = request;
  if (global) return globally(env, asked);
  const found = await findSession(env, session);
  // Without any session there is still what the first one will begin with.
  if (!found.ok) return session === undefined && asked === undefined ? ok(standing(env)) : found;
  const log = env.store.open(found.value);
  const changed = asked === undefined ? ok([]) : await inSession(env, log, { asked, node });
  if (!changed.ok) return changed;
  const begun = standing(env);
  const told = await log.read(({ state, findings }): Result<StandingTold, Rejection> => {
    if (!state.started) return err(beginningMissing(log.id, findings));
    const about = { sessionId: log.id, preferences: state.preferences ?? begun.global };
    const target = targetOf(log.id, state, node);
    if (!target.ok) return target;
    const tip = target.value;
    const run = tip && state.runs.get(tip.run);
    if (tip?.pending === undefined || run === undefined) return ok({ session: about });
    const { workflowId, title } = run.started.data;
    const { preferences, pending } = tip;
    return ok({
      session: { ...about, run: { runId: run.id, workflowId, title, step: pending.title, preferences } },
      hash: run.workflowHash,
    });
  });
  if (!told.ok) return told;
  const { session: about, hash } = told.value;
  const pinned = hash !== undefined && changed.value.includes('run') ? await env.pinned.of(log, hash) : undefined;
  const warning =
    pinned?.ok === true && about.run !== undefined
      ? boldnessWarning(about.run.preferences, pinned.value.recommends)
      : undefined;
  return ok({
    ...begun,
    session: about,
    changed: changed.value,
    warnings: warning === undefined ? [] : [warning],
  });
}

interface StandingTold {
  readonly session: NonNullable<PreferencesTold['session']>;
  readonly hash?: WorkflowHash;
}

function globally(env: Environment, asked: PreferencesAsked | undefined): Result<PreferencesTold, Rejection> {
  const before = standing(env);
  if (asked === undefined) return ok(before);
  const written = changeGlobalPreferences(env.roots.config, asked, env.randomId());
  if (!written.ok)
    return err({
      code: 'PRECONDITION_FAILED',
      message: written.error,
      action: `fix ${before.file}, then try again`,
      context: { file: before.file },
    });
  const after = shown(env, written.value);
  return ok({ ...after, changed: samePreferences(before.global, after.global) ? [] : ['global'] });
}

const standing = (env: Environment): PreferencesTold =>
  shown(
    env,
    readGlobalPreferences(env.roots.config, () => undefined),
  );

function shown(env: Environment, { mode, preferences }: GlobalPreferences): PreferencesTold {
  return {
    global: choosePreferences(modes[mode ?? 'guided'], preferences),
    file: globalPreferencesFile(env.roots.config),
    modes: modeNames.map((name) => ({ name, ...modeWords[name], preferences: modes[name] })),
    changed: [],
    warnings: [],
  };
}

/** Where a run of the session can still be gone on with. */
function openTip(id: SessionId, state: FoldedSession): RunNode | undefined {
  const tip = newestTip(id, state);
  return tip?.pending !== undefined && tip.children.length === 0 ? tip : undefined;
}

/** The step that is meant: the one that is named, as long as nobody has done it, else where the work stands. */
function targetOf(
  id: SessionId,
  state: FoldedSession,
  wanted: string | undefined,
): Result<RunNode | undefined, Rejection> {
  if (wanted === undefined) return ok(openTip(id, state));
  const node = nodeIn(id, state, wanted);
  if (!node.ok || (node.value.pending !== undefined && node.value.children.length === 0)) return node;
  return err({
    code: 'PRECONDITION_FAILED',
    message: `${node.value.pending === undefined ? 'the run is complete there' : `“${node.value.pending.title}” is done already`}, so a mode there has no effect`,
    action: ['see which step waits: ', command('show', id)],
    context: { sessionId: id, node: node.value.id },
  });
}

type Changed = readonly ('session' | 'run')[];

/** New runs begin with it, and the open one goes on with it: both in one append. For one step it is that step alone. */
async function inSession(
  env: Environment,
  log: SessionLog<FoldedSession>,
  { asked, node }: { readonly asked: PreferencesAsked; readonly node: string | undefined },
): Promise<Result<Changed, Rejection>> {
  const changing = turn<Result<Changed, Rejection>, Changed>(
    ({ state, findings }) => {
      if (!state.started) return { answer: err(beginningMissing(log.id, findings)) };
      const target = targetOf(log.id, state, node);
      if (!target.ok) return { answer: target };
      const tip = target.value;
      const events: EventDraft[] = [];
      const changed: ('session' | 'run')[] = [];
      const change = (what: 'session' | 'run', standing: Preferences, at?: RunNode): void => {
        const preferences = choosePreferences(standing, asked);
        if (samePreferences(preferences, standing)) return;
        changed.push(what);
        events.push({
          kind: 'preferences_changed',
          ...(at !== undefined && { run: at.run, node: at.id }),
          who: env.caller ?? { door: 'page' },
          data: { preferences },
        });
      };
      if (state.preferences !== undefined && node === undefined) change('session', state.preferences);
      if (tip !== undefined) change('run', tip.preferences, tip);
      return { answer: ok(changed), events };
    },
    (_, done) => ({ done }),
  );
  return drive(log, changing, 'keyed');
}
