import { assert } from '../../base/assert.js';
import type { RunId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../../definitions/compiled/place.js';
import { evaluateCondition } from '../../definitions/expression/expression.js';
import { renderTemplate, templateParts } from '../../definitions/expression/template.js';
import type { JsonValue } from '../../base/json-value.js';
import type { EventData } from '../../events/event-data.js';
import type { Event, EventDraft } from '../../events/event.js';
import { commandStanding, outcomePointer, sentElsewhere, settledAt } from '../../sessions/command-standing.js';
import { standingDraft } from '../../sessions/drafts.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { answersTo, isSettled } from '../../sessions/person-answers.js';
import { hasEffect } from '../../sessions/sent-below.js';
import { shortDigest } from '../requested-output.js';
import { type CommandToSend, type CommandWorld, commandAt, scopeOf } from './command-at.js';
import { asksNobody, type Done, type Going, recordDone, runStopped } from './go-on.js';
import { plannedWrites, tellRequest } from './tell-request.js';
import { type ValueSource, valueSource } from './value-source.js';

/** What is decided with, besides the session. */
export interface CommandHere extends CommandWorld, Going {
  /** This installation and its data root: what is agreed to here is agreed to for here. */
  readonly home: string;
  /** Hash of the plan as it is now. */
  readonly plan: () => string;
  readonly now: number;
  /** Seals that this installation was told of an agreement; a log may hold what others wrote. */
  readonly seal: (run: RunId, agreed: Pick<EventData<'plan_confirmed'>, 'plan' | 'home'>) => string;
  readonly isSealed: (run: RunId, agreed: EventData<'plan_confirmed'>) => boolean;
  readonly isAnswerSealed: (answer: EventData<'question_answered'>) => boolean;
}

export type CommandDecision =
  /** An agent or a person is next, or nobody is. */
  | { readonly kind: 'settled'; readonly events?: readonly EventDraft[]; readonly asked?: Asked }
  /** Something is recorded, and it goes on from there. */
  | { readonly kind: 'recorded'; readonly events: readonly EventDraft[] }
  | { readonly kind: 'send'; readonly command: CommandToSend; readonly waitMs: number; readonly events?: undefined };

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
  const same = sentAlike(others, command);
  const reused = same && decideReused(session, node, command, here, same);
  if (reused !== undefined) return reused;
  const changed = others.findLast((other) => other !== same && hasEffect(other));
  return confirmed(session, node, command, here, changed) ?? send;
}

/** Of where the same request was sent: what was done counts before what may have been, and that before what came to nothing. */
function sentAlike(others: readonly RunNode[], { digest }: CommandToSend): RunNode | undefined {
  const alike = others.filter(({ intents = [] }) => intents.some(({ data }) => data.digest === digest));
  return alike.find(wasDone) ?? alike.findLast(hasEffect) ?? alike.at(-1);
}

const wasDone = (node: RunNode): boolean => {
  const { unknown, last } = commandStanding(node);
  return unknown === undefined && last?.data.outcome === 'ok';
};

/** A request left here or on another branch, and nobody knows what became of it. Undefined where it is to be sent again. */
function decideUnknown(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  { unknown, at }: { readonly unknown: Event<'command_sent'>; readonly at: RunNode },
): CommandDecision | undefined {
  const about = { call: unknown.data.call, try: unknown.data.try };
  const word = settledAt(node, about) ?? settledAt(at, about);
  if (word?.choice === 'repeat') return undefined;
  const name = commandKey(command.step);
  const done = taken(command, at === node ? about : { call: command.call, try: command.number, of: about.call });
  const record = (
    more: Pick<Done, 'outcome' | 'then' | 'body' | 'error'>,
    how: Parameters<typeof recordDone>[4],
  ): CommandDecision => ({
    kind: 'recorded',
    events: recordDone(session, node, here, { ...done, ...more }, how),
  });
  if (word?.choice === 'done')
    return record({ outcome: 'ok', then: 'done', body: word.body ?? null }, { source: 'settled' });
  // That it was not done there says nothing of here.
  if (word?.choice === 'failed' && at !== node) return undefined;
  if (word?.choice === 'failed') {
    const message = `${name} was not done${word.reason === '' ? '' : `: ${word.reason}`}`;
    const error = { code: 'COMMAND_FAILED', message, action: 'see why, and start again' };
    const then = command.step.onError === 'continue' ? 'done' : 'stop';
    return record({ outcome: 'failed', then, error }, { source: 'settled' });
  }
  const { method, url } = unknown.data;
  if (asksNobody(node)) {
    const detail = `${node.pending?.path ?? ''}: ${method} ${url} was sent; whether the server did it is unknown`;
    const gap = { category: 'unexpected', reason: 'outcome_unknown', detail, severity: 'critical' } as const;
    return record({ outcome: 'unknown', then: 'done' }, { source: 'skipped', gaps: [gap] });
  }
  return asks(node, here, {
    id: shortDigest(['outcome', about.call, about.try]),
    command: about,
    blocker: {
      code: 'COMMAND_OUTCOME_UNKNOWN',
      pointer: outcomePointer,
      message: `${name}${at === node ? '' : ', on another branch'}: ${lastWords(at, unknown)}; whether the server did it is unknown`,
      fix: 'check at the server whether it was done; then answer done if it was, repeat to send it again, or failed if it was not and should not be',
    },
    shows: `${method} ${url}${unknown.data.body === undefined ? '' : `\n\n${unknown.data.body.preview}`}`,
  });
}

const lastWords = (node: RunNode, { data: { try: at, method, url } }: Event<'command_sent'>): string =>
  node.tries?.findLast(({ data }) => data.try === at)?.data.error?.message.replace(/\.$/u, '') ??
  `${method} ${url} was sent, and the program ended before an answer was recorded`;

/** The same request was sent on another branch, or in the run that this one goes on from. Undefined where it came to nothing. */
function decideReused(
  session: FoldedSession,
  node: RunNode,
  command: CommandToSend,
  here: CommandHere,
  other: RunNode,
): CommandDecision | undefined {
  const { unknown, last } = commandStanding(other);
  if (unknown !== undefined) return decideUnknown(session, node, command, here, { unknown, at: other });
  if (last?.data.outcome !== 'ok') return undefined;
  const about = { call: command.call, try: command.number, of: last.data.call };
  const done: Done = { ...last.data, ...taken(command, about), outcome: 'ok', then: 'done' };
  return { kind: 'recorded', events: recordDone(session, node, here, done, { source: 'reused' }) };
}

/** Of a command that was not sent here. */
const taken = (
  { step, operation }: CommandToSend,
  about: Pick<Done, 'call' | 'try' | 'of'>,
): Pick<Done, 'call' | 'try' | 'of' | 'catalog' | 'command' | 'method' | 'url' | 'bytes' | 'ms'> => ({
  ...about,
  catalog: step.catalog,
  command: step.command,
  method: operation.method,
  url: operation.path,
  bytes: 0,
  ms: 0,
});

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

/** What the user is asked before a command is sent. */
export interface Asked {
  /** What is asked: the same question again is the same. */
  readonly id: string;
  readonly command: NonNullable<EventData<'step_blocked'>['command']>;
  /** What they agree to; nothing where they are asked for more than a yes. */
  readonly writes?: readonly EventData<'plan_confirmed'>['writes'][number][];
  readonly blocker: EventData<'step_blocked'>['blockers'][number];
  /** What the user agrees to. */
  readonly shows: string;
}

/** Asks, once; where the person said yes themselves, that is recorded as their word. */
function asks(node: RunNode, here: CommandHere, asked: Asked): CommandDecision {
  const { id, command, writes, blocker, shows } = asked;
  const request = shortDigest([id, here.home]);
  const block = standingDraft(node);
  // What was asked before something else was is asked anew: the last question is the one that is answered.
  if (block?.data.request === request) {
    const isTheirs = isSettled(node, block) && answersTo(node, block).every(({ data }) => here.isAnswerSealed(data));
    if (writes === undefined || !isTheirs) return { kind: 'settled', asked };
    return {
      kind: 'recorded',
      events: [planConfirmed(node, { plan: id, writes: [...writes], home: here.home, by: 'asked' }, here)],
    };
  }
  const { pending } = node;
  assert(pending !== undefined, 'a command is pending');
  const step = { id: pending.id, path: pending.path, title: pending.title };
  const data: EventData<'step_blocked'> = {
    attempt: here.draw.attemptId(),
    step,
    request,
    blockers: [blocker],
    output: { notes: shows },
    command,
    preferences: node.preferences,
    key: here.key,
    engine: here.engine,
  };
  return { kind: 'settled', asked, events: [{ kind: 'step_blocked', run: node.run, node: node.id, data }] };
}

export const planConfirmed = (
  node: RunNode,
  data: Omit<EventData<'plan_confirmed'>, 'seal'>,
  { seal }: Pick<CommandHere, 'seal'>,
): EventDraft => ({
  kind: 'plan_confirmed',
  run: node.run,
  node: node.id,
  data: { ...data, seal: seal(node.run, data) },
});
