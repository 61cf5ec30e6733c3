import type { JsonObject, JsonValue } from '../base/json-value.js';
import { err, ok, type Result } from '../base/result.js';
import type { RunStep } from '../definitions/compiled/compiled-workflow.js';
import { evaluate, evaluateCondition, type Scope } from '../definitions/expression/expression.js';
import { tellExpression } from '../definitions/expression/tell-expression.js';

/** An answer that is there, whole. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: JsonObject;
  readonly body: JsonValue;
}

export type JudgedCall =
  /** What is kept of the body. */
  | { readonly kind: 'right'; readonly body: JsonValue }
  /** What is waited for does not hold yet. */
  | { readonly kind: 'not_yet' }
  | { readonly kind: 'wrong'; readonly message: string };

/** Whether an answer is what its step wants, and what of it is kept. */
export function judgeCall(step: RunStep, answer: CallAnswer, around: Scope): JudgedCall {
  const scope = withAnswer(answer, around);
  const unexpected = whyUnexpected(step, answer.status, scope);
  if (unexpected !== undefined) return { kind: 'wrong', message: unexpected };
  if (step.until !== undefined) {
    const holds = evaluateCondition(step.until, scope);
    if (!holds.ok) return { kind: 'wrong', message: `\`until\` cannot be evaluated: ${holds.message}` };
    if (!holds.value) return { kind: 'not_yet' };
  }
  const kept = keptOf(step, answer.body, scope);
  return kept.ok ? { kind: 'right', body: kept.value } : { kind: 'wrong', message: kept.error };
}

/** Whether an answer of which nobody has the body is right all the same: nothing of the step reads it. */
export function isRightWithoutBody(
  step: RunStep,
  { status, headers }: Omit<CallAnswer, 'body'>,
  around: Scope,
): boolean {
  if (step.until !== undefined || step.keep !== undefined || step.paginate !== undefined) return false;
  return whyUnexpected(step, status, { ...around, names: { ...around.names, status, headers } }) === undefined;
}

/** The items of one page of a list; or what is wrong with the page. */
export function judgePage(step: RunStep, answer: CallAnswer, around: Scope): Result<readonly JsonValue[], string> {
  const scope = withAnswer(answer, around);
  const unexpected = whyUnexpected(step, answer.status, scope);
  if (unexpected !== undefined) return err(unexpected);
  const { items = 'body' } = step.paginate ?? {};
  // A server may say of an empty list that it has nothing to say.
  if (answer.body === null) return ok([]);
  const list = evaluate(items, scope);
  if (!list.ok) return err(`\`items\` has no value: ${list.message}`);
  return Array.isArray(list.value) ? ok(list.value as readonly JsonValue[]) : err(`\`${items}\` is not a list`);
}

/** What is kept of an item of a list. */
export const keptItem = (step: RunStep, item: JsonValue, i: number, around: Scope): Result<JsonValue, string> =>
  keptOf(step, item, { ...around, names: { ...around.names, item, i } });

/** What expressions read of an answer, besides what stands around them. */
export const withAnswer = ({ status, headers, body }: CallAnswer, around: Scope): Scope => ({
  ...around,
  names: { ...around.names, status, headers, body },
});

function whyUnexpected({ expect }: RunStep, status: number, scope: Scope): string | undefined {
  const answered = `it answered ${status}`;
  if (typeof expect === 'string') {
    const holds = evaluateCondition(expect, scope);
    if (!holds.ok) return `${answered}, and \`expect\` cannot be evaluated: ${holds.message}`;
    return holds.value ? undefined : `${answered}, and \`expect\` does not hold: ${tellExpression(expect)}`;
  }
  const right = (expect ?? ['2xx']).some((one) =>
    typeof one === 'number' ? one === status : one.startsWith(String(Math.floor(status / 100))),
  );
  return right ? undefined : `${answered}, expected ${(expect ?? ['2xx']).join(' or ')}`;
}

/** `whole`, or what the author keeps of it. */
function keptOf({ keep }: RunStep, whole: JsonValue, scope: Scope): Result<JsonValue, string> {
  if (keep === undefined) return ok(whole);
  const kept: [string, JsonValue][] = [];
  for (const [name, source] of Object.entries(keep)) {
    const value = evaluate(source, scope);
    if (!value.ok) return err(`\`keep.${name}\` has no value: ${value.message}`);
    kept.push([name, value.value]);
  }
  return ok(Object.fromEntries(kept));
}
