import { byteLength } from '../../base/byte-budget.js';
import { closestName } from '../../base/closest-name.js';
import { limits } from '../../base/limits.js';
import { callProblem, type NameProblem } from './expression-functions.js';
import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { linearPattern } from './linear-pattern.js';
import { rootRead, visitExpression } from './visit-expression.js';

interface KnownNames {
  /** Undefined where inputs are not declared, so that any name passes. */
  readonly inputs: ReadonlySet<string> | undefined;
  readonly steps: ReadonlySet<string>;
  /** Loops, of which there is a ledger. */
  readonly loops?: ReadonlySet<string>;
  /** Keys that steps set, to tell which one a bare name was meant for. */
  readonly context?: ReadonlySet<string>;
  /** Whether it may name secrets. */
  readonly secrets?: boolean;
  /** Loop variables in scope; `iteration` is among them inside a loop. */
  readonly variables: ReadonlySet<string>;
}

/** What is wrong with an expression before anything is known of values: syntax, names, functions, patterns. */
export function checkExpression(source: string, names: KnownNames): readonly NameProblem[] {
  const bytes = byteLength(source);
  if (bytes > limits.expression)
    return [{ message: `the expression has ${bytes} bytes; at most ${limits.expression} are allowed` }];
  const parsed = expressionTree(source);
  if (!parsed.ok) return [{ message: parsed.error }];
  const problems: NameProblem[] = [];
  visitExpression(parsed.value, new Set(names.variables), (tree, variables) => {
    const problem = problemOf(tree, names, variables);
    if (problem) problems.push(problem);
  });
  return problems;
}

function problemOf(tree: ExpressionTree, names: KnownNames, variables: ReadonlySet<string>): NameProblem | undefined {
  if (tree.op === 'name') return variables.has(tree.name) ? undefined : rootProblem(tree.name, names);
  if (tree.op === 'call')
    return callProblem(tree.function, tree.method, tree.args.length) ?? patternProblem(tree.function, tree.args[1]);
  const read = rootRead(tree, variables);
  if (read?.root === 'inputs' && names.inputs && !names.inputs.has(read.key))
    return unknown(`the workflow has no input \`${read.key}\``, read.key, names.inputs);
  if (read?.root === 'outputs' && !names.steps.has(read.key))
    return unknown(`the workflow has no step \`${read.key}\``, read.key, names.steps);
  if (read?.root === 'ledger' && names.loops?.has(read.key) === false)
    return unknown(`the workflow has no loop \`${read.key}\``, read.key, names.loops);
  return undefined;
}

function rootProblem(name: string, names: KnownNames): NameProblem | undefined {
  if (['inputs', 'context', 'outputs', 'ledger', 'state'].includes(name)) return undefined;
  if (name === 'secrets')
    return names.secrets === true
      ? undefined
      : { message: 'secrets can only be read in `with` and `body` of a step with `run`' };
  if (name === 'iteration') return { message: '`iteration` has a value only inside a loop' };
  const problem = unknown(`\`${name}\` is not a known name`, name, qualified(name, names));
  return problem.closest === undefined
    ? {
        message: `${problem.message}; write a context key as \`context.${name}\`, and text in quotes: \`${JSON.stringify(name)}\``,
      }
    : problem;
}

function patternProblem(name: string, pattern: ExpressionTree | undefined): NameProblem | undefined {
  if (name !== 'matches' || pattern?.op !== 'literal' || typeof pattern.value !== 'string') return undefined;
  const compiled = linearPattern(pattern.value);
  return compiled.ok ? undefined : { message: `\`${pattern.value}\` is ${compiled.error}` };
}

function unknown(message: string, wanted: string, known: Iterable<string>): NameProblem {
  const closest = closestName(wanted, known);
  return { message, ...(closest === undefined ? {} : { closest }) };
}

/** Spellings a bare name may have been meant for: a variable, or an input without its root. */
function qualified(wanted: string, names: KnownNames): readonly string[] {
  if (names.inputs?.has(wanted)) return [`inputs.${wanted}`];
  if (names.context?.has(wanted)) return [`context.${wanted}`];
  return [...names.variables, 'inputs', 'context', 'outputs', 'ledger', 'state'];
}
