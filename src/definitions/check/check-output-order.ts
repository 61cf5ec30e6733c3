import { calledSteps } from './check-calls.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import { everyStep, hasOutput } from '../compiled/visit-steps.js';
import { expressionTree } from '../expression/expression-tree.js';
import type { StepOutline } from '../source/source-outline.js';
import type { SourcePath } from '../source/source-path.js';
import type { Finding } from '../source/finding.js';
import { variablesOf, type ExpressionUse } from './source-uses.js';
import { bodies, bodyFields } from '../source/step-keys.js';
import { rootRead, visitExpression } from '../expression/visit-expression.js';

/** A step by the id that expressions name it with, and where its output comes about. */
interface Leaving {
  readonly step: StepOutline;
  /** Only a step that an agent does leaves an output; a group holds such steps. */
  readonly leaves: boolean;
}

export function leavingSteps(all: readonly StepOutline[], called: CalledRoutines): ReadonlyMap<string, Leaving> {
  const found = new Map<string, Leaving>();
  const note = (id: string, leaving: Leaving): void => {
    if (!found.has(id)) found.set(id, leaving);
  };
  for (const step of all) {
    if (step.id === undefined) continue;
    const held = bodyFields.filter((body) => step.source[body] !== undefined);
    note(step.id, { step, leaves: held.every((body) => bodies[body].leavesOutput) });
    for (const { step: inner } of everyStep(calledSteps(step, called)))
      note(`${step.id}-${inner.id}`, { step, leaves: hasOutput(inner) });
  }
  return found;
}

/** Outputs that cannot be there yet where they are read, or never are. */
export function checkOutputOrder(use: ExpressionUse, steps: ReadonlyMap<string, Leaving>): readonly Finding[] {
  const tree = expressionTree(use.source);
  // A routine's guidance is shown with each of its steps.
  if (!tree.ok || use.path[0] !== 'steps') return [];
  const found: Finding[] = [];
  visitExpression(tree.value, variablesOf(use), (node, variables) => {
    const read = rootRead(node, variables);
    const leaving = read?.root === 'outputs' ? steps.get(read.key) : undefined;
    if (read === undefined || leaving === undefined) return;
    const at = { path: use.path, of: { text: use.text }, rule: 'output', actual: read.key } as const;
    if (!leaving.leaves)
      found.push({
        ...at,
        message: `\`${use.source}\` reads the output of \`${read.key}\`, which ${leaving.step.source['fail'] === undefined ? 'holds steps and has none itself; read that of a step inside' : 'ends the run and has none'}`,
      });
    else if (isLater(leaving.step, use))
      found.push({
        ...at,
        message: `\`${use.source}\` reads the output of step \`${read.key}\`, which only comes later; read it in a step after that one, or move that one up`,
      });
  });
  return found;
}

/** In a loop around both, the round before has left it. */
export function isLater({ path, loops }: Pick<StepOutline, 'path' | 'loops'>, use: ExpressionUse): boolean {
  if (loops.some((loop) => use.loops.some((around) => around.path === loop.path))) return false;
  return !isBefore(path, use.path);
}

/** Whether a step is done before something is read: what a step itself reads, it reads before it is done. */
export function isBefore(step: SourcePath, read: SourcePath): boolean {
  const at = step.findIndex((part, index) => part !== read[index]);
  const [one, other] = [step[at], read[at]];
  return at >= 0 && typeof one === 'number' && typeof other === 'number' && one < other;
}
