import type { gapCategories, gapSeverities } from '../base/closed-sets.js';
import type { GapId } from '../base/ids.js';
import { digestOf } from '../base/digest.js';
import type { JsonObject } from '../base/json-value.js';
import { plainCopy } from '../base/plain-copy.js';
import { isUsage } from '../base/usage.js';
import type { Preferences } from '../base/preferences.js';
import type { Output } from '../events/event-data.js';

/** The durable part of a request, once parsed. */
export interface RequestedOutput {
  readonly notesMarkdown?: string | undefined;
  readonly artifacts?: readonly JsonObject[] | undefined;
  readonly gaps?: readonly RequestedGap[] | undefined;
}

export interface RequestedGap {
  readonly category: (typeof gapCategories)[number];
  readonly reason: string;
  readonly detail: string;
  readonly severity?: (typeof gapSeverities)[number] | undefined;
  readonly assumption?: string | undefined;
  readonly resolves?: GapId | undefined;
}

export interface Brought {
  readonly output?: RequestedOutput | undefined;
  readonly context?: JsonObject | undefined;
}

/** What is kept of an output; undefined when there is nothing to keep. */
export function keptOutput(output: RequestedOutput | undefined): Output | undefined {
  const notes = output?.notesMarkdown?.trim() === '' ? undefined : output?.notesMarkdown;
  const artifacts = output?.artifacts?.length === 0 ? undefined : output?.artifacts;
  if (notes === undefined && artifacts === undefined) return undefined;
  return { ...(notes !== undefined && { notes }), ...(artifacts !== undefined && { artifacts: [...artifacts] }) };
}

/** What was used is a part of its own: what comes takes the place of that part, and of the others what each of them is. */
export function withUsageOf(output: Output, before: Output): readonly JsonObject[] | undefined {
  const { artifacts: came } = output;
  const { artifacts: stood } = before;
  if (came === undefined || stood === undefined) return came ?? stood;
  const hasUsage = came.some(isUsage);
  const hasOthers = !came.every(isUsage);
  const kept = stood.filter((artifact) => !(isUsage(artifact) ? hasUsage : hasOthers));
  return hasOthers ? [...came, ...kept] : [...kept, ...came];
}

/** What came without what was used: that alone is no work. */
export function workOf(output: RequestedOutput | undefined): RequestedOutput | undefined {
  if (output?.artifacts?.some(isUsage) !== true) return output;
  return { ...output, artifacts: output.artifacts.filter((artifact) => !isUsage(artifact)) };
}

export function isEmpty({ output, context }: Brought): boolean {
  return (
    keptOutput(output) === undefined && (output?.gaps ?? []).length === 0 && Object.keys(context ?? {}).length === 0
  );
}

/** Tells a retry from a redo: the output and context that came, whatever their key order. */
export function broughtDigest({ output, context }: Brought): string {
  return shortDigest([keptOutput(output) ?? null, output?.gaps ?? [], context ?? {}]);
}

/** Tells one request from another on the same attempt. */
export function requestDigest(
  brought: Brought & {
    readonly confirmed: boolean;
    readonly preferences: Preferences;
    readonly refused?: string | undefined;
  },
): string {
  const { confirmed, preferences, refused } = brought;
  return shortDigest([broughtDigest(brought), confirmed, preferences, ...(refused === undefined ? [] : [{ refused }])]);
}

/** Of plain JSON, where a field that is undefined counts as absent. */
export function shortDigest(value: unknown): string {
  return digestOf(plainCopy(value)).slice(0, 16);
}
