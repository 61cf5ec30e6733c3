import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { asJson } from '../../contract/reply-with.js';
import type { CompiledStep, CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../../definitions/compiled/place.js';
import { evaluate, evaluateCondition, type Scope } from '../../definitions/expression/expression.js';
import { scopeAt } from '../../definitions/expression/scope-at.js';
import { templateParts } from '../../definitions/expression/template.js';
import { asText } from '../../definitions/expression/expression-values.js';
import { previewFrom } from '../preview-steps.js';

interface Known {
  readonly inputs: JsonObject;
  readonly context: JsonObject;
}

/** The preview of each step with its holes filled as far as they can be; a hole that only a run can fill stays as it is written. */
export function* renderedSteps(workflow: CompiledWorkflow, known: Known, from = 0): Generator<JsonObject> {
  const scope = scopeAt(workflow, { ...known, outputs: {}, lists: {} }, []);
  const steps = [...placesOf(workflow).values()].slice(from);
  let at = 0;
  for (const preview of previewFrom(workflow, from)) {
    const step = steps[at++]?.step;
    yield asJson({ ...filled(preview, scope), ...(step?.if !== undefined && { runs: runs(step, scope) }) });
  }
}

/** Conditions are told as such: they are not texts with holes. */
function filled(preview: JsonObject, scope: Scope): JsonObject {
  return Object.fromEntries(Object.entries(preview).map(([key, value]) => [key, filledValue(value, scope)]));
}

function filledValue(value: JsonValue, scope: Scope): JsonValue {
  if (typeof value === 'string') return filledText(value, scope);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((inner) => filledValue(inner, scope));
  return isJsonObject(value) ? filled(value, scope) : value;
}

function filledText(text: string, scope: Scope): string {
  return templateParts(text)
    .map((part) => {
      if ('text' in part) return part.text;
      const result = evaluate(part.source, scope);
      return result.ok ? asText(result.value) : `\${{ ${part.source} }}`;
    })
    .join('');
}

/** Whether it would be done, as far as is known. */
function runs({ if: condition = 'true' }: CompiledStep, scope: Scope): 'yes' | 'no' | 'unknown' {
  const result = evaluateCondition(condition, scope);
  return !result.ok ? 'unknown' : result.value ? 'yes' : 'no';
}
