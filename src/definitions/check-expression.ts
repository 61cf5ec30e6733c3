import { closestName } from '../base/closest-name.js';
import { callProblem, type NameProblem } from './expression-functions.js';
import { expressionTree } from './expression-tree.js';
import { linearPattern } from './linear-pattern.js';
import { rootRead, visitExpression } from './visit-expression.js';

/** What is wrong with an expression before anything is known of values: syntax, names, functions, patterns. */
export function checkExpression(
  source: string,
  names: {
    /** Undefined where inputs are not declared, so that any name passes. */
    readonly inputs: ReadonlySet<string> | undefined;
    readonly steps: ReadonlySet<string>;
    /** Loop variables in scope; `iteration` is among them inside a loop. */
    readonly variables: ReadonlySet<string>;
  },
): readonly NameProblem[] {
  const parsed = expressionTree(source);
  if (!parsed.ok) return [{ message: parsed.error }];
  const problems: NameProblem[] = [];
  const unknown = (message: string, wanted: string, known: Iterable<string>): void => {
    const closest = closestName(wanted, known);
    problems.push({ message, ...(closest === undefined ? {} : { closest }) });
  };
  visitExpression(parsed.value, new Set(names.variables), (tree, variables) => {
    if (tree.op === 'name' && !variables.has(tree.name)) {
      if (tree.name === 'iteration') problems.push({ message: '`iteration` has a value only inside a loop' });
      else if (!['inputs', 'context', 'outputs'].includes(tree.name))
        unknown(`\`${tree.name}\` is not a known name`, tree.name, qualified(tree.name, names));
    } else if (tree.op === 'member' || tree.op === 'has') {
      const read = rootRead(tree, variables);
      if (read?.root === 'inputs' && names.inputs && !names.inputs.has(read.key))
        unknown(`the workflow has no input \`${read.key}\``, read.key, names.inputs);
      if (read?.root === 'outputs' && !names.steps.has(read.key)) unknown(`the workflow has no step \`${read.key}\``, read.key, names.steps);
    } else if (tree.op === 'call') {
      const problem = callProblem(tree.function, tree.method, tree.args.length);
      const pattern = tree.function === 'matches' ? tree.args[1] : undefined;
      const literal = pattern?.op === 'literal' && typeof pattern.value === 'string' ? pattern.value : undefined;
      const compiled = literal === undefined ? undefined : linearPattern(literal);
      if (problem) problems.push(problem);
      else if (compiled && !compiled.ok) problems.push({ message: `\`${literal ?? ''}\` is ${compiled.error}` });
    }
  });
  return problems;
}

/** Spellings a bare name may have been meant for: a variable, or an input without its root. */
function qualified(wanted: string, names: { readonly inputs: ReadonlySet<string> | undefined; readonly variables: ReadonlySet<string> }): readonly string[] {
  if (names.inputs?.has(wanted)) return [`inputs.${wanted}`];
  return [...names.variables, 'inputs', 'context', 'outputs'];
}
