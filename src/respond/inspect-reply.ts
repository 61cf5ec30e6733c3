import type { JsonObject } from '../base/json-value.js';
import type { InspectAnswer } from '../contract/answer.js';
import type { Reply } from '../contract/reply.js';
import type { CompiledStep, CompiledWorkflow, PromptStep } from '../definitions/compiled-workflow.js';
import { describeValue } from '../definitions/value-spec.js';
import { callText } from './call-text.js';
import { violationText } from './list-reply.js';
import { asJson, lookupReply } from './reply-with.js';
import { tellExpects } from './tell-step.js';

export function inspectReply(answer: InspectAnswer, file: string): Reply {
  const { workflow, steps, source, violations, warnings, nextCursor, nextCall } = answer;
  const lines: string[] = [];
  for (const [field, value] of Object.entries(workflow)) lines.push(...fieldLines(field, value));
  if (violations.length > 0) lines.push(`cannot be started, ${violations.length} violation${violations.length === 1 ? '' : 's'}:`, ...violations.map((violation) => `- ${violationText(file, violation)}`));
  if (warnings.length > 0) lines.push('warnings:', ...warnings.map((warning) => `- ${violationText(file, warning)}`));
  if (steps !== undefined) lines.push('steps:', ...steps.map((step) => previewText(step)));
  if (source !== undefined) lines.push('source:', source);
  if (nextCursor !== undefined) lines.push(`More: ${callText({ tool: 'inspect_workflow', arguments: { workflowId: workflow['id'] ?? '', mode: source === undefined ? 'preview' : 'source', cursor: nextCursor } })}`);
  lines.push(`Next: ${callText(nextCall)}`);
  return lookupReply(lines.join('\n'), answer);
}

function fieldLines(field: string, value: unknown): readonly string[] {
  if (typeof value === 'string') return [`${field}: ${value}`];
  if (Array.isArray(value) && value.length === 0) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [`${field}:`, ...value.map((item) => `- ${item}`)];
  return [`${field}: ${JSON.stringify(value)}`];
}

const shownElsewhere = new Set(['path', 'title', 'prompt', 'kind', 'stepId']);

function previewText(step: JsonObject): string {
  const { path, title, prompt } = step;
  const lines = [`- ${typeof path === 'string' ? path : ''}: ${typeof title === 'string' ? title : ''}`];
  for (const [field, value] of Object.entries(step)) {
    if (shownElsewhere.has(field)) continue;
    lines.push(`  ${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  if (typeof prompt === 'string') lines.push(...prompt.trimEnd().split('\n').map((line) => `  | ${line}`));
  return lines.join('\n');
}

export function metadataOf(workflow: CompiledWorkflow, hash: string, more: JsonObject): JsonObject {
  const { id, kind, title, description, version, tags, guidance, preconditions, clarify, recommends, inputs } = workflow;
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
      inputs: Object.fromEntries(Object.entries(inputs).map(([name, spec]) => [name, { ...spec, wanted: describeValue(spec) }])),
    }),
    contextKeys: contextKeysOf(workflow.steps),
    ...(workflow.references !== undefined && { references: workflow.references }),
    ...(workflow.provenance !== undefined && { provenance: workflow.provenance }),
  });
}

/** The context keys that steps hand back or conditions wait for. */
function contextKeysOf(steps: readonly CompiledStep[]): readonly string[] {
  const keys = new Set<string>();
  const walk = (inner: readonly CompiledStep[]): void => {
    for (const step of inner) {
      if (step.kind !== 'prompt') walk(step.steps);
      else for (const key of [...Object.keys(step.sets), ...step.needs.map((need) => need.key)]) keys.add(key);
    }
  };
  walk(steps);
  return [...keys].toSorted();
}

/** Every step with what it asks back, holes and all: what a run will show once they are filled. */
export function previewSteps(workflow: CompiledWorkflow): readonly JsonObject[] {
  const shown: JsonObject[] = [];
  // What some step sets is asked of that step; a run asks others for it only where that one was skipped.
  const declared = Object.fromEntries(contextKeysOf(workflow.steps).map((key) => [key, true]));
  const walk = (steps: readonly CompiledStep[], above: string): void => {
    for (const step of steps) {
      const path = `${above}${step.id}`;
      const common = { path, stepId: step.id, title: step.title, ...(step.if !== undefined && { if: step.if }) };
      if (step.kind === 'prompt') shown.push(asJson({ ...common, kind: step.kind, ...promptPreview(workflow, step, declared) }));
      else {
        shown.push(asJson({ ...common, kind: step.kind, ...(step.kind === 'loop' && { loop: step.loop, max: step.max }) }));
        walk(step.steps, `${path}/`);
      }
    }
  };
  walk(workflow.steps, '');
  return shown;
}

function promptPreview(workflow: CompiledWorkflow, step: PromptStep, declared: JsonObject): object {
  const { role, prompt, guidance } = step;
  const { notes, artifacts, context, confirmation, needs } = tellExpects(workflow, step, declared, step.confirm);
  return {
    ...(role !== undefined && { role }),
    ...(guidance.length > 0 && { guidance }),
    ...((notes.required || notes.rules.length > 0) && { notes: { required: notes.required, rules: notes.rules } }),
    ...(artifacts.length > 0 && { artifacts: artifacts.map(({ kind, required, schema }) => ({ kind, required, schema })) }),
    ...(context.length > 0 && { context: context.map(({ key, required, wanted, neededBy }) => ({ key, required, wanted, neededBy })) }),
    ...(confirmation.required && { confirm: true }),
    ...(step.functions !== undefined && { functions: step.functions }),
    ...(step.fragments !== undefined && { fragments: step.fragments }),
    ...(step.delegates !== undefined && { delegates: step.delegates }),
    ...(step.assessments !== undefined && { assessments: step.assessments }),
    ...(needs.length > 0 && { needs: needs.map(({ reason, key, ask }) => ({ reason, key, ask })) }),
    prompt,
  };
}
