import { assert } from '../../base/assert.js';
import type { RepeatRule } from '../../base/closed-sets.js';
import { sha256Hex } from '../../base/digest.js';
import type { CallId } from '../../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { lazyObject } from '../../base/lazy-object.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { err, ok, type Result } from '../../base/result.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { isFile } from '../../definitions/compiled/file-reference.js';
import { isReading, isRepeatable, type OperationShape } from '../../definitions/compiled/operation-shape.js';
import { placesOf } from '../../definitions/compiled/place.js';
import type { Scope } from '../../definitions/expression/expression.js';
import { type FilledValue, filledValue } from '../../definitions/expression/filled-value.js';
import { scopeAt } from '../../definitions/expression/scope-at.js';
import type { Event } from '../../events/event.js';
import { commandStanding, lastTry, settledAt } from '../../sessions/command-standing.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { recordsAt } from '../../sessions/records.js';
import { roundsDone } from '../../sessions/rounds-done.js';
import { shortDigest } from '../requested-output.js';

/** A request that is to be sent, but for the secrets in it and where its catalog is. */
export interface CommandToSend {
  readonly step: RunStep;
  readonly operation: OperationShape;
  readonly call: CallId;
  /** Tries before this one, here. */
  readonly tried: number;
  /** Which try of its call this is: of a write all branches are counted, so that a word about one is about no other. */
  readonly number: number;
  /** When the first of them began; undefined before. */
  readonly since: number | undefined;
  readonly with: JsonObject;
  readonly body?: JsonValue;
  /** The same with secrets by their names. */
  readonly named: Pick<CommandToSend, 'with' | 'body'>;
  /** Why nobody agreed to this very request, where somebody should have. */
  readonly unconfirmed?: string;
  /** Where its catalog was called when this was decided; empty where nobody knew. */
  readonly address: string;
  /** Of what is sent and to where, secrets by their names. */
  readonly digest: string;
  /** It changes something outside. */
  readonly writes: boolean;
  readonly repeat: RepeatRule;
  /** What its expressions read besides the answer. */
  readonly scope: Scope;
}

/** What the world around says of the commands of a run. */
export interface CommandWorld {
  /** Makes the holes for secrets that the author wrote into ones that nobody else can write. */
  readonly mark: string;
  /** Where a catalog is called. */
  readonly addressOf: (catalog: string) => string | undefined;
  /** What came back of a call and is in memory alone. */
  readonly secretAnswer: (call: CallId) => JsonValue | undefined;
  /** The same without any secret that is known. */
  readonly hidden: <V extends JsonValue>(value: V) => V;
  /** When that was. */
  readonly timeOf: (at: string) => number;
}

/** The command that is pending at a node, filled; or why it cannot be sent. */
export function commandAt(
  session: FoldedSession,
  node: RunNode,
  workflow: CompiledWorkflow,
  { mark, addressOf, timeOf, secretAnswer, hidden }: CommandWorld,
): Result<CommandToSend, string> {
  const step = placesOf(workflow).get(node.pending?.id ?? '')?.step;
  assert(step?.kind === 'run', 'a pinned workflow has the step that its run names');
  const key = commandKey(step);
  const operation = own(workflow.operations ?? {}, key);
  if (operation === undefined) return err(`nobody knew the command ${key} when the run began`);
  const scope = scopeOf(session, node, workflow);
  const filled = filledStep(step, workflow, withSecretAnswers(scope, secretAnswer), mark);
  if ('lacking' in filled)
    return err(`${key} was not sent: \`${filled.lacking.expression}\` has no value: ${filled.lacking.message}`);
  const named = hidden(withoutMark(filled, mark));
  const address = operation.baseUrl ?? addressOf(step.catalog) ?? '';
  const digest = shortDigest({ key, address, ...named, ...(step.content !== undefined && { content: step.content }) });
  const path = node.pending?.path ?? '';
  const first = firstTry(node);
  const call = `c_${sha256Hex(`${node.run} ${path} ${digest}`).slice(0, 12)}` as CallId;
  const writes = isReading(step.command, operation) !== true;
  const { tries } = commandStanding(node);
  return ok({
    step,
    operation,
    call,
    tried: tries,
    number: (writes ? Math.max(tries, lastTry(session, call)) : tries) + 1,
    since: first === undefined ? undefined : timeOf(first.at) - first.data.ms,
    ...filled,
    named,
    address,
    digest,
    writes,
    repeat: repeatRule(step, operation),
    scope,
  });
}

/** Secrets by their names, as the author wrote them. */
const withoutMark = <V extends object>(filled: V, mark: string): V =>
  JSON.parse(JSON.stringify(filled).replaceAll(` ${mark}}}`, ' }}')) as V;

/** What is sent may hold what no log does: nothing else that is evaluated reads it. */
function withSecretAnswers(scope: Scope, secretAnswer: CommandWorld['secretAnswer']): Scope {
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

/** Where somebody had it sent again, its time begins anew. */
function firstTry(node: RunNode): Event<'command_done'> | undefined {
  const { tries = [] } = node;
  return tries[tries.findLastIndex(({ data }) => settledAt(node, data)?.choice === 'repeat') + 1];
}

function repeatRule(step: RunStep, operation: OperationShape): RepeatRule {
  if (step.repeatable !== undefined) return step.repeatable ? 'repeatable' : 'once';
  if (operation.idempotencyHeader !== undefined) return 'keyed';
  return isRepeatable(step.command, operation) === true ? 'repeatable' : 'once';
}

export function scopeOf(session: FoldedSession, node: RunNode, workflow: CompiledWorkflow): Scope {
  const inputs = session.runs.get(node.run)?.started.data.inputs ?? {};
  const facts = { ...recordsAt(session, node), inputs, rounds: roundsDone(session, node) };
  return { ...scopeAt(workflow, facts, node.pending?.frames ?? []), meter: { left: limits.stepWork } };
}

type Lacking = FilledValue['problems'][number];
type Kept = (expression: string) => string | undefined;

/** What a step sends, or the first hole that has no value. */
export type Filled = { readonly with: JsonObject; readonly body?: JsonValue } | { readonly lacking: Lacking };

export function filledStep(step: RunStep, workflow: CompiledWorkflow, scope: Scope, mark: string): Filled {
  const secret: Kept = (expression) =>
    /^secrets\.[A-Za-z_]\w*$/u.test(expression) ? `\${{ ${expression} ${mark}}}` : undefined;
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

function withoutAbsent(value: JsonValue, workflow: CompiledWorkflow, scope: Scope, secret: Kept): Body {
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
