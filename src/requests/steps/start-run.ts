import { assert } from '../../base/assert.js';
import type { Lasting } from '../../base/in-place.js';
import type { RunId } from '../../base/ids.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, type Result } from '../../base/result.js';
import { decideStart, type Started, type StartRun } from '../../decide/decide-start.js';
import type { RequestedPreferences } from '../../decide/choose-preferences.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { Warning } from '../../events/event-data.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import type { SessionLog } from '../../log/port/session-log.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { drive, type Outcome, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { whyNotReady } from '../commands/why-not-ready.js';
import { targetSession } from './target-session.js';

export interface RunToStart {
  readonly entry: LibraryEntry;
  readonly workflow: CompiledWorkflow;
  /** Broken files of the same id that would come before it. */
  readonly passedOver: readonly LibraryEntry[];
  readonly context: JsonObject;
  readonly preferences: RequestedPreferences;
  /** The workstream that it belongs to; a new one where nothing is said. */
  readonly session: string | undefined;
  readonly fresh: boolean;
  /** What the user agreed to beforehand, and where that counts. */
  readonly confirmed?: (log: SessionLog<FoldedSession>) => StartRun['confirmed'];
  readonly repairs?: RunId | undefined;
}

export interface RunStarted {
  readonly log: SessionLog<FoldedSession>;
  readonly session: FoldedSession;
  readonly node: RunNode;
  /** As the run is pinned to it. */
  readonly workflow: CompiledWorkflow;
}

/** Begins a run, or finds the one that the same call began before, and answers from there. */
export async function startRun<A>(
  env: Environment,
  start: RunToStart,
  answer: (started: RunStarted) => Outcome<A>,
): Promise<Result<Lasting<A>, Rejection>> {
  const { pin, workflow } = env.pinned.pinned(start.workflow);
  const unready = whyNotReady(env, workflow, start.context);
  if (unready !== undefined) return err(unready);
  const target = await targetSession(env, start.session);
  if (!target.ok) return target;
  const { log, key, observation } = target.value;
  const draw = env.draw();
  const confirmed = start.confirmed?.(log);
  const begun = turn<Result<Started, Rejection>, A>(
    ({ state }) => {
      const decided = decideStart(state, {
        workflow,
        hash: pin.hash,
        source: start.entry.sourceDigest,
        context: start.context,
        preferences: start.preferences,
        fresh: start.fresh,
        sessionStart: { ...(key !== undefined && { key }), producer: `workrail ${env.version}` },
        globalPreferences: env.globalPreferences(),
        observation,
        noticed: noticedAtStart(env, start),
        ...(confirmed !== undefined && { confirmed }),
        ...(start.repairs !== undefined && { repairs: start.repairs }),
        key: env.keys.current().id,
        engine: env.version,
        draw,
      });
      return decided.ok ? { answer: decided, events: decided.value.events, pins: [pin] } : { answer: decided };
    },
    ({ state: session }, decided) => {
      if (!decided.ok) return { done: decided };
      const node = session.nodes.get(decided.value.node);
      assert(node?.madeBy.kind === 'run_started', 'a start that is recorded is in the fold');
      return answer({ log, session, node, workflow });
    },
  );
  return drive(log, begun, key === undefined ? 'start' : 'keyed');
}

function noticedAtStart(env: Environment, { entry, passedOver }: RunToStart): readonly Warning[] {
  const noticed: Warning[] = passedOver.map(({ file, violations }) => ({
    code: 'BROKEN_FILE_PASSED_OVER',
    message: `${file} also defines ${entry.id} and would take precedence, but it has ${violations.length} violation${violations.length === 1 ? '' : 's'}, so ${entry.file} was started; list_workflows lists them`,
  }));
  if (entry.idStatus === 'legacy') {
    noticed.push({
      code: 'LEGACY_ID',
      message: `the id ${entry.id} has no namespace${entry.suggestedId === undefined ? '' : `; better ${entry.suggestedId}`}`,
    });
  }
  if (!env.keys.saved)
    noticed.push({
      code: 'KEY_NOT_SAVED',
      message: 'the signing key could not be written to disk: tokens expire with this process, the work does not',
    });
  return noticed;
}
