import { isJsonObject } from '../../base/json-value.js';
import { calledSteps } from './check-calls.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import { promptsIn } from '../compiled/visit-steps.js';
import { freeNames } from '../expression/bind-expression.js';
import { expressionTree } from '../expression/expression-tree.js';
import { templateExpressions } from '../expression/template.js';
import type { StepOutline } from '../source/source-outline.js';
import { type Finding, warning } from '../source/finding.js';
import { listOf, loopVariable } from './source-uses.js';

/** A question that is asked in each round of a loop and does not say of what. */
export function checkRounds(step: StepOutline, called: CalledRoutines): readonly Finding[] {
  const { source, path, loops } = step;
  const loop = loops.at(-1);
  if (loop === undefined) return [];
  const name = loopVariable(loop) ?? 'iteration';
  const remedy = `name the item of the round in it, such as \`\${{ ${name} }}\`, or ask in a step before the loop`;
  const own = listOf(source['needs']).flatMap((need, at): readonly Finding[] =>
    isJsonObject(need) && typeof need['ask'] === 'string' && !namesRound(need['ask'], ['inputs'])
      ? [
          warning(
            [...path, 'needs', at, 'ask'],
            'same_question',
            `the user is asked this in each round, in the same words; ${remedy}`,
          ),
        ]
      : [],
  );
  const brought = promptsIn(calledSteps(step, called)).flatMap(({ needs }) => needs);
  const same = brought.find(({ ask }) => !namesRound(ask, []));
  if (same === undefined) return own;
  const message = `the routine asks the user for \`${same.key}\` in each round, in the same words; let its question print an input that names what the round is about, or call it before the loop`;
  return [...own, warning([...path, 'call'], 'same_question', message)];
}

/** What a run was started with is the same in each round; what a routine is called with may not be. */
function namesRound(ask: string, same: readonly string[]): boolean {
  return templateExpressions(ask).some(({ source }) => {
    const tree = expressionTree(source);
    return !tree.ok || [...freeNames(tree.value)].some((root) => !same.includes(root));
  });
}
