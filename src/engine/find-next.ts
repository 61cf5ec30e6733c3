import { assert } from '../base/assert.js';
import { byteLength, firstWords } from '../base/byte-budget.js';
import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { patched } from '../base/patched.js';
import { own } from '../base/own.js';
import type { CompiledStep, CompiledWorkflow, GroupStep, LoopStep } from '../definitions/compiled/compiled-workflow.js';
import { keysCollected, type Place } from '../definitions/compiled/visit-steps.js';
import { valuesInstead } from '../definitions/check/known-values.js';
import { contextReads } from '../definitions/expression/context-reads.js';
import { evaluate, evaluateCondition, type EvaluationFailure } from '../definitions/expression/expression.js';
import { outputReads } from '../definitions/expression/output-reads.js';
import { tellExpression, tellUnmet } from '../definitions/expression/tell-expression.js';
import { tellValuesRead } from '../definitions/expression/tell-values-read.js';
import { unsetReads } from '../definitions/expression/unset-reads.js';
import { renderTemplate } from '../definitions/expression/template.js';
import { type Frame, listsFromStart, pathOf, placesOf } from '../definitions/compiled/place.js';
import { type Facts, scopeAt } from '../definitions/expression/scope-at.js';
import { stateReads } from '../definitions/expression/state-reads.js';
import { RoundsEnded } from './rounds-ended.js';
import type { Done, Unknown, Way, WhenUnknown } from './way.js';

const skipsRecorded = 100;
const titlesTold = 3;

type Skips = Map<string, { readonly titles: readonly string[]; readonly count: number }>;

function noteSkip(skips: Skips, key: string, title: string): void {
  const { titles, count } = skips.get(key) ?? { titles: [], count: 0 };
  skips.set(key, { titles: count < titlesTold ? [...titles, title] : titles, count: count + 1 });
}

/** Finds the next step that is done, by an agent or by WorkRail, after one (or the first), and what lies on the way there. Pure: the caller records the answer. */
export function findNext(
  workflow: CompiledWorkflow,
  after: Done | undefined,
  facts: Facts,
  whenUnknown: WhenUnknown,
): Way {
  return new Search(workflow, facts, whenUnknown, after).run();
}

/** One search. Its fields are the place it has come to and what it has noted down. */
class Search {
  private frames: Frame[] = [];
  private around: Place['around'] = [];
  private index = 0;
  /** What loops were entered with in this search; what was fixed before it stands in the facts. */
  /** Without what every object knows: a loop may be called `__proto__`. */
  private readonly entering = Object.create(null) as { [loop: string]: readonly JsonValue[] };
  private lists: Facts['lists'];
  private readonly entered: { loop: string; items: readonly JsonValue[] }[] = [];
  private readonly skipped: { path: string; title: string; reason: string }[] = [];
  private skippedMore = 0;
  private listBytes = 0;
  private readonly meter = { left: limits.stepWork };
  private readonly limited: { path: string; message: string }[] = [];
  private readonly unknown: Unknown[] = [];
  private readonly unset: Skips = new Map();
  private readonly missed: Skips = new Map();
  private readonly ended: RoundsEnded;

  constructor(
    private readonly workflow: CompiledWorkflow,
    private readonly facts: Facts,
    private readonly whenUnknown: WhenUnknown,
    private readonly after: Done | undefined,
  ) {
    this.lists = facts.lists;
    this.ended = new RoundsEnded(after, facts);
  }

  run(): Way {
    const { after } = this;
    // So that nobody is ever asked for what a loop collects.
    if (after === undefined) for (const key of listsFromStart(this.workflow)) this.ended.collected.begin(key);
    if (after !== undefined) {
      const place = placesOf(this.workflow).get(after.id);
      assert(place !== undefined, `a pinned workflow has the step ${after.id} that its run names`);
      this.around = place.around;
      this.frames = [...after.frames];
      this.index = place.index + 1;
    }
    for (let moves = 0; moves < limits.engineMoves; moves += 1) {
      const step = this.steps()[this.index];
      if (step === undefined) {
        if (this.around.length === 0) return this.way(undefined);
        this.leaveOrRepeat();
      } else if (this.begins(step)) {
        if (!('steps' in step)) {
          const { id, kind } = step;
          const does = kind === 'prompt' ? {} : { does: kind };
          return this.way({ id, path: this.path(id), title: this.title(step), frames: this.frames, ...does });
        }
        this.enter(step);
      } else this.index += 1;
      if (this.stopped()) return this.way(undefined);
    }
    this.limited.push({
      path: this.path(this.steps()[this.index]?.id ?? ''),
      message: `no step was found within ${limits.engineMoves} moves: the loops around it only skip; the run ends here`,
    });
    return this.way(undefined);
  }

  private way(next: Way['next']): Way {
    const { entered, skipped, skippedMore, limited, unknown } = this;
    const { collected: lists, told: ended } = this.ended;
    const collected = lists.told();
    const unset = [...this.unset].map(([key, steps]) => ({ key, ...steps }));
    // Only of keys that steps were missed for: the context may be as long as the run.
    const missed = [...this.missed].flatMap(([key, steps]) => {
      const value = own(this.facts.context, key);
      const known = valuesInstead(this.workflow, key, value);
      return value === undefined || known === undefined ? [] : [{ key, value, known, ...steps }];
    });
    const found = { entered, skipped, skippedMore, limited, collected, ended, unknown, unset, missed };
    return { ...(next !== undefined && { next }), ...found };
  }

  private stopped(): boolean {
    return this.whenUnknown === 'stop' && this.unknown.length > 0;
  }

  private steps(): readonly CompiledStep[] {
    return this.around.at(-1)?.steps ?? this.workflow.steps;
  }

  private scope(frames: readonly Frame[] = this.frames): ReturnType<typeof scopeAt> {
    return this.scopeOf(this.facts, frames);
  }

  private scopeOf(facts: Pick<Facts, 'context' | 'outputs'>, frames: readonly Frame[]): ReturnType<typeof scopeAt> {
    const context = this.ended.collected.over(facts.context);
    const all = { ...this.facts, ...facts, context, lists: this.lists, rounds: this.ended.roundsAt };
    return { ...scopeAt(this.workflow, all, frames), meter: this.meter };
  }

  private path(id: string): string {
    return pathOf(this.around, this.frames, id);
  }

  private title(step: CompiledStep): string {
    return firstWords(renderTemplate(step.title, this.scope()).text, limits.recordedTitle);
  }

  private skip(step: CompiledStep, reason: string): void {
    if (this.skipped.length >= skipsRecorded) this.skippedMore += 1;
    else
      this.skipped.push({
        path: this.path(step.id),
        title: this.title(step),
        reason: firstWords(reason, limits.recordedReason),
      });
  }

  private enter(step: LoopStep | GroupStep): void {
    if (step.kind === 'loop' && !this.hasRounds(step)) {
      this.index += 1;
      return;
    }
    if (step.kind === 'loop') this.frames = [...this.frames, { loop: step.id, iteration: 1 }];
    this.around = [...this.around, step];
    this.index = 0;
  }

  /** A loop that is come to again, in a round of another, has collected nothing yet, be it passed over. */
  private begins(step: CompiledStep): boolean {
    for (const key of keysCollected(step)) this.ended.collected.begin(key);
    return this.holds(step);
  }

  private endRound(loop: LoopStep): void {
    const { frames } = this;
    const path = pathOf(this.around.slice(0, -1), frames.slice(0, -1), loop.id);
    for (const message of this.ended.end(loop, path, frames, (known) => this.scopeOf(known, frames)))
      this.limited.push({ path, message });
  }

  private holds(step: CompiledStep): boolean {
    if (step.if === undefined) return true;
    const holds = this.test(step.if, step.id, false);
    if (!holds && !this.stopped()) this.skipUnmet(step, step.if);
    return holds;
  }

  private skipUnmet(step: CompiledStep, condition: string, frames?: readonly Frame[]): void {
    const unset = unsetReads(condition, this.scope(frames));
    for (const key of unset) noteSkip(this.unset, key, this.title(step));
    for (const key of this.missesFor(condition, frames)) noteSkip(this.missed, key, this.title(step));
    const lacks = unset.size === 0 ? '' : `nobody set ${[...unset].join(', ')}; `;
    const unmet = lacks + tellUnmet(condition);
    const found = tellValuesRead(condition, this.scope(frames).context);
    // A reason that is cut must not cut a value: half a secret is found by nobody who looks for it.
    const fits = byteLength(unmet + found) <= limits.recordedReason;
    this.skip(step, this.reasonFor(step.id, fits ? unmet + found : unmet));
  }

  /** Keys whose value no condition knows, and with one that they know this one might have held. */
  private missesFor(condition: string, frames?: readonly Frame[]): readonly string[] {
    const scope = this.scope(frames);
    return contextReads(condition).flatMap(({ key }) => {
      const known = valuesInstead(this.workflow, key, own(scope.context, key)) ?? [];
      const holds = known.some((value) => {
        const result = evaluateCondition(condition, { ...scope, context: patched(scope.context, { [key]: value }) });
        return result.ok && result.value;
      });
      return holds ? [key] : [];
    });
  }

  /** What was taken as not met because it could not be told is not called false. */
  private reasonFor(id: string, otherwise: string): string {
    const last = this.unknown.at(-1);
    return last?.path === this.path(id) ? last.message : otherwise;
  }

  private test(source: string, id: string, otherwise: boolean, frames?: readonly Frame[]): boolean {
    const result = evaluateCondition(source, this.scope(frames));
    if (result.ok) return result.value;
    this.untold(source, id, result);
    return otherwise;
  }

  private untold(source: string, id: string, { missing, message }: Omit<EvaluationFailure, 'ok'>): void {
    const outputs = outputReads(source);
    const reads = contextReads(source).map(({ key }) => key);
    const isOfState = reads.length === 0 && outputs.size === 0 && stateReads(source).length > 0;
    this.unknown.push({
      ...(missing === undefined && isOfState && { isOfState }),
      ...(outputs.size > 0 && { asked: { source, outputs } }),
      ...(missing === undefined ? { reads } : { key: missing }),
      path: this.path(id),
      message,
    });
  }

  /** Whether the loop has a first iteration. Its list is fixed here, once. */
  private hasRounds(step: LoopStep): boolean {
    const { loop } = step;
    switch (loop.type) {
      case 'foreach': {
        const items = this.list(loop.list, step.id);
        if (items.length === 0 && !this.stopped())
          this.skip(step, this.reasonFor(step.id, `${tellExpression(loop.list)} is empty`));
        return items.length > 0;
      }
      case 'while': {
        const frames = [...this.frames, { loop: step.id, iteration: 1 }];
        const holds = this.test(loop.test, step.id, false, frames);
        if (!holds && !this.stopped()) this.skipUnmet(step, loop.test, frames);
        return holds;
      }
      case 'until':
      case 'control':
        return true;
      case 'repeat': {
        const times = this.times(loop.times, step.id);
        if (times === 0 && !this.stopped()) this.skip(step, 'it is to be repeated 0 times');
        return times > 0;
      }
    }
  }

  private list(source: string, id: string): readonly JsonValue[] {
    const result = evaluate(source, this.scope());
    const items = result.ok && Array.isArray(result.value) ? (result.value as readonly JsonValue[]) : [];
    if (!result.ok) this.untold(source, id, result);
    else if (!Array.isArray(result.value))
      this.untold(source, id, {
        message: `${tellExpression(source)} must be a list to loop over, and is ${typeof result.value}`,
      });
    return this.fix(id, items);
  }

  private times(times: number | string, id: string): number {
    if (typeof times === 'number') return times;
    const result = evaluate(times, this.scope());
    const count =
      result.ok && typeof result.value === 'number' && Number.isInteger(result.value) && result.value >= 0
        ? result.value
        : 0;
    if (!result.ok) this.untold(times, id, result);
    else if (count !== result.value)
      this.untold(times, id, {
        message: `${tellExpression(times)} must be a whole number of repetitions, and is ${JSON.stringify(result.value)}`,
      });
    this.fix(id, [count]);
    return count;
  }

  /** Notes what a loop was entered with: later iterations read this, not the expression. */
  private fix(id: string, items: readonly JsonValue[]): readonly JsonValue[] {
    const loop = this.path(id);
    this.listBytes += byteLength(JSON.stringify(items));
    if (this.listBytes > limits.enteredLists) {
      this.unknown.push({
        path: loop,
        message: `the lists to loop over take ${this.listBytes} bytes together, allowed are ${limits.enteredLists}`,
      });
      return [];
    }
    this.entering[loop] = items;
    this.lists = patched(this.facts.lists, this.entering);
    if (items.length > 0) this.entered.push({ loop, items });
    return items;
  }

  /** At the end of a body: out of a group, or round again, or out of a loop. */
  private leaveOrRepeat(): void {
    const outer = this.around.at(-1);
    assert(outer !== undefined, 'there is something to leave');
    if (outer.kind === 'loop') this.endRound(outer);
    if (outer.kind === 'loop' && this.goesOn(outer)) {
      const frame = this.frames.at(-1);
      assert(frame?.loop === outer.id, 'the innermost frame is that of the innermost loop');
      this.frames = [...this.frames.slice(0, -1), { loop: outer.id, iteration: frame.iteration + 1 }];
      this.index = 0;
      return;
    }
    if (this.stopped()) return;
    if (outer.kind === 'loop') this.frames = this.frames.slice(0, -1);
    this.around = this.around.slice(0, -1);
    this.index = (placesOf(this.workflow).get(outer.id)?.index ?? 0) + 1;
  }

  private goesOn(loop: LoopStep): boolean {
    const done = this.frames.at(-1)?.iteration ?? 0;
    const more = this.hasMore(loop, done);
    if (!more || done < loop.max) return more;
    const frames = this.frames.slice(0, -1);
    this.limited.push({
      path: pathOf(this.around.slice(0, -1), frames, loop.id),
      message: `loop “${this.title(loop)}” stopped at its maximum of ${loop.max} with more to do (${this.remaining(loop, done)})`,
    });
    return false;
  }

  private hasMore(step: LoopStep, done: number): boolean {
    const { loop } = step;
    switch (loop.type) {
      case 'foreach':
        return done < this.fixed(step).length;
      case 'while':
        return this.test(loop.test, step.id, false, [
          ...this.frames.slice(0, -1),
          { loop: step.id, iteration: done + 1 },
        ]);
      case 'until':
        return !this.test(loop.test, step.id, true);
      case 'control':
        // An iteration that nobody judged goes on; a step that must judge it asks for the artifact.
        return (
          own(this.facts.controls, `${pathOf(this.around.slice(0, -1), this.frames.slice(0, -1), step.id)}@${done}`) !==
          'stop'
        );
      case 'repeat':
        return done < (typeof loop.times === 'number' ? loop.times : Number(this.fixed(step)[0] ?? 0));
    }
  }

  private remaining(step: LoopStep, done: number): string {
    const { loop } = step;
    switch (loop.type) {
      case 'foreach':
        return `${this.fixed(step).length - done} of ${this.fixed(step).length} elements left`;
      case 'while':
        return `${tellExpression(loop.test)} still holds`;
      case 'until':
        return `${tellExpression(loop.test)} does not hold yet`;
      case 'control':
        return 'nobody said stop';
      case 'repeat':
        return 'repetitions left';
    }
  }

  private fixed(step: LoopStep): readonly JsonValue[] {
    return own(this.lists, pathOf(this.around.slice(0, -1), this.frames.slice(0, -1), step.id)) ?? [];
  }
}
