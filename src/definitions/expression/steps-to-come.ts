import { limits } from '../../base/limits.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { own } from '../../base/own.js';
import type { CompiledStep, CompiledWorkflow, LoopStep } from '../compiled/compiled-workflow.js';
import { type Frame, pathOf, placesOf } from '../compiled/place.js';
import { contextReads } from './context-reads.js';
import { evaluate, type Scope } from './expression.js';
import { outputReads } from './output-reads.js';
import { type Facts, scopeAt } from './scope-at.js';

/**
 * About how many steps are still to do, the one that waits included. What is known decides conditions and rounds as if
 * nothing of it changed; a step whose condition cannot be told yet counts once, and so does such a loop.
 */
export function stepsToCome(
  workflow: CompiledWorkflow,
  { id, frames }: { readonly id: string; readonly frames: readonly Frame[] },
  facts: Omit<Facts, 'controls'>,
): number {
  const places = placesOf(workflow);
  const around = places.get(id)?.around ?? [];
  const meter = { left: limits.stepWork };
  let inner: CompiledStep | undefined;
  let count = 1;
  // From the step outwards: what follows it there, and the rounds that are still to come.
  for (let depth = around.length; depth >= 0; depth -= 1) {
    const outer = around[depth - 1];
    const known = within(frames, around.slice(0, depth));
    const estimate = new Estimate(() => ({ ...scopeAt(workflow, facts, known), meter }));
    const place = places.get(inner?.id ?? id);
    const steps = outer?.steps ?? workflow.steps;
    count += estimate.of(steps, (place?.index ?? 0) + 1);
    if (outer?.kind === 'loop') {
      const done = known.at(-1)?.iteration ?? 1;
      const entered = own(facts.lists, pathOf(around.slice(0, depth - 1), frames, outer.id));
      const before = new Estimate(() => ({ ...scopeAt(workflow, facts, known.slice(0, -1)), meter }));
      count += Math.max(0, roundsOf(outer, entered) - done) * before.of(steps);
    }
    inner = outer;
  }
  return count;
}

const within = (frames: readonly Frame[], around: readonly CompiledStep[]): readonly Frame[] =>
  frames.filter(({ loop }) => around.some(({ id }) => id === loop));

/** Of a loop that was entered, as far as that is fixed. */
function roundsOf({ loop, max }: LoopStep, entered: Facts['lists'][string] | undefined): number {
  if (loop.type === 'foreach') return Math.min(max, entered?.length ?? 0);
  if (loop.type !== 'repeat') return 0;
  return Math.min(max, typeof loop.times === 'number' ? loop.times : Number(entered?.[0] ?? 0));
}

interface Parts {
  /** How many steps to do come for sure, from each step on. */
  readonly plain: readonly number[];
  /** Those of which something has to be known. */
  readonly asked: readonly { readonly step: CompiledStep; readonly index: number }[];
}

/** A long run asks nothing of most of its steps, and is not gone through for each of them. */
const partsOf = oncePerObject((steps: readonly CompiledStep[]): Parts => {
  const asked: { step: CompiledStep; index: number }[] = [];
  const plain = [0];
  for (const [index, step] of [...steps.entries()].toReversed()) {
    const count = plainCount(step);
    if (count === undefined) asked.unshift({ step, index });
    plain.unshift((plain[0] ?? 0) + (count ?? 0));
  }
  return { plain, asked };
});

function plainCount(step: CompiledStep): number | undefined {
  if (step.if !== undefined || step.kind === 'loop') return undefined;
  if (!('steps' in step)) return leafCount(step);
  const { plain, asked } = partsOf(step.steps);
  return asked.length === 0 ? plain[0] : undefined;
}

/** Where a run fails nothing is done. */
const leafCount = ({ kind }: CompiledStep): number => (kind === 'fail' ? 0 : 1);

/** How many steps to do steps come to where certain things are known. */
class Estimate {
  private readonly told = new Map<string, ReturnType<typeof evaluate>>();
  private scope: Scope | undefined;
  /** Most steps ask for nothing, and then nobody needs to know what is known at their place. */
  constructor(private readonly scopeHere: () => Scope) {}

  of(steps: readonly CompiledStep[], from = 0): number {
    const { plain, asked } = partsOf(steps);
    return asked.reduce(
      (sum, { step, index }) => sum + (index < from || this.isOut(step.if) ? 0 : this.inside(step)),
      plain[from] ?? 0,
    );
  }

  private inside(step: CompiledStep): number {
    if (!('steps' in step)) return leafCount(step);
    const rounds = step.kind === 'loop' ? this.rounds(step) : 1;
    return rounds === 0 ? 0 : rounds * this.of(step.steps);
  }

  private rounds({ loop, max }: LoopStep): number {
    if (loop.type === 'while') return this.isOut(loop.test) ? 0 : 1;
    if (loop.type !== 'foreach' && loop.type !== 'repeat') return 1;
    const asked = loop.type === 'foreach' ? loop.list : loop.times;
    const value = typeof asked === 'number' ? asked : this.known(asked);
    const rounds = Array.isArray(value) ? value.length : value;
    return typeof rounds === 'number' && rounds >= 0 ? Math.min(max, rounds) : 1;
  }

  private isOut(source: string | undefined): boolean {
    return source !== undefined && this.known(source) === false;
  }

  /** Undefined where what it asks for is not there yet: that has() says no of that decides nothing. */
  private known(source: string): unknown {
    const scope = (this.scope ??= this.scopeHere());
    const { context, outputs } = scope;
    const isSettled =
      contextReads(source).every(
        ({ key, guarded, lenient }) => Object.hasOwn(context, key) || !(guarded || lenient === true),
      ) &&
      [...outputReads(source)].every((step) => Object.hasOwn(outputs, step)) &&
      !/\bledger\b/u.test(source);
    if (!isSettled) return undefined;
    const result = this.told.get(source) ?? evaluate(source, scope);
    this.told.set(source, result);
    return result.ok ? result.value : undefined;
  }
}
