import { byteLength } from '../base/byte-budget.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { isJsonObject } from '../base/json-value.js';
import type { NextCall } from '../base/rejection.js';
import type { InspectAnswer } from '../contract/answer.js';
import { previewText } from '../contract/preview-text.js';
import type { Reply } from '../contract/reply.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { promptsIn } from '../definitions/compiled/visit-steps.js';
import { describeValue } from '../definitions/contracts/value-spec.js';
import { callText } from '../contract/call-text.js';
import { violationText } from './list-reply.js';
import { contextKeys } from '../definitions/expand/context-keys.js';
import { asJson, lookupReply } from '../contract/reply-with.js';

/** The cursor of the page that tells every key of a workflow file. */
export const formatPage = 'format';
/** The same of steps that WorkRail does itself. */
export const commandsPage = 'format.commands';

export function inspectReply(answer: InspectAnswer, file: string): Reply {
  const { workflow, steps, source, format, violations, warnings, nextCursor, nextCall } = answer;
  if (format !== undefined) return lookupReply(`${format}\nNext: ${callText(nextCall)}`, answer);
  const lines: string[] = [];
  const { violationCount: count, ...fields } = workflow;
  for (const [field, value] of Object.entries(fields)) lines.push(...fieldLines(field, value));
  if (violations.length > 0)
    lines.push(
      typeof count === 'number' ? `cannot be started, ${count} violation${count === 1 ? '' : 's'}:` : 'violations:',
      ...violations.map((violation) => `- ${violationText(file, violation)}`),
    );
  if (warnings.length > 0) lines.push('warnings:', ...warnings.map((warning) => `- ${violationText(file, warning)}`));
  if (steps !== undefined) lines.push('steps:', ...steps.map((step) => previewText(step)));
  if (source !== undefined) lines.push('source:', source);
  if (violations.length > 0) lines.push(`Every key there is: ${callText(formatCall(workflow['id'] ?? ''))}`);
  if (nextCursor !== undefined)
    lines.push(
      `More: ${callText({ tool: 'inspect_workflow', arguments: { workflowId: workflow['id'] ?? '', mode: source !== undefined ? 'source' : steps !== undefined ? 'preview' : 'metadata', cursor: nextCursor } })}`,
    );
  lines.push(`Next: ${callText(nextCall)}`);
  return lookupReply(lines.join('\n'), answer);
}

const formatCall = (workflowId: JsonValue): NextCall => ({
  tool: 'inspect_workflow',
  arguments: { workflowId, cursor: formatPage },
});

/** What a step or a violation takes of an answer, which is measured by the larger of its two forms. */
export function previewBytes(step: JsonObject): number {
  return Math.max(byteLength(JSON.stringify(step)), byteLength(previewText(step)));
}

function fieldLines(field: string, value: JsonValue): readonly string[] {
  if (value === '') return [];
  if (typeof value === 'string') return [`${field}: ${value}`];
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return items.length === 0
      ? []
      : items.every((item) => typeof item === 'string')
        ? [`${field}:`, ...items.map((item) => `- ${item}`)]
        : [`${field}: ${JSON.stringify(value)}`];
  }
  if (field === 'inputs' && isJsonObject(value))
    return ['inputs:', ...Object.entries(value).map(([name, spec]) => inputLine(name, isJsonObject(spec) ? spec : {}))];
  return [`${field}: ${JSON.stringify(value)}`];
}

function inputLine(name: string, { required, wanted, description, default: otherwise, example }: JsonObject): string {
  const said = typeof description === 'string' ? ` (${description})` : '';
  const more = [
    otherwise === undefined ? '' : `${JSON.stringify(otherwise)} where it is not given`,
    example === undefined ? '' : `such as ${JSON.stringify(example)}`,
  ].filter((part) => part !== '');
  return `- ${name}${required === true ? ' (required)' : ''}: ${typeof wanted === 'string' ? wanted : ''}${said}${more.map((part) => `; ${part}`).join('')}`;
}

/** What a workflow is and wants as a whole. */
export function metadataOf(workflow: CompiledWorkflow, hash: string, more: JsonObject): JsonObject {
  const { id, kind, title, description, version, tags, inputs, steps } = workflow;
  const { guidance, preconditions, clarify, recommends, references, provenance, returns, operations } = workflow;
  const keys = contextKeys(workflow);
  const asked = promptsIn(steps).flatMap(({ outputs }) => outputs.flatMap(({ contract }) => contract ?? []));
  const contracts = [...new Set(asked)].toSorted();
  return asJson({
    id,
    title,
    description,
    kind,
    version,
    hash,
    tags,
    ...more,
    guidance,
    preconditions,
    clarify,
    ...(recommends !== undefined && { recommends }),
    ...(Object.keys(inputs).length > 0 && {
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([name, spec]) => [name, { ...spec, wanted: describeValue(spec) }]),
      ),
    }),
    contextKeys: keys.set,
    ...(keys.onlyRead.length > 0 && { contextFromElsewhere: keys.onlyRead }),
    ...(contracts.length > 0 && { contracts }),
    ...(references !== undefined && { references }),
    ...(returns !== undefined && { returns }),
    ...(operations !== undefined && { commands: Object.keys(operations) }),
    ...(provenance !== undefined && { provenance }),
  });
}
