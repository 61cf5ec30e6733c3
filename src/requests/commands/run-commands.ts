import { byteLength, cutToBytes, firstWords } from '../../base/byte-budget.js';
import { sha256Hex } from '../../base/digest.js';
import { errorText } from '../../base/error-text.js';
import type { NodeId, RunId } from '../../base/ids.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CommandToSend } from '../../decide/commands/command-at.js';
import type { CommandDecision, CommandHere } from '../../decide/commands/command-decision.js';
import { decideCommand } from '../../decide/commands/decide-command.js';
import { decideTried } from '../../decide/commands/decide-tried.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { planHash, plannedCatalogs } from '../../definitions/compiled/plan-hash.js';
import type { EventDraft } from '../../events/event.js';
import type { Loaded, LogPosition, SessionLog } from '../../log/port/session-log.js';
import type { Place } from '../../log/port/session-ref.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import type { Environment } from '../world/environment.js';
import { mergeBeforePut } from '../world/merge-state.js';
import { logRejection } from '../world/log-rejections.js';
import { agreementParts, answerParts, isSealed, sealOf } from '../world/seals.js';
import { calledAt } from '../world/called-catalog.js';
import type { Signals } from '../world/drivers.js';
import { filesOf } from './files-of.js';
import { type KnownTimes, knownTimes } from './known-times.js';
import { keepLongBodies } from './keep-long-bodies.js';
import { sendCommand } from './send-command.js';
import { shownUrl } from './shown-url.js';

export interface RunToDrive {
  readonly log: SessionLog<FoldedSession>;
  readonly run: RunId;
  readonly workflow: CompiledWorkflow;
  /** As whoever drives it knows them by now. */
  readonly times?: KnownTimes;
}

/** `elsewhere`: another process does the steps of this run; `ended`: this one does no more. */
export type Driven = Result<'settled' | 'elsewhere' | 'ended', Rejection>;

type Choice = CommandDecision & { readonly at?: NodeId };

/** With how far the log was read when it was chosen. */
type Chosen = Choice & { readonly position: LogPosition };

/** Does what is WorkRail's to do on all branches of a run, until somebody else is next. One at a time drives a run. */
export async function runCommands(env: Environment, wanted: RunToDrive, { end, hard }: Signals): Promise<Driven> {
  const driven = { ...wanted, times: knownTimes() };
  const { log, run } = driven;
  const { running } = env.store;
  // Whoever waits for another process to let go would take it up at the very end.
  if (end.aborted) return ok('ended');
  const claim = await running.take(log.place, run, log.id);
  if (claim === undefined) return ok('elsewhere');
  const mark = env.randomId();
  const choice = ({ state, position }: Loaded<FoldedSession>): Chosen => ({
    ...choose(env, driven, state, mark),
    position,
  });
  /** What is next after what was recorded last, where nothing is to be recorded for it. */
  let after: Chosen | undefined;
  try {
    for (;;) {
      if (end.aborted) return ok('ended');
      const chosen = after === undefined || after.events !== undefined ? await record(driven, choice) : ok(after);
      after = undefined;
      if (!chosen.ok) return chosen;
      const next = chosen.value;
      if (next.kind === 'recorded') continue;
      if (next.kind === 'settled' || next.at === undefined) {
        await keepLongBodies(env, driven, (state) => here(env, driven, state, mark));
        return ok('settled');
      }
      const { command, waitMs, at } = next;
      if (waitMs > 0) {
        await pause(Math.min(waitMs, limits.stopLookMs), end);
        continue;
      }
      if (!(await running.check(log.place, claim))) return ok('elsewhere');
      if (command.writes) {
        const intent = await recordIntent(env, driven, { at, command, mark, position: next.position });
        if (!intent.ok) return intent;
        if (!intent.value) continue;
        // Git may take lines out of a log; what was sent is known here all the same.
        running.note(log.place, run, JSON.stringify({ call: command.call, try: command.tried + 1, node: at }));
        // The disk may have taken long, and somebody else may have taken over meanwhile.
        if (!(await running.check(log.place, claim))) return ok('elsewhere');
      }
      const sent = await sendWatched(env, driven, { at, command, mark }, { end, hard });
      if (sent === undefined) continue;
      await mergeBeforePut(log, driven.workflow, at);
      const recorded = await log.append(({ state }) => {
        const node = state.nodes.get(at);
        // Somebody went on from here meanwhile: what came is of no use to anybody.
        if (node === undefined || node.children.length > 0) return { answer: undefined };
        const sinceMs = Math.max(0, env.now().getTime() - (command.since ?? sent.began));
        const going = here(env, driven, state, mark);
        return { answer: undefined, events: decideTried(state, node, { ...going, command, sent, sinceMs }) };
      }, choice);
      if (!recorded.ok) return err(logRejection(recorded.error, log.id, 'keyed'));
      after = recorded.value;
    }
  } finally {
    await running.letGo(log.place, claim).catch((cause: unknown) => env.log(`claim of ${run}: ${errorText(cause)}`));
  }
}

/** Records what was decided, where that is to be recorded. */
async function record(
  { log }: RunToDrive,
  choice: (loaded: Loaded<FoldedSession>) => Chosen,
): Promise<Result<Chosen, Rejection>> {
  const chosen = await log.append<Chosen, Chosen>(
    (loaded) => {
      const decided = choice(loaded);
      return { answer: decided, ...(decided.events && { events: decided.events }) };
    },
    (_loaded, decided) => decided,
  );
  return chosen.ok ? chosen : err(logRejection(chosen.error, log.id, 'keyed'));
}

/** Of all branches what may go on first. */
function choose(env: Environment, driven: RunToDrive, state: FoldedSession, mark: string): Choice {
  const world = here(env, driven, state, mark);
  const events: EventDraft[] = [];
  let first: Extract<Choice, { readonly kind: 'send' }> | undefined;
  for (const id of state.runs.get(driven.run)?.tips ?? []) {
    const node = state.nodes.get(id);
    if (node?.whole !== true) continue;
    const decided = decideCommand(state, node, world);
    if (decided.kind === 'recorded') return decided;
    if (decided.kind === 'settled') events.push(...(decided.events ?? []));
    else if (first === undefined || decided.waitMs < first.waitMs) first = { ...decided, at: id };
  }
  if (events.length > 0) return { kind: first === undefined ? 'settled' : 'recorded', events };
  return first ?? { kind: 'settled' };
}

/** What the commands of a run are decided with here and now. */
export function here(
  env: Environment,
  { log, run, workflow, times = knownTimes() }: RunToDrive,
  state: FoldedSession,
  mark: string,
): CommandHere {
  const now = env.now().getTime();
  const addressOf = calledAt(env);
  const { workflowHash = '', started } = state.runs.get(run) ?? {};
  return {
    workflow,
    key: env.keys.current().id,
    engine: env.version,
    draw: env.draw(),
    mark,
    addressOf,
    timeOf: (at) => times(at, now),
    secretAnswer: env.secretAnswers.of,
    filesOf: filesOf(env.workspaceFiles),
    hidden: env.calls.hidden,
    home: homeOf(env, log.place),
    seal: (of, agreed) => sealOf(env.keys, agreementParts(of, agreed)),
    isSealed: (of, agreed) => isSealed(env.keys, agreementParts(of, agreed), agreed.seal),
    isAnswerSealed: (answer) => isSealed(env.keys, answerParts(answer), answer.seal),
    plan: () => planHash(workflowHash, started?.data.inputs ?? {}, plannedCatalogs(workflow, addressOf)),
    now,
  };
}

/** This installation on this machine, and the folder that the session lies in: a copy of it elsewhere is another. */
export const homeOf = ({ roots, host }: Environment, { name }: Place): string =>
  sha256Hex(`${host}\n${roots.config}\n${name}`).slice(0, 16);

interface Chosenly {
  readonly at: NodeId;
  readonly command: CommandToSend;
  readonly mark: string;
}

/** The last request that this machine sent for the run, where its log does not have it any more: what else is lost nobody knows. */
function lostCall(noted: string | undefined, run: RunId, { nodes }: FoldedSession): JsonValue | undefined {
  const last = noted === undefined ? undefined : parsedJson(noted);
  if (!isJsonObject(last)) return undefined;
  const { call = '', try: at = 0 } = last;
  const isThere = [...nodes.values()].some(
    (node) => node.run === run && node.intents?.some(({ data }) => data.call === call && data.try === at) === true,
  );
  return isThere ? undefined : call;
}

const lostRejection = ({ log, run }: RunToDrive, call: JsonValue): Rejection => ({
  code: 'SESSION_CHANGED',
  message: `a request of this run was sent that its log does not have any more (call ${JSON.stringify(call)}): files of the session were replaced, as a checkout or a stash does; nothing further is sent`,
  action: 'bring the files back (git checkout, git stash pop), or start another run',
  context: { sessionId: log.id, runId: run },
});

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Records that a request is about to leave. False where things have changed meanwhile. */
async function recordIntent(
  env: Environment,
  driven: RunToDrive,
  { at, command, mark, position }: Chosenly & Pick<Chosen, 'position'>,
): Promise<Result<boolean, Rejection>> {
  const { log, run } = driven;
  const noted = env.store.running.noted(log.place, run);
  const appended = await log.append<
    { readonly isSame: boolean; readonly lost?: JsonValue },
    Result<boolean, Rejection>
  >(
    ({ state }) => {
      const lost = lostCall(noted, run, state);
      if (lost !== undefined) return { answer: { isSame: false, lost } };
      const node = state.nodes.get(at);
      const world = here(env, driven, state, mark);
      const again = node && decideCommand(state, node, world);
      const isSame =
        again?.kind === 'send' && again.command.digest === command.digest && again.command.number === command.number;
      return node !== undefined && isSame
        ? { answer: { isSame }, events: [intentOf(node, command, world)] }
        : { answer: { isSame: false } };
    },
    (_loaded, { isSame, lost }) => (lost === undefined ? ok(isSame) : err(lostRejection(driven, lost))),
    position,
  );
  return appended.ok ? appended.value : err(logRejection(appended.error, log.id, 'keyed'));
}

function intentOf(node: RunNode, command: CommandToSend, { addressOf, home }: CommandHere): EventDraft {
  const { step, operation, named, call, number, digest, repeat } = command;
  const address = operation.baseUrl ?? addressOf(step.catalog) ?? '';
  const body = named.body === undefined ? undefined : JSON.stringify(named.body);
  return {
    kind: 'command_sent',
    run: node.run,
    node: node.id,
    data: {
      call,
      try: number,
      catalog: step.catalog,
      command: step.command,
      method: operation.method,
      url: firstWords(shownUrl(command, address), limits.recordedUrl),
      digest,
      ...(body !== undefined && {
        body: { bytes: byteLength(body), preview: cutToBytes(body, limits.recordedBody) },
      }),
      repeat,
      home,
    },
  };
}

type Sending = Awaited<ReturnType<typeof sendCommand>> & { readonly began: number };

/** Sends it, and looks from time to time whether the run was canceled. Undefined where it was, and nothing is to be told of it. */
async function sendWatched(
  env: Environment,
  { log, run }: RunToDrive,
  { at, command, mark }: Chosenly,
  { end, hard }: Signals,
): Promise<Sending | undefined> {
  const began = env.now().getTime();
  const stop = new AbortController();
  const isStopped = (): Promise<boolean> =>
    log.read(({ state }) => state.runs.get(run)?.stopped !== undefined || state.nodes.get(at)?.stopped !== undefined);
  const looking = setInterval(() => {
    isStopped().then(
      (stopped) => stopped && stop.abort(),
      () => undefined,
    );
  }, limits.stopLookMs);
  try {
    const over = AbortSignal.any([end, stop.signal]);
    // What changes something outside is waited for once it has left: whoever stops it then knows less than before.
    const signals = command.writes ? { signal: hard, unsent: over } : { signal: over };
    const { timeoutMs } = command.step;
    const leftMs = timeoutMs && timeoutMs - Math.max(0, began - (command.since ?? began));
    const sent = await sendCommand(env, command, { place: log.place, mark, ...signals, leftMs });
    return over.aborted && !command.writes ? undefined : { ...sent, began };
  } finally {
    clearInterval(looking);
  }
}

/** Over when the time is, or the signal comes. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over, { once: true });
  });
}
