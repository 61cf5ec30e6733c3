import { assert } from '../../base/assert.js';
import { byteLength, cutToBytes } from '../../base/byte-budget.js';
import { sha256Hex } from '../../base/digest.js';
import { errorText } from '../../base/error-text.js';
import type { NodeId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { plannedWrites } from '../../decide/commands/tell-request.js';
import { takeInputs } from '../../decide/take-inputs.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { pinWorkflow } from '../../definitions/compiled/pin.js';
import { planHash, plannedCatalogs } from '../../definitions/compiled/plan-hash.js';
import { type AskedWorkflow, askedWorkflow } from '../author/asked-workflow.js';
import { homeOf } from '../commands/run-commands.js';
import { settleRun } from '../commands/settle-run.js';
import { isDoneHere, isOpen, statusAt } from '../../sessions/run-status.js';
import { plainly } from '../../respond/form-of-questions.js';
import { startRun } from '../steps/start-run.js';
import { agreementParts, sealOf } from '../world/seals.js';
import { calledAt } from '../world/called-catalog.js';
import type { Environment } from '../world/environment.js';
import { heldElsewhere } from '../world/held-elsewhere.js';
import { findRun, type FoundRun, noteRun } from './find-run.js';
import { taskOfRun } from './run-task.js';
import { runReplied } from './run-told.js';
import { maybeElsewhere, takeFrom } from './take-from.js';

/** Runs a workflow in the background, or goes on with a run that was interrupted. */
export async function runWorkflow(
  env: Environment,
  request: RequestOf<'run_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const lacking = taskLacking(env, request);
  if (lacking !== undefined) return err(lacking);
  if (request.runId !== undefined)
    return resume(env, request.runId, { takeOver: request.takeOver === true, detached: request.detached === true });
  const asked = await askedWorkflow(env, request);
  if (!asked.ok) return asked;
  const { workflow } = asked.value;
  const given = request.inputs ?? {};
  const { inputs, violations } = takeInputs(workflow, given);
  if (violations.length > 0) return err(wrongInputs(request, violations));
  const agreed = await agreement(env, workflow, request, inputs);
  if (!agreed.ok) return agreed;
  const repaired = request.repairs === undefined ? ok(undefined) : await findRun(env, request.repairs);
  if (!repaired.ok) return repaired;
  if (repaired.value !== undefined) {
    const taken = await takeFrom(env, repaired.value, request.takeOver === true);
    if (!taken.ok) return taken;
  }
  const { value: plan } = agreed;
  const same = plan === undefined ? undefined : await sameRun(env, plan.hash, request.repairs);
  // A call whose answer was lost comes again: while the run that it began goes on, that one is meant.
  if (same !== undefined && (request.fresh !== true || same.isOpen))
    return goOn(env, same.found, same.root, request.detached === true);
  const started = await begin(env, asked.value, request, { plan, repaired: repaired.value });
  if (!started.ok) return started;
  noteRun(env, started.value);
  if (plan !== undefined)
    env.store.running.note(env.store.newSessions, planNote(plan.hash, request.repairs), started.value.run);
  return goOn(env, started.value, started.value.node, request.detached === true);
}

interface ToBegin {
  readonly plan: Agreed | undefined;
  readonly repaired: FoundRun | undefined;
}

function begin(
  env: Environment,
  { entry, workflow }: Pick<AskedWorkflow, 'entry' | 'workflow'>,
  { inputs = {}, mode, session, fresh = false }: RequestOf<'run_workflow'>,
  { plan, repaired }: ToBegin,
): Promise<Result<FoundRun & { readonly node: NodeId }, Rejection>> {
  return startRun<FoundRun & { readonly node: NodeId }>(
    env,
    {
      entry,
      workflow,
      passedOver: [],
      context: inputs,
      preferences: mode === undefined ? {} : { mode },
      // The same plan finds its run again: what was agreed to once is sent once.
      session: repaired?.log.id ?? session ?? (plan === undefined ? undefined : `${entry.id} ${plan.hash}`),
      fresh,
      ...(plan !== undefined && {
        confirmed: (log) => ({
          plan: plan.hash,
          writes: plan.writes.map(({ path, command }) => ({ path, command })),
          home: homeOf(env, log.place),
          by: plan.by,
          seal: (run) => sealOf(env.keys, agreementParts(run, { plan: plan.hash, home: homeOf(env, log.place) })),
        }),
      }),
      ...(repaired !== undefined && { repairs: repaired.run }),
    },
    ({ log, node, workflow: pinned }) => ({ done: ok({ log, run: node.run, node: node.id, workflow: pinned }) }),
  );
}

/** What was agreed to once is sent once, whatever else the same call says when it comes again, and in whatever session. */
async function sameRun(
  env: Environment,
  plan: string,
  repairs: string | undefined,
): Promise<{ readonly found: FoundRun; readonly root: NodeId; readonly isOpen: boolean } | undefined> {
  const run = env.store.running.noted(env.store.newSessions, planNote(plan, repairs));
  const found = run === undefined ? undefined : await findRun(env, run);
  if (found?.ok !== true) return undefined;
  const known = await found.value.log.read(({ state }) => {
    const begun = state.runs.get(found.value.run);
    return begun && { root: begun.root, isOpen: isOpen(state, begun) };
  });
  return known && { found: found.value, ...known };
}

const planNote = (plan: string, repairs = ''): string => `${plan}.${repairs}`;

/** In the background: who asked hears where it stands now, and asks again. */
export async function goOn(
  env: Environment,
  found: FoundRun,
  from: NodeId,
  isDetached: boolean,
): Promise<Result<Reply, Rejection>> {
  const node = (await openTip(found)) ?? from;
  const begun = await settleRun(env, found, node, { patienceMs: firstMs });
  if (!begun.ok) return begun;
  settleRun(env, found, node, { patienceMs: longestMs }).then(
    (done) => !done.ok && env.log(`run ${found.run}: ${done.error.message}`),
    (cause: unknown) => env.log(`run ${found.run}: ${errorText(cause)}`),
  );
  const task = isDetached || env.takesTask !== true ? undefined : await taskOfRun(env, found, node);
  if (task?.ok === false) return task;
  const replied = await runReplied(env, found);
  return replied.ok && task !== undefined ? ok({ ...replied.value, task: task.value }) : replied;
}

/** Where WorkRail is next, or asks the user: beyond what an agent did, nobody looks from the start of a run. */
const openTip = ({ log, run }: FoundRun): Promise<NodeId | undefined> =>
  log.read(({ state }) => {
    const tips = [...(state.runs.get(run)?.tips ?? [])].flatMap((id) => state.nodes.get(id) ?? []);
    const next = tips.find((tip) => isDoneHere(state, tip));
    return (next ?? tips.find((tip) => tip.pending?.does !== undefined && statusAt(state, tip) === 'blocked'))?.id;
  });

/** How long the answer waits, so that a short run is told as it ended. */
const firstMs = 200;
/** As long as a step may take. */
const longestMs = 7 * 24 * 60 * 60 * 1000;

async function resume(
  env: Environment,
  id: string,
  { takeOver, detached }: { readonly takeOver: boolean; readonly detached: boolean },
): Promise<Result<Reply, Rejection>> {
  const found = await findRun(env, id);
  if (!found.ok) return found;
  const { log, run } = found.value;
  const here = homeOf(env, log.place);
  const known = await log.read(({ state }) => {
    const homes = (state.runs.get(run)?.confirmed ?? []).map(({ data }) => data.home);
    return { root: state.runs.get(run)?.root, isElsewhere: homes.length > 0 && !homes.includes(here) };
  });
  assert(known.root !== undefined, 'a run that was found is there');
  const heldBy = heldElsewhere(env, log, run);
  if (!takeOver && (heldBy !== undefined || known.isElsewhere))
    return err({
      ...maybeElsewhere(heldBy, known.isElsewhere),
      code: 'PRECONDITION_FAILED',
      again: [{ at: '/takeOver', to: true }],
      context: { sessionId: log.id, runId: run },
    });
  if (heldBy !== undefined) await env.store.running.letGoFor(log.place, run);
  noteRun(env, found.value);
  return goOn(env, found.value, known.root, detached);
}

/** Nobody waits in silence: a client that takes no tasks says that it asks again. */
function taskLacking(env: Environment, { detached, runId }: RequestOf<'run_workflow'>): Rejection | undefined {
  if (detached === true || env.takesTask === true || env.follows === true) return undefined;
  return {
    code: 'TASK_CAPABILITY_REQUIRED',
    message: 'a run goes on in the background, and this client declares no tasks to follow it by; nothing was started',
    action: 'make the same call with detached: true, and follow the run with get_run',
    again: [{ at: '/detached', to: true }],
    ...(runId !== undefined && { context: { runId } }),
  };
}

interface Agreed {
  readonly hash: string;
  readonly writes: ReturnType<typeof plannedWrites>;
  readonly by: 'caller' | 'asked';
}

/** What the user agreed to be sent; undefined where nothing changes anything. */
async function agreement(
  env: Environment,
  workflow: CompiledWorkflow,
  { confirm, ...request }: RequestOf<'run_workflow'>,
  inputs: ReturnType<typeof takeInputs>['inputs'],
): Promise<Result<Agreed | undefined, Rejection>> {
  const addressOf = calledAt(env);
  const writes = plannedWrites(workflow, addressOf);
  if (writes.length === 0) return ok(undefined);
  const hash = planHash(pinWorkflow(workflow).hash, inputs, plannedCatalogs(workflow, addressOf));
  if (confirm === hash) return ok({ hash, writes, by: 'caller' });
  const told = writes.slice(0, writesTold).map(({ says }) => says);
  const more = writes.length > told.length ? `; and ${writes.length - told.length} more` : '';
  const what = `${told.join('; ')}${more}`;
  if (confirm === undefined && env.askPerson !== undefined) {
    const yes = await env.askPerson(
      `“${workflow.title}” changes something outside: ${what}.${withInputs(inputs, hash)}\n\nMay it be sent?`,
    );
    if (yes) return ok({ hash, writes, by: 'asked' });
  }
  const { workflowId } = request;
  return err({
    code: 'CONFIRMATION_REQUIRED',
    message:
      confirm === undefined
        ? `this run changes something outside (${what}); nothing was sent`
        : `what would be sent is not the plan ${confirm} any more: the workflow, its inputs or the address of a catalog have changed since; nothing was sent`,
    action: 'show the user the plan; once they agree, make the same call with its hash as confirm',
    ...(workflowId !== undefined && {
      nextCall: { tool: 'plan_steps', arguments: { workflowId, ...(Object.keys(inputs).length > 0 && { inputs }) } },
    }),
    context: { plan: hash, writes: told },
  });
}

const writesTold = 10;
const inputShown = 300;
const inputsShown = 20;

/** What is agreed to is the plan with all of its inputs: of a long one the digest says which it is. */
function withInputs(inputs: ReturnType<typeof takeInputs>['inputs'], plan: string): string {
  const all = Object.entries(inputs);
  if (all.length === 0) return '';
  const lines = all.slice(0, inputsShown).map(([name, value]) => {
    const text = plainly(JSON.stringify(value));
    const shown = cutToBytes(text, inputShown);
    const rest = shown === text ? '' : `… (${byteLength(text)} bytes, SHA-256 ${sha256Hex(text).slice(0, 16)})`;
    return `- ${name}: ${shown}${rest}`;
  });
  const more = all.length > inputsShown ? [`- and ${all.length - inputsShown} more`] : [];
  const isWhole = more.length === 0 && lines.every((line) => !line.includes('… ('));
  const see = isWhole ? '' : `\nThe whole plan is ${plan}; plan_steps and workrail run show it.`;
  return `\n\nWith these inputs:\n${[...lines, ...more].join('\n')}${see}`;
}

function wrongInputs(
  { workflowId, inputs = {} }: RequestOf<'run_workflow'>,
  violations: ReturnType<typeof takeInputs>['violations'],
): Rejection {
  return {
    code: 'VALIDATION_ERROR',
    message: 'inputs are missing or wrong; nothing was started',
    action: 'settle the inputs, then run it',
    violations: violations.map((one) => ({ ...one, path: one.path.replace(/^\/context/u, '/inputs') })),
    ...(workflowId !== undefined && {
      nextCall: { tool: 'resolve_inputs', arguments: { workflowId, inputs } },
    }),
  };
}
