import { assert } from '../base/assert.js';
import { sha256Hex } from '../base/digest.js';
import type { CallId } from '../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { lazyObject } from '../base/lazy-object.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { commandKey } from '../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, RunStep } from '../definitions/compiled/compiled-workflow.js';
import { isFile } from '../definitions/compiled/file-reference.js';
import type { OperationShape } from '../definitions/compiled/operation-shape.js';
import { placesOf } from '../definitions/compiled/place.js';
import type { Scope } from '../definitions/expression/expression.js';
import { type FilledValue, filledValue } from '../definitions/expression/filled-value.js';
import { scopeAt } from '../definitions/expression/scope-at.js';
import { renderTemplate } from '../definitions/expression/template.js';
import type { EventData } from '../events/event-data.js';
import type { EventDraft } from '../events/event.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recordsAt } from '../sessions/records.js';
import { roundsDone } from '../sessions/rounds-done.js';

/** A request that is to be sent, but for the secrets in it and where its catalog is. */
export interface CommandToSend {
  readonly step: RunStep;
  readonly operation: OperationShape;
  readonly call: CallId;
  /** Tries before this one. */
  readonly tried: number;
  readonly with: JsonObject;
  readonly body?: JsonValue;
  /** What its expressions read besides the answer. */
  readonly scope: Scope;
}

export type CommandDecision =
  /** An agent or a person is next, or nobody is. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'send'; readonly command: CommandToSend }
  | { readonly kind: 'stopped'; readonly events: readonly EventDraft[] };

/** What WorkRail does next at a node. `mark` makes the holes for secrets that the author wrote into ones that nobody else can write. */
export function decideCommand(
  session: FoldedSession,
  node: RunNode,
  workflow: CompiledWorkflow,
  mark: string,
  secretAnswer: (call: CallId) => JsonValue | undefined = () => undefined,
): CommandDecision {
  const { pending } = node;
  if (pending?.does === undefined || node.stopped !== undefined || node.children.length > 0) return { kind: 'settled' };
  const step = placesOf(workflow).get(pending.id)?.step;
  const scope = scopeOf(session, node, workflow);
  if (step?.kind === 'fail')
    return stopped(node, { status: 'failed', code: 'RUN_FAILED', message: renderTemplate(step.message, scope).text });
  assert(step?.kind === 'run', `a pinned workflow has the step ${pending.id} that its run names`);
  const key = commandKey(step);
  const operation = own(workflow.operations ?? {}, key);
  if (operation === undefined)
    return stopped(node, {
      status: 'failed',
      code: 'PRECONDITION_FAILED',
      message: `nobody knew the command ${key} when the run began`,
    });
  const filled = filledStep(step, workflow, withSecretAnswers(scope, secretAnswer), mark);
  if ('lacking' in filled)
    return stopped(node, {
      status: 'failed',
      code: 'PRECONDITION_FAILED',
      message: `${key} was not sent: \`${filled.lacking.expression}\` has no value: ${filled.lacking.message}`,
    });
  const call = callAt(node);
  const tried = node.tries?.length ?? 0;
  return { kind: 'send', command: { step, operation, call, tried, ...filled, scope } };
}

export function scopeOf(session: FoldedSession, node: RunNode, workflow: CompiledWorkflow): Scope {
  const inputs = session.runs.get(node.run)?.started.data.inputs ?? {};
  const facts = { ...recordsAt(session, node), inputs, rounds: roundsDone(session, node) };
  return { ...scopeAt(workflow, facts, node.pending?.frames ?? []), meter: { left: limits.stepWork } };
}

/** What is sent may hold what no log does: nothing else that is evaluated reads it. */
function withSecretAnswers(scope: Scope, secretAnswer: (call: CallId) => JsonValue | undefined): Scope {
  const { outputs } = scope;
  const known = (left: JsonValue): JsonValue => {
    if (!isJsonObject(left) || own(left, 'noBody') !== 'secret') return left;
    const body = secretAnswer(left['call'] as CallId);
    return body === undefined ? left : { ...left, body };
  };
  const find = (step: string): JsonValue | undefined => {
    const left = own(outputs, step);
    return left && known(left);
  };
  const all = (): JsonObject => Object.fromEntries(Object.entries(outputs).map(([step, left]) => [step, known(left)]));
  return { ...scope, outputs: lazyObject(find, all) };
}

/** The same command at the same place is the same call, whoever sends it. */
const callAt = ({ run, id }: RunNode): CallId => `c_${sha256Hex(`${run} ${id}`).slice(0, 12)}` as CallId;

export const stopped = (
  node: RunNode,
  data: EventData<'run_stopped'>,
): Extract<CommandDecision, { kind: 'stopped' }> => ({
  kind: 'stopped',
  events: [{ kind: 'run_stopped', run: node.run, node: node.id, data }],
});

type Lacking = FilledValue['problems'][number];

function filledStep(
  step: RunStep,
  workflow: CompiledWorkflow,
  scope: Scope,
  mark: string,
): { readonly with: JsonObject; readonly body?: JsonValue } | { readonly lacking: Lacking } {
  const secret = (expression: string): string | undefined =>
    /^secrets\.[A-Za-z_]\w*$/u.test(expression) ? `\${{ ${expression} ${mark} }}` : undefined;
  const parameters: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(step.with ?? {})) {
    const { value: given, problems } = filledValue(value, scope, secret);
    const [lacking] = problems;
    if (lacking === undefined) parameters.push([name, given]);
    else if (!isLeftOut(lacking, workflow, scope)) return { lacking };
  }
  const given = { with: Object.fromEntries(parameters) };
  if (step.body === undefined) return given;
  const body = withoutAbsent(step.body, workflow, scope, secret);
  return 'lacking' in body ? body : { ...given, ...(body.value !== undefined && { body: body.value }) };
}

/** An input that nobody gave, and nobody had to give, takes what it would fill with it. */
function isLeftOut({ expression }: Lacking, { inputs }: CompiledWorkflow, scope: Scope): boolean {
  const name = /^inputs\.([A-Za-z_]\w*)$/u.exec(expression)?.[1];
  const spec = name === undefined ? undefined : own(inputs, name);
  return spec !== undefined && !spec.required && own(scope.inputs, name!) === undefined;
}

type Body = { readonly value: JsonValue | undefined } | { readonly lacking: Lacking };

function withoutAbsent(
  value: JsonValue,
  workflow: CompiledWorkflow,
  scope: Scope,
  secret: (expression: string) => string | undefined,
): Body {
  const inner = (one: JsonValue): Body => withoutAbsent(one, workflow, scope, secret);
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(inner);
    const wrong = items.find((one) => 'lacking' in one);
    return wrong ?? { value: items.flatMap((one) => ('value' in one && one.value !== undefined ? [one.value] : [])) };
  }
  if (isJsonObject(value) && !isFile(value)) {
    const members = Object.entries(value).map(([key, one]) => [key, inner(one)] as const);
    const wrong = members.find(([, one]) => 'lacking' in one)?.[1];
    if (wrong !== undefined) return wrong;
    return {
      value: Object.fromEntries(
        members.flatMap(([key, one]) => ('value' in one && one.value !== undefined ? [[key, one.value]] : [])),
      ),
    };
  }
  const filled = filledValue(value, scope, secret);
  const [lacking] = filled.problems;
  if (lacking === undefined) return { value: filled.value };
  return isLeftOut(lacking, workflow, scope) ? { value: undefined } : { lacking };
}
