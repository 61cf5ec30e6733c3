import { assert } from '../../base/assert.js';
import type { RepeatRule } from '../../base/closed-sets.js';
import { sha256Hex } from '../../base/digest.js';
import type { CallId } from '../../base/ids.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { err, ok, type Result } from '../../base/result.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { isReading, isRepeatable, type OperationShape } from '../../definitions/compiled/operation-shape.js';
import { placesOf } from '../../definitions/compiled/place.js';
import type { Scope } from '../../definitions/expression/expression.js';
import { scopeAt } from '../../definitions/expression/scope-at.js';
import type { Event } from '../../events/event.js';
import { commandStanding, lastTry, settledAt } from '../../sessions/command-standing.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { recordsAt } from '../../sessions/records.js';
import { roundsDone } from '../../sessions/rounds-done.js';
import { shortDigest } from '../requested-output.js';
import { filledRequest, type SecretAnswerOf } from './filled-request.js';
import type { RequestParts, SentFile } from './sent-files.js';

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
  /** The same with secrets by their names, and secret answers by where they are from. */
  readonly named: Pick<CommandToSend, 'with' | 'body'>;
  /** What it sends of secret answers: nothing that is told of it has that. */
  readonly secretParts: readonly string[];
  /** Files of the workspace that it sends, with what was in them: other bytes are another request. */
  readonly files: readonly SentFile[];
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
  readonly secretAnswer: SecretAnswerOf;
  /** The files of the workspace that a request would send, as they are now. */
  readonly filesOf: (request: RequestParts) => readonly SentFile[];
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
  { mark, addressOf, timeOf, secretAnswer, filesOf, hidden }: CommandWorld,
): Result<CommandToSend, string> {
  const step = placesOf(workflow).get(node.pending?.id ?? '')?.step;
  assert(step?.kind === 'run', 'a pinned workflow has the step that its run names');
  const key = commandKey(step);
  const operation = own(workflow.operations ?? {}, key);
  if (operation === undefined) return err(`nobody knew the command ${key} when the run began`);
  const scope = scopeOf(session, node, workflow);
  const request = filledRequest(step, workflow, scope, { mark, secretAnswer });
  if (!request.ok)
    return err(`${key} was not sent: \`${request.error.expression}\` has no value: ${request.error.message}`);
  const { filled, secretParts } = request.value;
  const named = hidden(request.value.named);
  const address = operation.baseUrl ?? addressOf(step.catalog) ?? '';
  const content = step.content === undefined ? {} : { content: step.content };
  const files = filesOf({ operation, ...filled, ...content });
  const bytes = files.length === 0 ? {} : { files: files.map(({ sha256 = null }) => sha256) };
  const digest = shortDigest({ key, address, ...named, ...content, ...bytes });
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
    secretParts,
    files,
    address,
    digest,
    writes,
    repeat: repeatRule(step, operation),
    scope,
  });
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
