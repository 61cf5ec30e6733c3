import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { checkWorkflow } from './check-workflow.js';
import { compileContract } from './compile-contract.js';
import type { CompiledStep, CompiledWorkflow, InputSpec, LoopStep, PromptStep, RecommendedPreferences, Rule, ValueSpec } from './compiled-workflow.js';
import { knownKeys } from './known-keys.js';
import { shapeFindings } from './shape-findings.js';
import { parseSource } from './source-document.js';
import { locateFindings } from './source-reporter.js';
import type { Violation } from './violation.js';
import { workflowSource, type StepSource, type ValueSource, type WorkflowSource } from './workflow-format.js';

export type Compilation =
  | { readonly ok: true; readonly workflow: CompiledWorkflow; readonly warnings: readonly Violation[] }
  /** `id` and `title` as far as the source could be read. */
  | { readonly ok: false; readonly id?: string; readonly title?: string; readonly violations: readonly Violation[] };

/** Source text to compiled workflow, or everything that is wrong with it at once. `file` only serves messages. */
export function compileSource(text: string, file: string): Compilation {
  const document = parseSource(text, file);
  if (!document.ok) return { ok: false, violations: document.error };
  const source = document.value.value;
  if (!isJsonObject(source)) {
    const violation = { path: [], rule: 'type', message: `${file} is not a workflow: expected an object with \`workflow\` and \`steps\`` };
    return { ok: false, violations: locateFindings([violation], document.value) };
  }
  const parsed = workflowSource.safeParse(source);
  const findings = [...(parsed.success ? [] : shapeFindings(parsed.error.issues, source, knownKeys)), ...checkWorkflow(source)];
  const violations = locateFindings(findings, document.value);
  if (!parsed.success || violations.some(({ severity }) => severity === 'error')) return { ok: false, ...named(source), violations };
  return { ok: true, workflow: compileWorkflow(parsed.data), warnings: violations };
}

function named(source: JsonObject): { readonly id?: string; readonly title?: string } {
  const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  return present({ id: text(source['workflow']), title: text(source['title']) });
}

function compileWorkflow(source: WorkflowSource): CompiledWorkflow {
  const { workflow: id, title, recommends, inputs, steps, ...rest } = source;
  const preferences: RecommendedPreferences = present(recommends ?? {});
  return {
    compiled: 1,
    id,
    ...rest,
    title: title ?? humanised(id.slice(id.indexOf('.') + 1)),
    // To recommend nothing and to say nothing is the same.
    ...(Object.keys(preferences).length === 0 ? {} : { recommends: preferences }),
    inputs: mapValues(inputs, (input): InputSpec => ({ ...compileValue(input), required: input.required, ...(input.default === undefined ? {} : { default: input.default }) })),
    steps: steps.map(compileStep),
  };
}

function compileStep(step: StepSource): CompiledStep {
  const base = { id: step.id, title: step.title ?? humanised(step.id), ...(step.if === undefined ? {} : { if: step.if.trim() }) };
  if (step.prompt !== undefined) return compilePrompt(step, step.prompt, base);
  const steps = (step.steps ?? []).map(compileStep);
  const loop = compileLoop(step);
  return loop ? { kind: 'loop', ...base, loop, max: step.max ?? limits.loopIterations, steps } : { kind: 'group', ...base, steps };
}

function compilePrompt(step: StepSource, prompt: string, base: { readonly id: string; readonly title: string; readonly if?: string }): PromptStep {
  const { output = [] } = step;
  return {
    kind: 'prompt',
    ...base,
    ...(step.role === undefined ? {} : { role: step.role }),
    prompt,
    guidance: step.guidance ?? [],
    sets: mapValues(step.sets ?? {}, compileValue),
    needs: step.needs ?? [],
    confirm: step.confirm ?? false,
    notes: step.notes ?? 'encouraged',
    outputs: (Array.isArray(output) ? output : [output]).map(compileContract),
    rules: (step.rules ?? []).flatMap(compileRule),
  };
}

function compileLoop(step: StepSource): LoopStep['loop'] | undefined {
  if (step.foreach !== undefined) return { type: 'foreach', list: step.foreach.trim(), as: step.as ?? 'item' };
  if (step.while !== undefined) return { type: 'while', test: step.while.trim() };
  if (step.until !== undefined) return { type: 'until', test: step.until.trim() };
  if (step.repeat !== undefined) return { type: 'repeat', times: typeof step.repeat === 'string' ? step.repeat.trim() : step.repeat };
  return undefined;
}

function compileRule({ contains, matches, minLength, maxLength }: NonNullable<StepSource['rules']>[number]): readonly Rule[] {
  return [
    ...(contains === undefined ? [] : [{ contains }]),
    ...(matches === undefined ? [] : [{ matches }]),
    ...(minLength === undefined ? [] : [{ minLength }]),
    ...(maxLength === undefined ? [] : [{ maxLength }]),
  ];
}

function compileValue({ type, description, enum: choices, pattern, minimum, maximum, items, example }: ValueSource): ValueSpec {
  return { type, ...present({ description, enum: choices, pattern, minimum, maximum, example, items: items && compileValue(items) }) };
}

/** An id as a title: `read_every-file` is “Read every file”. */
function humanised(id: string): string {
  const words = id.replaceAll(/[_-]+/gu, ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function mapValues<A, B>(record: { readonly [key: string]: A }, change: (value: A) => B): { readonly [key: string]: B } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** Absent and undefined are two spellings of one thing; the compiled form knows the first only. */
function present<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
