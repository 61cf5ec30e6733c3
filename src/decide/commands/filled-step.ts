import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { CompiledWorkflow, RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { isFile } from '../../definitions/compiled/file-reference.js';
import type { Scope } from '../../definitions/expression/expression.js';
import { type FilledValue, filledValue, type Kept } from '../../definitions/expression/filled-value.js';

type Lacking = FilledValue['problems'][number];

/** What a step sends, or the first hole that has no value. */
export type Filled = { readonly with: JsonObject; readonly body?: JsonValue } | { readonly lacking: Lacking };

/** Secrets stay, as holes that bear a mark; `kept` says what stays besides. */
export function filledStep(
  step: RunStep,
  workflow: CompiledWorkflow,
  scope: Scope,
  mark: string,
  kept: Kept = () => undefined,
): Filled {
  const secret: Kept = (expression) =>
    /^secrets\.[A-Za-z_]\w*$/u.test(expression) ? `\${{ ${expression} ${mark}}}` : kept(expression);
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
