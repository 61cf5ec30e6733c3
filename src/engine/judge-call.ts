import type { JsonObject, JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { RunStep } from '../definitions/compiled/compiled-workflow.js';
import { evaluate, evaluateCondition, type Scope } from '../definitions/expression/expression.js';
import { tellExpression } from '../definitions/expression/tell-expression.js';

/** An answer that is there, whole. Of several pages the body is the list of their items. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: JsonObject;
  readonly body: JsonValue;
}

export type JudgedCall =
  /** What is kept of the body. */
  | { readonly kind: 'right'; readonly body: JsonValue }
  /** What is waited for does not hold yet. */
  | { readonly kind: 'not_yet'; readonly body: JsonValue }
  | { readonly kind: 'wrong'; readonly message: string; readonly body: JsonValue };

/** Whether an answer is what its step wants, and what of it is kept. */
export function judgeCall(step: RunStep, answer: CallAnswer, around: Scope): JudgedCall {
  const { status, headers, body } = answer;
  const scope = { ...around, names: { ...around.names, status, headers, body } };
  const wrong = (message: string): JudgedCall => ({ kind: 'wrong', message, body });
  const expected = isExpected(step.expect, status, scope);
  if (expected !== true) return wrong(expected);
  if (step.until !== undefined) {
    const holds = evaluateCondition(step.until, scope);
    if (!holds.ok) return wrong(`\`until\` cannot be told: ${holds.message}`);
    if (!holds.value) return { kind: 'not_yet', body };
  }
  return keptOf(step, answer, scope, wrong);
}

/** True, or why not. */
function isExpected(expect: RunStep['expect'], status: number, scope: Scope): true | string {
  const answered = `it answered ${status}`;
  if (typeof expect === 'string') {
    const holds = evaluateCondition(expect, scope);
    if (!holds.ok) return `${answered}, and \`expect\` cannot be told: ${holds.message}`;
    return holds.value || `${answered}, and \`expect\` does not hold: ${tellExpression(expect)}`;
  }
  const right = (expect ?? ['2xx']).some((one) =>
    typeof one === 'number' ? one === status : one.startsWith(String(Math.floor(status / 100))),
  );
  return right || `${answered}, expected ${(expect ?? ['2xx']).join(' or ')}`;
}

function keptOf(
  { keep, paginate }: RunStep,
  { body }: CallAnswer,
  scope: Scope,
  wrong: (message: string) => JudgedCall,
): JudgedCall {
  if (keep === undefined) return { kind: 'right', body };
  const names = Object.keys(keep);
  const project = (names_: JsonObject): JsonObject | string => {
    const kept: [string, JsonValue][] = [];
    for (const name of names) {
      const value = evaluate(own(keep, name)!, { ...scope, names: { ...scope.names, ...names_ } });
      if (!value.ok) return `\`keep.${name}\` has no value: ${value.message}`;
      kept.push([name, value.value]);
    }
    return Object.fromEntries(kept);
  };
  if (paginate === undefined) {
    const kept = project({});
    return typeof kept === 'string' ? wrong(kept) : { kind: 'right', body: kept };
  }
  const items: JsonValue[] = [];
  for (const [i, item] of (body as readonly JsonValue[]).entries()) {
    const kept = project({ item, i });
    if (typeof kept === 'string') return wrong(kept);
    items.push(kept);
  }
  return { kind: 'right', body: items };
}
