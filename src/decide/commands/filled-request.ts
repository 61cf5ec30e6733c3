import type { CallId } from '../../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { lazyObject } from '../../base/lazy-object.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CompiledWorkflow, RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { evaluate, type Scope } from '../../definitions/expression/expression.js';
import type { Kept } from '../../definitions/expression/filled-value.js';
import { type Filled, filledStep } from './filled-step.js';

/** What is known of answers that are secret; undefined where this process does not have them. */
export type SecretAnswerOf = (call: CallId) => JsonValue | undefined;

type Given = Exclude<Filled, { readonly lacking: unknown }>;

export interface FilledRequest {
  /** As it is sent, but for the secrets of catalogs. */
  readonly filled: Given;
  /** As it is told: what is secret stands there by where it is from. */
  readonly named: Given;
  /** What it sends of secret answers. */
  readonly secretParts: readonly string[];
}

/** What a step sends; or the first hole that has no value, and why. */
export function filledRequest(
  step: RunStep,
  workflow: CompiledWorkflow,
  scope: Scope,
  { mark, secretAnswer }: { readonly mark: string; readonly secretAnswer: SecretAnswerOf },
): Result<FilledRequest, { readonly expression: string; readonly message: string }> {
  const parts = new Set<string>();
  /** What reads a secret answer is told as it is written, be it a part of it or made of it. */
  const asWritten: Kept = (expression) => {
    const reading = withSecretAnswers({ ...scope, meter: { left: limits.stepWork } }, secretAnswer);
    const read = evaluate(expression, reading.scope);
    if (!reading.isRead()) return undefined;
    if (read.ok) for (const part of partsIn(read.value)) parts.add(part);
    return `\${{ ${expression} }}`;
  };
  const sending = withSecretAnswers(scope, secretAnswer);
  const filled = filledStep(step, workflow, sending.scope, mark);
  if ('lacking' in filled) {
    const { expression, message } = filled.lacking;
    // Why it has none may be told with what is there.
    const isTold = asWritten(expression) === undefined || sending.isLost();
    return err({ expression, message: isTold ? message : 'what it reads is secret, and has no such value' });
  }
  if (!sending.isRead()) return ok({ filled, named: withoutMark(filled, mark), secretParts: [] });
  const named = filledStep(step, workflow, sending.scope, mark, asWritten);
  if ('lacking' in named) return err(named.lacking);
  return ok({ filled, named: withoutMark(named, mark), secretParts: [...parts] });
}

/** Secrets by their names, as the author wrote them. */
const withoutMark = <V extends object>(filled: V, mark: string): V =>
  JSON.parse(JSON.stringify(filled).replaceAll(` ${mark}}}`, ' }}')) as V;

interface SecretScope {
  readonly scope: Scope;
  readonly isRead: () => boolean;
  /** One that was read is not known to this process. */
  readonly isLost: () => boolean;
}

/** What is sent may hold what no log does: nothing else that is evaluated reads it. */
function withSecretAnswers(scope: Scope, secretAnswer: SecretAnswerOf): SecretScope {
  const { outputs } = scope;
  let [isRead, isLost] = [false, false];
  const known = (left: JsonValue): JsonValue => {
    if (!isJsonObject(left) || own(left, 'noBody') !== 'secret') return left;
    const body = secretAnswer(left['call'] as CallId);
    isRead = true;
    isLost ||= body === undefined;
    return body === undefined ? left : { ...left, body };
  };
  const find = (step: string): JsonValue | undefined => {
    const left = own(outputs, step);
    return left && known(left);
  };
  const all = (): JsonObject => Object.fromEntries(Object.entries(outputs).map(([step, left]) => [step, known(left)]));
  return { scope: { ...scope, outputs: lazyObject(find, all) }, isRead: () => isRead, isLost: () => isLost };
}

/** Texts and numbers, wherever they stand in it. */
function partsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(partsIn) : [];
}
