import { assert } from '../../base/assert.js';
import type { commandSources } from '../../base/closed-sets.js';
import type { KeyId } from '../../base/ids.js';
import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { patched } from '../../base/patched.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { findNext } from '../../engine/find-next.js';
import type { EventData, Gap, Warning } from '../../events/event-data.js';
import type { EventDraft } from '../../events/event.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { openGapsAt } from '../../sessions/gaps.js';
import { cameBack } from '../../sessions/came-back.js';
import { recordsAt } from '../../sessions/records.js';
import { roundsWith } from '../../sessions/rounds-done.js';
import { atEnd } from '../at-end.js';
import { changedBytes, recordedChange, withCollected } from '../context-change.js';
import { GapList, recordWay, toldOnce } from '../gap-list.js';
import type { IdsFromSeed } from '../ids-from-seed.js';
import { knownInRound } from '../known-in-round.js';
import { seenOf, stateReadBy } from '../states/state-read.js';
import { putByCommand } from './put-by-command.js';
import { broughtDigest } from '../requested-output.js';

/** What a step that WorkRail does goes on with. */
export interface Going {
  readonly workflow: CompiledWorkflow;
  readonly key: KeyId;
  readonly engine: string;
  readonly draw: IdsFromSeed;
}

export type Done = EventData<'command_done'>;
export type CommandSource = (typeof commandSources)[number];

/** Nobody is asked: whatever is unknown is assumed and told. */
export const asksNobody = ({ preferences }: RunNode): boolean => preferences.autonomy === 'full_auto_never_stop';

/** What a try came to, and with it the step that follows, or the end of the branch. */
export function recordDone(
  session: FoldedSession,
  node: RunNode,
  going: Going,
  done: Done,
  { source = 'sent', gaps = [] }: { readonly source?: CommandSource; readonly gaps?: readonly Omit<Gap, 'id'>[] } = {},
): readonly EventDraft[] {
  const record: EventDraft = { kind: 'command_done', run: node.run, node: node.id, data: done };
  switch (done.then) {
    case 'again':
    case 'ask':
      return [record];
    case 'stop': {
      const { code = 'COMMAND_FAILED', message = '' } = done.error ?? {};
      return [record, runStopped(node, { status: 'failed', code, message, call: done.call })];
    }
    case 'done':
      return [record, ...advanced(session, node, going, { done, source, gaps })];
  }
}

export const runStopped = (node: RunNode, data: EventData<'run_stopped'>): EventDraft => ({
  kind: 'run_stopped',
  run: node.run,
  node: node.id,
  data,
});

function advanced(
  session: FoldedSession,
  node: RunNode,
  { workflow, draw, key, engine }: Going,
  {
    done,
    source,
    gaps: disclosed,
  }: { readonly done: Done; readonly source: CommandSource; readonly gaps: readonly Omit<Gap, 'id'>[] },
): readonly EventDraft[] {
  const { pending } = node;
  const run = session.runs.get(node.run);
  assert(pending !== undefined && run !== undefined, 'a command is pending in a run');
  const left: JsonObject = { [pending.id]: cameBack(done) };
  const records = recordsAt(session, node);
  const change = { set: {}, added: {} };
  const stopped = (code: string, message: string): readonly EventDraft[] => [
    runStopped(node, { status: 'failed', code, message, call: done.call }),
  ];
  const never = asksNobody(node);
  const facts = {
    ...records,
    inputs: run.started.data.inputs,
    rounds: roundsWith(session, node, { path: pending.path, notes: undefined }),
    outputs: patched(records.outputs, left),
  };
  const child = draw.nodeId((id) => session.nodes.has(id));
  const put = putByCommand(session, node, { workflow, facts, child, left: cameBack(done) });
  if (!put.ok) return stopped(put.error.code, put.error.message);
  const { now } = put.value;
  const way = findNext(
    workflow,
    { ...pending, ofRound: (frames) => knownInRound(session, node, workflow, frames, { change, done: left }) },
    { ...facts, ...seenOf(now) },
    never ? 'assume' : 'stop',
  );
  const [unknown] = never ? [] : way.unknown;
  if (unknown !== undefined) return stopped('PRECONDITION_FAILED', `${unknown.path}: ${unknown.message}`);
  const all = withCollected(change, way.collected);
  const bytes = changedBytes(node.contextBytes, records.context, all);
  if (bytes > limits.context)
    return stopped(
      'LIMIT_EXCEEDED',
      `the context would take ${bytes} bytes with what a loop collects, but the limit is ${limits.context}`,
    );
  const gaps = new GapList(draw);
  const warnings: Warning[] = [];
  for (const gap of [...disclosed, ...put.value.gaps]) {
    gaps.add(gap);
    warnings.push({ code: 'GAP_RECORDED', message: gap.detail });
  }
  const toldWay = recordWay(
    toldOnce(way, () => openGapsAt(session, node)),
    gaps,
    warnings,
  );
  const data: EventData<'step_acked'> = {
    parent: node.id,
    attempt: draw.attemptId(),
    step: pending.title,
    brought: broughtDigest({}),
    command: { call: done.call, source },
    ...recordedChange(all),
    ...(way.ended.length > 0 && { rounds: [...way.ended] }),
    ...(key !== node.terms.key && { key }),
    ...(engine !== node.terms.engine && { engine }),
    ...toldWay,
    ...stateReadBy(workflow, way, now),
    ...(warnings.length > 0 && { warnings }),
    ...(gaps.gaps.length > 0 && { gaps: gaps.gaps }),
    ...(toldWay.next === undefined && atEnd(session, node, gaps)),
  };
  return [...put.value.events, { kind: 'step_acked', run: node.run, node: child, data }];
}
