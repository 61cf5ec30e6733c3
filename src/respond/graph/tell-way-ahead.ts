import { plural } from '../../base/plural.js';
import type { StepAhead as StepAheadTold, WayAhead } from '../../contract/http-api.js';
import type { CompiledWorkflow, LoopStep } from '../../definitions/compiled/compiled-workflow.js';
import { tellCondition, tellExpression } from '../../definitions/expression/tell-expression.js';
import { type StepAhead, wayAhead } from '../../definitions/expression/way-ahead.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import type { GroupsAround } from './groups-around.js';
import { openTitle } from './open-title.js';
import { factsAt } from '../steps-about.js';

/** The steps after the one that waits at a node, as far as they are told, and about how many follow those. */
export function tellWayAhead(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
  { groups, about, most }: { readonly groups: GroupsAround; readonly about: number; readonly most: number },
): WayAhead | undefined {
  const { pending } = node;
  if (pending === undefined) return undefined;
  const facts = factsAt(session, node);
  const steps: StepAheadTold[] = [];
  // The step that waits is one of them.
  let more = about - node.depth - 1;
  for (const ahead of wayAhead(workflow, pending, facts)) {
    if (steps.length === most) return { steps, more };
    const { step, around, frames, conditions, scope } = ahead;
    const inside = groups.innermost({
      around,
      frames,
      lists: () => facts.lists,
      titleOf: ({ title }) => openTitle(title, scope),
    });
    const asked = conditions.flatMap((condition) => tellCondition(condition) ?? []);
    steps.push({
      stepId: step.id,
      title: openTitle(step.title, scope),
      ...((step.kind === 'run' || step.kind === 'fail') && { does: step.kind }),
      ...(asked.length > 0 && { if: asked.join(' and ') }),
      ...(step.kind === 'loop' && { goes: loopGoes(step, ahead) }),
      ...(inside !== undefined && { in: inside }),
    });
    more -= ahead.count;
  }
  return steps.length === 0 ? undefined : { steps, more: 0 };
}

/** How often a loop is done, or done again, as a person would say it. */
function loopGoes({ loop }: LoopStep, { rounds, again }: Pick<StepAhead, 'rounds' | 'again'>): string {
  if (again && rounds !== undefined) return plural(rounds, 'more round');
  const more = again ? 'again ' : '';
  switch (loop.type) {
    case 'foreach':
      return `once for each ${loop.as}${rounds === undefined ? '' : `, ${plural(rounds, 'round')}`}`;
    case 'repeat':
      return rounds === undefined ? `${tellExpression(String(loop.times))} times` : plural(rounds, 'round');
    case 'while':
      return `${more}while ${tellExpression(loop.test)}`;
    case 'until':
      return `${more}until ${tellExpression(loop.test)}`;
    case 'control':
      return `${more}until a round says stop`;
  }
}
