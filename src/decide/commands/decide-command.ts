import { limits } from '../../base/limits.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../../definitions/compiled/place.js';
import { evaluateCondition } from '../../definitions/expression/expression.js';
import { renderTemplate, templateParts } from '../../definitions/expression/template.js';
import type { JsonValue } from '../../base/json-value.js';
import type { EventData } from '../../events/event-data.js';
import { commandStanding, sentElsewhere } from '../../sessions/command-standing.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { hasEffect } from '../../sessions/sent-below.js';
import { shortDigest } from '../requested-output.js';
import { asks } from './asks.js';
import { type CommandToSend, commandAt, scopeOf } from './command-at.js';
import type { CommandDecision, CommandHere } from './command-decision.js';
import { decideRefused, decideReused, decideUnknown, sentAlike } from './decide-unknown.js';
import { runStopped } from './go-on.js';
import { plannedWrites, tellRequest } from './tell-request.js';
import { type ValueSource, valueSource } from './value-source.js';

const settled: CommandDecision = { kind: 'settled' };

/** What WorkRail does next at a node. */
export function decideCommand(session: FoldedSession, node: RunNode, here: CommandHere): CommandDecision {
  const { pending } = node;
  const isOver = node.stopped !== undefined || session.runs.get(node.run)?.stopped !== undefined;
  if (pending?.does === undefined || isOver || node.children.length > 0) return settled;
  const { workflow } = here;
  const step = placesOf(workflow).get(pending.id)?.step;
  if (step?.kind === 'fail') {
    const message = renderTemplate(step.message, scopeOf(session, node, workflow)).text;
    return stops(node, { status: 'failed', code: 'RUN_FAILED', message });
  }
  const command = commandAt(session, node, workflow, here);
  if (!command.ok) return stops(node, { status: 'failed', code: 'PRECONDITION_FAILED', message: command.error });
  const waitMs = waitsFor(node, command.value, here);
  return command.value.writes
    ? decideWrite(session, node, command.value, here, waitMs)
    : { kind: 'send', command: command.value, waitMs };
}

const stops = (node: RunNode, data: EventData<'run_stopped'>): CommandDecision => ({
  kind: 'settled',
  events: [runStopped(node, data)],
});

/** How long a further try is still to wait, whatever the clock did meanwhile. */
function waitsFor(node: RunNode, { step }: CommandToSend, { now, timeOf }: CommandHere): number {
  const last = node.tries?.at(-1);
  if (last?.data.then !== 'again') return 0;
  const wait = last.data.waitMs ?? step.everyMs ?? limits.commandPauseMs;
  return Math.max(0, Math.min(wait, timeOf(last.at) + wait - now));
}

function decideWrite(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  waitMs: number,
): CommandDecision {
  const { unknown, last, tries } = commandStanding(node);
  const send: CommandDecision = { kind: 'send', command, waitMs };
  // What nobody agreed to is told with the try that comes through, whichever that is.
  const sendAgain = (): CommandDecision => {
    const asked = confirmed(session, node, command, here, undefined);
    return asked?.kind === 'send' ? { ...asked, waitMs } : send;
  };
  const before = node.intents?.at(-1)?.data;
  const isSame = before?.digest === command.digest && before.home === here.home;
  if (unknown !== undefined) {
    if (isSame && command.repeat !== 'once' && tries < limits.unknownTries) return sendAgain();
    const decided = decideUnknown(session, node, command, here, { unknown, at: node });
    if (decided !== undefined || isSame) return decided ?? sendAgain();
  } else if (last !== undefined && isSame) return sendAgain();
  // It would go elsewhere than before, or from another machine: whoever wants it sent again has not agreed to that.
  if (before !== undefined) return confirmed(session, node, command, here, undefined) ?? send;
  const others = sentElsewhere(session, node);
  const refused = decideRefused(session, node, command, here, others);
  if (refused !== undefined) return refused;
  const same = sentAlike(others, command);
  const reused = same && decideReused(session, node, command, here, same);
  if (reused !== undefined) return reused;
  const changed = others.findLast((other) => other !== same && hasEffect(other));
  return confirmed(session, node, command, here, changed) ?? send;
}

/** Asks where the user has not agreed yet; undefined where it may be sent. */
function confirmed(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  changed: RunNode | undefined,
): CommandDecision | undefined {
  const run = session.runs.get(node.run);
  const agreedTo = (id: string): boolean =>
    run?.confirmed?.some(({ data }) => data.plan === id && data.home === here.home && here.isSealed(run.id, data)) ===
    true;
  // Another round of a loop, or another step, is asked for by itself.
  const request = `rq_${shortDigest([command.digest, node.pending?.path ?? ''])}`;
  if (agreedTo(request)) return undefined;
  const key = commandKey(command.step);
  const shows = tellRequest(command, here.addressOf(command.step.catalog));
  const why =
    changed === undefined
      ? asksAgain(command, here.workflow)
      : `another request was sent at this step before: ${sentBefore(changed)}`;
  if (why !== undefined) {
    if (node.preferences.gateHandling !== 'block' && agreedTo(here.plan()))
      return { kind: 'send', command: { ...command, unconfirmed: why }, waitMs: 0 };
    return asks(node, here, {
      id: request,
      command: { call: command.call },
      writes: [{ path: node.pending?.path ?? '', command: key }],
      blocker: {
        code: 'CONFIRMATION_REQUIRED',
        pointer: '/confirmed',
        message: `the user has to agree to exactly this request (${key}): ${why}`,
        fix: 'show the user the request, and once they agree to it send "confirmed": true',
      },
      shows,
    });
  }
  const plan = here.plan();
  if (agreedTo(plan)) return undefined;
  const writes = plannedWrites(here.workflow, here.addressOf);
  return asks(node, here, {
    id: plan,
    command: { call: command.call },
    writes: writes.map(({ path, command: name }) => ({ path, command: name })),
    blocker: {
      code: 'CONFIRMATION_REQUIRED',
      pointer: '/confirmed',
      message: `this run changes data through APIs, and nothing is changed until the user agrees${elsewhere(run, here)}`,
      fix: 'show the user what is sent, and once they agree to it send "confirmed": true',
    },
    shows: [
      `Sent next: ${shows}`,
      '',
      'Everything that this run may change:',
      ...writes.map(({ says }) => `- ${says}`),
    ].join('\n'),
  });
}

const elsewhere = (
  run: { readonly confirmed?: readonly { data: { home: string } }[] } | undefined,
  { home }: CommandHere,
): string =>
  run?.confirmed?.some(({ data }) => data.home !== home) === true
    ? ' (an agreement on another machine, or in another copy of this folder, counts only there)'
    : '';

const sentBefore = ({ intents = [] }: RunNode): string => {
  const { method = '', url = '' } = intents.at(-1)?.data ?? {};
  return `${method} ${url}`;
};

/** Why the filled request is shown once more, though the plan was agreed to. */
function asksAgain({ step, operation, scope }: CommandToSend, workflow: CompiledWorkflow): string | undefined {
  if (step.confirm === true) {
    const holds = step.confirmIf === undefined ? undefined : evaluateCondition(step.confirmIf, scope);
    if (holds === undefined || !holds.ok || holds.value) return 'its step asks for it each time';
  }
  const reads = holesIn(step, workflow);
  if (operation.safety === 'destructive' && reads.length > 0)
    return `it deletes, and \`${reads[0]!.hole}\` was not known before the run`;
  const ofAgent = reads.find(({ from }) => from === 'agent');
  return ofAgent === undefined ? undefined : `an agent gave \`${ofAgent.hole}\``;
}

/** The holes in path, query and headers that were not known when the plan was. */
function holesIn(
  { id, with: given = {} }: RunStep,
  workflow: CompiledWorkflow,
): readonly { readonly hole: string; readonly from: ValueSource }[] {
  const { around = [] } = placesOf(workflow).get(id) ?? {};
  const found: { readonly hole: string; readonly from: ValueSource }[] = [];
  const visit = (value: JsonValue): void => {
    if (typeof value === 'string') {
      for (const part of templateParts(value)) {
        const from = 'source' in part ? valueSource(workflow, part.source, around) : 'begin';
        if ('source' in part && from !== 'begin') found.push({ hole: part.source.trim(), from });
      }
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(given);
  return found;
}
