import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { loopFields } from './step-keys.js';
import type { SourcePath } from './source-path.js';

export type LoopField = (typeof loopFields)[number];

/** One step as far as it can be understood, so that a mistake in one place does not hide those in another. */
export interface StepOutline {
  readonly path: SourcePath;
  readonly source: JsonObject;
  readonly id: string | undefined;
  readonly loop: LoopField | undefined;
  /** Loops around it, outermost first. */
  readonly loops: readonly StepOutline[];
  readonly steps: readonly StepOutline[];
}

export function outlineSteps(
  value: JsonValue | undefined,
  path: SourcePath,
  loops: readonly StepOutline[] = [],
): readonly StepOutline[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).flatMap((source, at) =>
    isJsonObject(source) ? [outlineStep(source, [...path, at], loops)] : [],
  );
}

const isCommand = (source: JsonObject): boolean => source['run'] !== undefined && source['steps'] === undefined;

function outlineStep(source: JsonObject, path: SourcePath, loops: readonly StepOutline[]): StepOutline {
  const id = typeof source['id'] === 'string' ? source['id'] : undefined;
  // A command asks `until` of its own answers.
  const loop = loopFields.find((field) => source[field] !== undefined && !(field === 'until' && isCommand(source)));
  const outline = { path, source, id, loop, loops, steps: [] };
  return { ...outline, steps: outlineSteps(source['steps'], [...path, 'steps'], loop ? [...loops, outline] : loops) };
}

export function eachStep(steps: readonly StepOutline[]): readonly StepOutline[] {
  return steps.flatMap((step) => [step, ...eachStep(step.steps)]);
}
