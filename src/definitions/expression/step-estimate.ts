import { oncePerObject } from '../../base/once-per-object.js';
import type { CompiledStep, LoopStep } from '../compiled/compiled-workflow.js';
import { contextReads } from './context-reads.js';
import { evaluate, type Scope } from './expression.js';
import { outputReads } from './output-reads.js';

interface Parts {
  /** How many prompts come for sure, from each step on. */
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
export class StepEstimate {
  private readonly told = new Map<string, ReturnType<typeof evaluate>>();
  private seen: Scope | undefined;
  /** Most steps ask for nothing, and then nobody needs to know what is known at their place. */
  constructor(private readonly scopeHere: () => Scope) {}

  /** What is known there. */
  get scope(): Scope {
    return (this.seen ??= this.scopeHere());
  }

  of(steps: readonly CompiledStep[], from = 0): number {
    const { plain, asked } = partsOf(steps);
    return asked.reduce(
      (sum, { step, index }) => sum + (index < from || this.isOut(step.if) ? 0 : this.inside(step)),
      plain[from] ?? 0,
    );
  }

  private inside(step: CompiledStep): number {
    if (!('steps' in step)) return leafCount(step);
    const rounds = step.kind === 'loop' ? (this.rounds(step) ?? 1) : 1;
    return rounds === 0 ? 0 : rounds * this.of(step.steps);
  }

  /** How often a loop that is not entered yet will turn, as far as that is known. */
  rounds({ loop, max }: LoopStep): number | undefined {
    if (loop.type === 'while') return this.isOut(loop.test) ? 0 : undefined;
    if (loop.type !== 'foreach' && loop.type !== 'repeat') return undefined;
    const asked = loop.type === 'foreach' ? loop.list : loop.times;
    const value = typeof asked === 'number' ? asked : this.known(asked);
    const rounds = Array.isArray(value) ? value.length : value;
    return typeof rounds === 'number' && rounds >= 0 ? Math.min(max, rounds) : undefined;
  }

  /** It is known that what has to hold does not. */
  isOut(source: string | undefined): boolean {
    return source !== undefined && this.known(source) === false;
  }

  /** Undefined where what it asks for is not there yet: that has() says no of that decides nothing. */
  private known(source: string): unknown {
    const { scope } = this;
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
