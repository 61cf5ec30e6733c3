import { byteLength } from '../../base/byte-budget.js';
import { hole } from '../../base/hole.js';
import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import type { NextCall, Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { InputTold, ResolveAnswer, ResolvedInput } from '../../contract/author-answers.js';
import type { Reply } from '../../contract/reply.js';
import { asJson } from '../../contract/reply-with.js';
import type { RequestName, RequestOf } from '../../contract/request-schemas.js';
import { misspeltInputs, takeInputs } from '../../decide/take-inputs.js';
import { describeValue } from '../../definitions/contracts/value-spec.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, InputProvider } from '../../definitions/compiled/compiled-workflow.js';
import { pinWorkflow } from '../../definitions/compiled/pin.js';
import { planHash } from '../../definitions/compiled/plan-hash.js';
import { contextKeys } from '../../definitions/expand/context-keys.js';
import { inputsReply, planReply, renderedReply, resolveReply } from '../../respond/author/author-replies.js';
import { planOf } from '../../respond/author/plan-steps.js';
import { offeredChoices, offeredValue, sourceOf } from './offered-choices.js';
import { previewBytes } from '../../respond/inspect-reply.js';
import { renderedSteps } from '../../respond/author/rendered-steps.js';
import { startCall } from '../../respond/start-call.js';
import { readCursor, wrongCursor } from '../world/cursors.js';
import { calledAt } from '../world/called-catalog.js';
import type { Environment } from '../world/environment.js';
import { type AskedWorkflow, askedWorkflow } from './asked-workflow.js';

/** What a workflow asks for at its start. */
export async function previewInputs(
  env: Environment,
  request: RequestOf<'preview_inputs'>,
): Promise<Result<Reply, Rejection>> {
  const asked = await askedWorkflow(env, request);
  if (!asked.ok) return asked;
  const { entry, workflow } = asked.value;
  const inputs = Object.entries(workflow.inputs).map(([name, spec]): InputTold => {
    const { required, default: otherwise, description, provider, ...rules } = spec;
    return {
      name,
      required: required && otherwise === undefined,
      wanted: describeValue(spec),
      ...(description !== undefined && { description }),
      ...(otherwise !== undefined && { default: otherwise }),
      rules: asJson({ ...rules, ...(provider !== undefined && { provider: asWritten(provider) }) }),
    };
  });
  return ok(inputsReply({ workflowId: entry.id, inputs, example: startOf(asked.value) }));
}

/** A provider as a file has it. */
const asWritten = ({ catalog, command, onError, ...more }: InputProvider): object => ({
  run: commandKey({ catalog, command }),
  ...more,
  ...(onError !== undefined && { on_error: onError }),
});

/** Which inputs are settled, and what is still to be asked. */
export async function resolveInputs(
  env: Environment,
  request: RequestOf<'resolve_inputs'>,
): Promise<Result<Reply, Rejection>> {
  const asked = await askedWorkflow(env, request);
  if (!asked.ok) return asked;
  const { entry, workflow } = asked.value;
  const given = request.inputs ?? {};
  const taken = takeInputs(workflow, given);
  const slips = misspeltInputs(workflow, given).violations;
  const inputs = await Promise.all(
    Object.entries(workflow.inputs).map(async ([name, spec]): Promise<ResolvedInput> => {
      const value = own(taken.inputs, name);
      if (value !== undefined) return offeredValue(env, workflow, { name, value, inputs: taken.inputs, given });
      const wrong = taken.violations.find(
        ({ path }) => path === `/context/${name}` || path.startsWith(`/context/${name}/`),
      );
      if (wrong === undefined) return { name, outcome: 'skip' };
      const reason = typeof wrong.message === 'string' ? wrong.message : name;
      if (own(given, name) !== undefined) {
        const expected = describeValue(spec);
        return {
          name,
          outcome: 'error',
          reason: reason.includes(expected) ? reason : `${reason}; expected ${expected}`,
        };
      }
      const open: ResolvedInput = {
        name,
        outcome: 'prompt',
        reason: spec.description ?? `it takes ${describeValue(spec)}`,
      };
      return offeredChoices(env, open, { spec, inputs: taken.inputs, source: sourceOf(asked.value, given) });
    }),
  );
  const resolved = Object.fromEntries(
    inputs.flatMap(({ name, outcome, value }) =>
      outcome === 'resolved' && value !== undefined ? [[name, value]] : [],
    ),
  );
  const wrong: JsonObject = Object.fromEntries(
    inputs.filter(({ outcome }) => outcome === 'error').map(({ name }) => [name, hole(name)] as const),
  );
  const ready = slips.length === 0 && inputs.every(({ outcome }) => outcome === 'resolved' || outcome === 'skip');
  const answer: ResolveAnswer = {
    workflowId: entry.id,
    ready,
    resolved,
    inputs,
    unknown: unknownTo(
      workflow,
      given,
      slips.map(({ message }) => (typeof message === 'string' ? message : '')),
    ),
    nextCall: ready
      ? startOf(asked.value, taken.inputs)
      : againWith(request, 'resolve_inputs', { ...given, ...wrong, ...taken.holes }),
  };
  return ok(resolveReply(answer));
}

/** What is given and no input: a slip of the hand, or a fact that only some step may read. */
function unknownTo(workflow: CompiledWorkflow, given: JsonObject, slips: readonly string[]): readonly string[] {
  const { set, onlyRead } = contextKeys(workflow);
  const known = new Set([...Object.keys(workflow.inputs), ...set, ...onlyRead]);
  const others = Object.keys(given).filter(
    (key) => !known.has(key) && !slips.some((slip) => slip.includes(`\`${key}\``)),
  );
  return [...slips, ...others.map((key) => `\`${key}\` is not an input, and nothing reads it`)];
}

/** Each step as it would be told, as far as that can be known before a run. */
export async function previewRendered(
  env: Environment,
  request: RequestOf<'preview_rendered'>,
): Promise<Result<Reply, Rejection>> {
  const asked = await askedWorkflow(env, request);
  if (!asked.ok) return asked;
  const from = readCursor(request.cursor);
  if (from === undefined) return err(wrongCursor('preview_rendered', request.cursor ?? ''));
  const { entry, workflow } = asked.value;
  const inputs = { ...request.inputs, ...takeInputs(workflow, request.inputs ?? {}).inputs };
  const { shown, next } = pageOf(renderedSteps(workflow, { inputs, context: request.context ?? {} }, from), from);
  return ok(
    renderedReply({ workflowId: entry.id, steps: shown, ...(next !== undefined && { nextCursor: next }) }, request),
  );
}

/** In what order the steps come, what each waits for and what it would change. */
export async function planSteps(env: Environment, request: RequestOf<'plan_steps'>): Promise<Result<Reply, Rejection>> {
  const asked = await askedWorkflow(env, request);
  if (!asked.ok) return asked;
  const from = readCursor(request.cursor);
  if (from === undefined) return err(wrongCursor('plan_steps', request.cursor ?? ''));
  const { entry, workflow } = asked.value;
  const { inputs, violations, holes } = takeInputs(workflow, request.inputs ?? {});
  const wrong = violations.filter(({ path }) => own(request.inputs ?? {}, path.split('/')[2] ?? '') !== undefined);
  if (wrong.length > 0)
    return err({
      code: 'VALIDATION_ERROR',
      message: 'the inputs are not valid for this workflow',
      action: 'correct them as listed, and call again',
      violations: wrong.map((one) => ({ ...one, path: one.path.replace(/^\/context/u, '/inputs') })),
      again: Object.entries(holes).map(([name, to]) => ({ at: `/inputs/${name}`, to })),
    });
  const { steps, catalogs, writes } = planOf(workflow, inputs, calledAt(env));
  const plan = planHash(pinWorkflow(workflow).hash, inputs, catalogs);
  const { shown, next } = pageOf(steps.slice(from), from);
  return ok(
    planReply(
      {
        workflowId: entry.id,
        plan,
        confirm: writes,
        catalogs: catalogs.map((one) => ({ ...one })),
        steps: shown,
        ...(next !== undefined && { nextCursor: next }),
        nextCall: startOf(asked.value, inputs),
      },
      request,
    ),
  );
}

/** As many steps as an answer holds, and at least one. */
function pageOf(
  steps: Iterable<JsonObject>,
  from: number,
): { readonly shown: readonly JsonObject[]; readonly next?: string } {
  let left = limits.answer - 512;
  const shown: JsonObject[] = [];
  for (const step of steps) {
    left -= Math.max(previewBytes(step), byteLength(JSON.stringify(step)));
    if (left < 0 && shown.length > 0) return { shown, next: String(from + shown.length) };
    shown.push(step);
  }
  return { shown };
}

/** The start with what is known; a text is saved first. */
function startOf({ entry, isHere }: AskedWorkflow, inputs: JsonObject = {}): NextCall {
  if (!isHere) return { tool: 'save_workflow', arguments: { content: hole('the same text') } };
  const { tool, arguments: args } = startCall(entry);
  const { context } = args;
  const all = { ...(isJsonObject(context) ? context : {}), ...inputs };
  return { tool, arguments: { ...args, ...(Object.keys(all).length > 0 && { context: all }) } };
}

const againWith = (
  { workflowId }: { readonly workflowId?: string | undefined },
  tool: RequestName,
  inputs: JsonObject,
): NextCall => ({
  tool,
  arguments: { ...(workflowId === undefined ? { content: hole('the same text') } : { workflowId }), inputs },
});
