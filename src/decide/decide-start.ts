import type { KeyId, NodeId, RunId, WorkflowHash } from '../base/ids.js';
import { hole } from '../base/hole.js';
import { mendSharedState } from '../base/state-seen.js';
import type { JsonObject } from '../base/json-value.js';
import type { Preferences } from '../base/preferences.js';
import type { Rejection, RequestViolation } from '../base/rejection.js';
import { either, field } from '../base/sentence.js';
import { err, ok, type Result } from '../base/result.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { findNext } from '../engine/find-next.js';
import type { Way } from '../engine/way.js';
import type { EventData, Warning } from '../events/event-data.js';
import type { EventDraft } from '../events/event.js';
import type { FoldedSession, Run } from '../sessions/folded-session.js';
import { settledBelow } from '../sessions/settled-below.js';
import { openRunsBeside } from '../sessions/open-runs.js';
import { boldnessWarning, choosePreferences, type RequestedPreferences } from './choose-preferences.js';
import type { IdsFromSeed } from './ids-from-seed.js';
import { shortDigest } from './requested-output.js';
import { misspeltInputs, takeInputs } from './take-inputs.js';
import { GapList, secretWarning, recordWay } from './gap-list.js';
import { seenOf, stateNow, stateReadBy } from './states/state-read.js';

export interface StartRun {
  readonly workflow: CompiledWorkflow;
  readonly hash: WorkflowHash;
  /** Digest of the workflow's source file. */
  readonly source: string;
  readonly context: JsonObject;
  readonly preferences: RequestedPreferences | undefined;
  /** Start another run even where the same one stands untouched. */
  readonly fresh: boolean;
  readonly sessionStart: Omit<EventData<'session_started'>, 'preferences'>;
  readonly globalPreferences: Preferences;
  readonly observation: EventData<'observation'> | undefined;
  /** What the border noticed and this event should keep. */
  readonly noticed: readonly Warning[];
  readonly key: KeyId;
  readonly engine: string;
  readonly draw: IdsFromSeed;
  /** What the user agreed to be sent, before anything was. */
  readonly confirmed?: Omit<EventData<'plan_confirmed'>, 'seal'> & { readonly seal: (run: RunId) => string };
  /** The run that it goes on from. */
  readonly repairs?: RunId;
}

export interface Started {
  readonly node: NodeId;
  readonly events: readonly EventDraft[];
}

/** Decides what starting a workflow adds to a session: nothing where the same start already stands untouched. */
export function decideStart(session: FoldedSession, start: StartRun): Result<Started, Rejection> {
  const { inputs, violations, holes } = takeInputs(start.workflow, start.context);
  const misspelt = misspeltInputs(start.workflow, start.context);
  if (violations.length > 0) return err(wrongInputs(start.workflow, violations, holes, misspelt));
  const preferences = choosePreferences(session.preferences ?? start.globalPreferences, start.preferences);
  const { repairs } = start;
  const request = shortDigest([start.hash, start.context, preferences, ...(repairs === undefined ? [] : [repairs])]);
  const standing = start.fresh ? undefined : (spent(session, start) ?? untouched(session, request));
  if (standing !== undefined) return ok({ node: standing.root, events: [] });
  // Only now: a start that an older program took is answered as it was.
  if (misspelt.violations.length > 0) return err(wrongInputs(start.workflow, [], {}, misspelt));

  const never = preferences.autonomy === 'full_auto_never_stop';
  const now = stateNow(session, start.workflow);
  const facts = { inputs, context: start.context, outputs: {}, lists: {}, controls: {}, ...seenOf(now) };
  const way = findNext(start.workflow, undefined, facts, never ? 'assume' : 'stop');
  const unknown = way.unknown[0];
  if (!never && unknown !== undefined) return err(unknownAtStart(start.workflow, unknown));

  const bolder = boldnessWarning(preferences, start.workflow.recommends);
  const secret = secretWarning(undefined, start.context);
  const warnings: Warning[] = [...start.noticed, ...[secret, bolder].filter((warning) => warning !== undefined)];
  const gaps = new GapList(start.draw);
  const told = recordWay(way, gaps, warnings);
  const node = start.draw.nodeId((id) => session.nodes.has(id));
  const run = start.draw.runId((id) => session.runs.has(id));
  const open = openRunsBeside(session, undefined);
  const started: EventDraft<'run_started'> = {
    kind: 'run_started',
    run,
    node,
    data: {
      workflowId: start.workflow.id,
      workflowHash: start.hash,
      title: start.workflow.title,
      version: start.workflow.version,
      source: start.source,
      inputs,
      context: { ...start.context, ...way.collected.anew },
      preferences,
      request,
      ...(repairs !== undefined && { repairs }),
      ...(open.length > 0 && { openRuns: [...open] }),
      ...told,
      ...stateReadBy(start.workflow, way, now),
      ...(warnings.length > 0 && { warnings }),
      ...(gaps.gaps.length > 0 && { gaps: gaps.gaps }),
      key: start.key,
      engine: start.engine,
    },
  };
  const agreed: readonly EventDraft[] =
    start.confirmed === undefined
      ? []
      : [{ kind: 'plan_confirmed', run, node, data: { ...start.confirmed, seal: start.confirmed.seal(run) } }];
  return ok({ node, events: [...beginSession(session, start), started, ...agreed] });
}

function beginSession(session: FoldedSession, start: StartRun): EventDraft[] {
  const events: EventDraft[] = [];
  if (!session.started)
    events.push({ kind: 'session_started', data: { ...start.sessionStart, preferences: start.globalPreferences } });
  const seen = session.observations.at(-1);
  const { observation } = start;
  if (observation !== undefined && shortDigest(seen ?? null) !== shortDigest(observation))
    events.push({ kind: 'observation', data: observation });
  return events;
}

/** The run that the same agreement began: what was agreed to once is sent once. */
function spent(session: FoldedSession, { confirmed, repairs }: StartRun): Run | undefined {
  if (confirmed === undefined) return undefined;
  const { plan, home } = confirmed;
  return [...session.runs.values()].findLast(
    (run) =>
      run.started.data.repairs === repairs &&
      run.confirmed?.some(({ data }) => data.plan === plan && data.home === home) === true,
  );
}

/** The newest run of the same request in which nothing has been done yet. */
function untouched(session: FoldedSession, request: string): Run | undefined {
  return [...session.runs.values()].findLast((run: Run) => {
    if (run.started.data.request !== request) return false;
    const root = session.nodes.get(run.root);
    if (root === undefined || run.stopped !== undefined) return false;
    const at = settledBelow(session, root);
    // What WorkRail did by itself is no work of anybody's.
    const isOpen = at.pending !== undefined && at.stopped === undefined && at.children.length === 0;
    return isOpen && (at.pending.does !== undefined || at.touched.sum === at.madeBy.sum);
  });
}

function wrongInputs(
  workflow: CompiledWorkflow,
  wrong: readonly RequestViolation[],
  holes: JsonObject,
  misspelt: ReturnType<typeof misspeltInputs>,
): Rejection {
  const meant = new Set(misspelt.again.map(({ at }) => at));
  const violations = [...misspelt.violations, ...wrong.filter(({ path }) => !meant.has(path))];
  const missing = Object.entries(holes).map(([name, to]) => ({ at: `/context/${name}`, to }));
  return {
    code: 'VALIDATION_ERROR',
    message: `${workflow.id} cannot start: ${violations.length === 1 ? 'an input is' : `${violations.length} inputs are`} missing or wrong; nothing was recorded`,
    action: [either('call start_workflow again with these inputs in context', 'start it again with these inputs')],
    again: [...missing, ...misspelt.again],
    violations,
    context: { workflowId: workflow.id },
  };
}

function unknownAtStart(workflow: CompiledWorkflow, unknown: Way['unknown'][number]): Rejection {
  const { key, reads = [] } = unknown;
  return {
    code: 'PRECONDITION_FAILED',
    message: `${workflow.id} cannot start: ${unknown.path}: ${unknown.message}`,
    ...(unknown.isOfState === true
      ? { action: `${mendSharedState(unknown.message)}, then start it again in that session` }
      : key === undefined
        ? reads.length > 0
          ? {
              action: [
                either('call start_workflow', 'start it'),
                ' again with the right type and value of what this step reads',
              ],
              again: reads.map((name) => ({
                at: `/context/${name}`,
                to: hole(`${name}, which ${unknown.path} reads`),
              })),
            }
          : {
              action: 'see what this step reads, and have the workflow mended',
              nextCall: { tool: 'inspect_workflow', arguments: { workflowId: workflow.id, mode: 'preview' } },
            }
        : {
            action: [either('call start_workflow', 'start it'), ' again with ', field(`/context/${key}`), ' set'],
            again: [{ at: `/context/${key}`, to: hole(`${key}, which ${unknown.path} reads`) }],
          }),
    context: { workflowId: workflow.id, path: unknown.path },
  };
}
