import type { NodeId } from '../../base/ids.js';
import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../../definitions/compiled/place.js';
import { type Facts, scopeAt } from '../../definitions/expression/scope-at.js';
import type { EventData, Gap } from '../../events/event-data.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { decidePuts, outputOf, type PutsDone } from '../states/decide-puts.js';
import { seenOf, stateNow } from '../states/state-read.js';

interface CommandPuts {
  readonly workflow: CompiledWorkflow;
  readonly facts: Omit<Facts, 'controls'>;
  readonly child: NodeId;
  /** What the command has left. */
  readonly left: JsonObject;
}

/**
 * What a command puts into the shared state. It was sent by then, so nobody can hand in something else: where the state
 * does not take it the run ends, or goes on with a gap if the step goes on after errors, or nobody is to be asked.
 */
export function putByCommand(
  session: FoldedSession,
  node: RunNode,
  { workflow, facts, child, left }: CommandPuts,
): Result<
  PutsDone & { readonly gaps: readonly Omit<Gap, 'id'>[] },
  Pick<EventData<'run_stopped'>, 'code' | 'message'>
> {
  const { pending, preferences } = node;
  const step = placesOf(workflow).get(pending?.id ?? '')?.step;
  const now = stateNow(session, workflow);
  const { puts = [], onError } = step?.kind === 'run' ? step : {};
  const { names, ...scope } = scopeAt(workflow, { ...facts, ...seenOf(now) }, pending?.frames ?? []);
  const known = { ...scope, names: { ...names, output: outputOf(left) }, meter: { left: limits.stepWork } };
  const put = decidePuts(session, now, { puts, scope: known, node, child }, undefined);
  if (put.ok) return ok({ ...put.value, gaps: [] });
  const [first] = put.error;
  const detail = `${pending?.path ?? ''}: nothing was put into the shared state: ${put.error.map(({ message }) => message).join('; ')}`;
  if (onError !== 'continue' && preferences.autonomy !== 'full_auto_never_stop')
    return err({ code: first?.code ?? 'PRECONDITION_FAILED', message: detail });
  const gap = { category: 'contract_violation', reason: 'state_not_written', detail, severity: 'critical' } as const;
  return ok({ events: [], now, gaps: [gap] });
}
