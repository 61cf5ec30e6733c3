import type { StepGroup } from '../../contract/http-api.js';
import type { CompiledStep, GroupStep, LoopStep } from '../../definitions/compiled/compiled-workflow.js';
import { type Frame, type Lists, pathOf } from '../../definitions/compiled/place.js';
import { roundsPlanned } from '../../definitions/compiled/rounds-planned.js';
import type { Place } from '../../definitions/compiled/visit-steps.js';
import { own } from '../../base/own.js';

/** Where a step stands: what is around it, in which rounds, and what those loops began with. */
export interface Surroundings {
  readonly around: Place['around'];
  readonly frames: readonly Frame[];
  readonly lists: () => Lists;
  readonly titleOf: (step: Pick<CompiledStep, 'title'>) => string;
}

/** The groups and rounds that steps stand in, each told once. */
export class GroupsAround {
  readonly told: StepGroup[] = [];
  private readonly indexes = new Map<string, number>();
  private readonly plain = new Map<LoopStep | GroupStep, string>();

  /** The innermost one around a step; undefined for none. */
  innermost({ around, frames, lists, titleOf }: Surroundings): number | undefined {
    let [inside, way]: [number | undefined, string] = [undefined, ''];
    for (const [depth, outer] of around.entries()) {
      const frame = frames.find(({ loop }) => loop === outer.id);
      // A group of one step says no more than the step, and a loop that no round of is done is told as a step.
      if (outer.kind === 'loop' ? frame === undefined : outer.steps.length === 1 && outer.steps[0]?.kind === 'prompt')
        continue;
      way += `/${outer.id}@${frame?.iteration ?? ''}`;
      const planned =
        outer.kind === 'loop'
          ? roundsPlanned(outer, () => own(lists(), pathOf(around.slice(0, depth), frames, outer.id)))
          : undefined;
      const group: StepGroup = {
        title: this.title(outer, titleOf),
        ...(frame !== undefined && { round: frame.iteration }),
        ...(outer.kind === 'loop' && planned !== undefined && { of: Math.min(outer.max, planned) }),
        ...(inside !== undefined && { in: inside }),
      };
      inside = this.indexOf(way, group);
    }
    return inside;
  }

  /** Most titles say the same in each round. */
  private title(outer: LoopStep | GroupStep, titleOf: Surroundings['titleOf']): string {
    const known = this.plain.get(outer) ?? titleOf(outer);
    if (!outer.title.includes('${{')) this.plain.set(outer, known);
    return known;
  }

  /** Branches may differ in what a loop began with. */
  private indexOf(way: string, group: StepGroup): number {
    const name = `${way}\n${group.of ?? ''}\n${group.in ?? ''}\n${group.title}`;
    const index = this.indexes.get(name) ?? this.told.push(group) - 1;
    this.indexes.set(name, index);
    return index;
  }
}
