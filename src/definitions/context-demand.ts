import type { JsonValue } from '../base/json-value.js';
import type { CompiledStep, CompiledWorkflow, LoopStep, PromptStep, ValueSpec } from './compiled-workflow.js';
import { contextReads, type ContextRead } from './context-reads.js';
import { expectedExample } from './expected-shape.js';
import { holesIn, promptTexts } from './step-expressions.js';
import { templateExpressions } from './template.js';

export interface ContextDemand {
  readonly key: string;
  readonly spec: ValueSpec;
  /** A right value, with the members and elements that are read of it. */
  readonly example: JsonValue;
  /** The step's own `sets` names it. Otherwise a later condition reads it and no step in between is sure to set it. */
  readonly declared: boolean;
  /** Without it the step cannot be completed: it is the step's own, or a condition may be asked right after this step. */
  readonly required: boolean;
  /** What depends on it, as phrases: whether step “Read every file” runs. */
  readonly neededBy: readonly string[];
}

/**
 * Which context keys a step should hand back. Every key that a condition can read after this step, before a step that
 * is sure to set it, is here: an agent that sets them all is never stopped by a key that nobody set.
 */
export function contextDemand(workflow: CompiledWorkflow, stepId: string): readonly ContextDemand[] {
  const trail = trailTo(workflow.steps, stepId);
  const step = trail?.at(-1)?.step;
  if (!trail || step?.kind !== 'prompt') return [];
  const reads = readsAfter(trail);
  const demands = new Map<string, { declared: boolean; required: boolean; neededBy: Set<string>; reads: ContextRead[] }>();
  for (const key of Object.keys(step.sets)) demands.set(key, { declared: true, required: true, neededBy: new Set(), reads: [] });
  for (const { read, phrase, way, condition } of reads) {
    // Once another step has surely set it anew, what depends on it depends on that step.
    if (way.set.has(read.key)) continue;
    const known = demands.get(read.key);
    if (!known && !condition) continue;
    const demand = known ?? { declared: false, required: false, neededBy: new Set<string>(), reads: [] };
    demands.set(read.key, demand);
    demand.neededBy.add(phrase);
    demand.reads.push(read);
    if (condition && way.next && !read.guarded && !way.perhaps.has(read.key)) demand.required = true;
  }
  return [...demands].map(([key, { declared, required, neededBy, reads: of }]) => {
    const spec = (declared ? step.sets[key] : undefined) ?? declaredSpec(workflow.steps, key) ?? inferredSpec(of);
    return { key, spec, example: expectedExample(workflow, key, spec), declared, required, neededBy: [...neededBy] };
  });
}

interface TrailEntry {
  readonly step: CompiledStep;
  readonly siblings: readonly CompiledStep[];
  readonly index: number;
}

/** The step with everything around it, outermost first. */
function trailTo(steps: readonly CompiledStep[], id: string): readonly TrailEntry[] | undefined {
  for (const [index, step] of steps.entries()) {
    const entry = { step, siblings: steps, index };
    if (step.id === id) return [entry];
    const inner = step.kind === 'prompt' ? undefined : trailTo(step.steps, id);
    if (inner) return [entry, ...inner];
  }
  return undefined;
}

/** What is known of the steps passed since the one that asks. */
interface Way {
  /** No prompt step is sure to lie in between, so that this step may be the last one that can set a key. */
  readonly next: boolean;
  /** Keys set by steps that are sure to have run, and by steps that may have. */
  readonly set: ReadonlySet<string>;
  readonly perhaps: ReadonlySet<string>;
}

interface Reading {
  readonly read: ContextRead;
  readonly phrase: string;
  readonly way: Way;
  /** A condition stops the run when it cannot be answered; a text only says so. */
  readonly condition: boolean;
}

type Note = (reading: Reading) => void;

function readsAfter(trail: readonly TrailEntry[]): readonly Reading[] {
  const readings: Reading[] = [];
  const note: Note = (reading) => void readings.push(reading);
  let way: Way = { next: true, set: new Set(), perhaps: new Set() };
  for (const { step, siblings, index } of trail.toReversed()) {
    // Leaving a body by its end: its loop may go round before the siblings after it have their turn.
    if (step.kind === 'loop') way = goneRound(step, way, note);
    way = passed(siblings.slice(index + 1), way, note);
  }
  return readings;
}

function goneRound(loop: LoopStep, way: Way, note: Note): Way {
  readLoop(loop, way, note, 'goes on');
  return eitherWay(way, passed(loop.steps, way, note));
}

function passed(steps: readonly CompiledStep[], before: Way, note: Note): Way {
  let way = before;
  for (const step of steps) {
    if (step.if !== undefined) readExpression(step.if, `whether ${nameOf(step)} runs`, 'boolean', way, note);
    const after = ran(step, way, note);
    way = step.if === undefined ? after : eitherWay(way, after);
  }
  return way;
}

function ran(step: CompiledStep, way: Way, note: Note): Way {
  if (step.kind === 'prompt') return prompted(step, way, note);
  if (step.kind === 'group') return passed(step.steps, way, note);
  if (step.loop.type !== 'until') readLoop(step, way, note, 'runs');
  const once = passed(step.steps, way, note);
  if (step.loop.type === 'while' || step.loop.type === 'until') readLoop(step, once, note, 'goes on');
  const sureToRun = step.loop.type === 'until' || (step.loop.type === 'repeat' && typeof step.loop.times === 'number' && step.loop.times > 0);
  return sureToRun ? once : eitherWay(way, once);
}

function prompted(step: PromptStep, way: Way, note: Note): Way {
  for (const source of holesIn(promptTexts(step))) for (const read of contextReads(source)) note({ read, phrase: `the prompt of ${nameOf(step)}`, way, condition: false });
  // None of these can stop a run: what they cannot tell they take as agreement to ask for, or a part to leave out.
  const told = (source: string | undefined, phrase: string): void => {
    for (const read of source === undefined ? [] : contextReads(source)) note({ read: { ...read, type: read.type ?? (isAlone(source, read) ? 'boolean' : undefined), guarded: true }, phrase, way, condition: true });
  };
  // Asked with what the step itself hands back.
  if (!contextReads(step.confirmIf ?? '').every(({ key }) => Object.hasOwn(step.sets, key))) told(step.confirmIf, `whether ${nameOf(step)} needs the user's agreement`);
  for (const part of [...(step.fragments ?? []), ...(step.delegates ?? [])]) told(part.if, `what ${nameOf(step)} says`);
  const keys = Object.keys(step.sets);
  return { next: false, set: new Set([...way.set, ...keys]), perhaps: new Set([...way.perhaps, ...keys]) };
}

function eitherWay(a: Way, b: Way): Way {
  return { next: a.next || b.next, set: new Set([...a.set].filter((key) => b.set.has(key))), perhaps: new Set([...a.perhaps, ...b.perhaps]) };
}

/** What a loop asks before it first runs, and before it goes on. Lists and counts are fixed when the loop is entered. */
function readLoop(step: LoopStep, way: Way, note: Note, what: 'runs' | 'goes on'): void {
  const { loop } = step;
  if (loop.type === 'while' || loop.type === 'until') readExpression(loop.test, `whether ${nameOf(step)} ${what}`, 'boolean', way, note);
  else if (what === 'goes on') return;
  else if (loop.type === 'foreach') readExpression(loop.list, `what ${nameOf(step)} goes over`, 'array', way, note);
  else if (loop.type === 'repeat' && typeof loop.times === 'string') readExpression(loop.times, `how often ${nameOf(step)} runs`, 'number', way, note);
}

/** `type` is what the whole expression must be: it tells the type of a key that stands alone. */
function readExpression(source: string, phrase: string, type: NonNullable<ContextRead['type']>, way: Way, note: Note): void {
  for (const read of contextReads(source)) note({ read: isAlone(source, read) ? { ...read, type: read.type ?? type } : read, phrase, way, condition: true });
}

/** The expression is this key and nothing else. */
function isAlone(source: string | undefined, { key }: ContextRead): boolean {
  return source === `context.${key}`;
}

function nameOf(step: CompiledStep): string {
  // A title with holes means nothing outside of its own scope.
  const title = templateExpressions(step.title).length === 0 ? `“${step.title}”` : `\`${step.id}\``;
  return `${step.kind === 'loop' ? 'loop' : 'step'} ${title}`;
}

function declaredSpec(steps: readonly CompiledStep[], key: string): ValueSpec | undefined {
  for (const step of steps) {
    const found = step.kind === 'prompt' ? step.sets[key] : declaredSpec(step.steps, key);
    if (found) return found;
  }
  return undefined;
}

/** A spec that says what the conditions tell, and refuses nothing else: other values are an author's "otherwise". */
function inferredSpec(reads: readonly ContextRead[]): ValueSpec {
  const type = reads.find((read) => read.type !== undefined)?.type ?? 'any';
  const values = [...new Set<JsonValue>(reads.flatMap((read) => read.values))];
  const [example] = values.filter((value) => type === 'any' || type === typeof value);
  const compared = values.map((value) => JSON.stringify(value)).join(', ');
  return { type, ...(values.length === 0 ? {} : { description: `conditions compare it with ${compared}` }), ...(example === undefined ? {} : { example }) };
}
