import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { freeNames } from '../expression/bind-expression.js';
import { isLater } from './check-output-order.js';
import { contextReads } from '../expression/context-reads.js';
import { expressionTree } from '../expression/expression-tree.js';
import { eachStep, type StepOutline } from '../source/source-outline.js';
import { type Finding, warning } from '../source/finding.js';
import type { ExpressionUse } from './source-uses.js';
import { visitExpression } from '../expression/visit-expression.js';

/** Keys that are read where nothing can have set them, or set them anew. */
export function checkKeyOrder(
  all: readonly StepOutline[],
  uses: readonly ExpressionUse[],
  keysSetBy: (step: StepOutline) => readonly string[],
): readonly Finding[] {
  const setters = new Map<string, StepOutline[]>();
  for (const step of all) for (const key of keysSetBy(step)) setters.set(key, [...(setters.get(key) ?? []), step]);
  return [
    ...uses.flatMap((use) => [...readTooEarly(use, setters), ...comparedWithNull(use)]),
    ...all.flatMap((step) =>
      step.loop === 'while'
        ? runsOnce(
            step,
            all.find(({ path }) => path === step.loops.at(-1)?.path),
            keysSetBy,
          )
        : [],
    ),
  ];
}

function readTooEarly(use: ExpressionUse, setters: ReadonlyMap<string, readonly StepOutline[]>): readonly Finding[] {
  // A loop asks its test in each round; guidance of a routine is shown with each of its steps.
  if (use.path[0] !== 'steps' || !(use.as === 'text' || use.path.at(-1) === 'if')) return [];
  return contextReads(use.source).flatMap(({ key, guarded }): readonly Finding[] => {
    const by = setters.get(key) ?? [];
    // What a loop collects is a list in each of its rounds.
    if (by.some(({ path }) => use.loops.some((around) => around.path === path))) return [];
    // What is only ever added to is a list from the start.
    if (by.length > 0 && by.every((step) => addsTo(step, key))) return [];
    const isOwn = ({ path }: StepOutline): boolean => path.every((part, at) => use.path[at] === part);
    const own = by.some(isOwn);
    // What only the step itself hands back nobody has in the first round, and in the others it is the last one's.
    if (guarded || by.length === 0) return [];
    if (!by.every((step) => isLater(step, use) || (use.as === 'text' && isOwn(step)))) return [];
    const inRounds = own && use.loops.length > 0;
    const who = own
      ? 'only this step itself sets'
      : `only ${by
          .map(({ id }) => `\`${id ?? ''}\``)
          .slice(0, 3)
          .join(', ')} hand${by.length === 1 ? 's' : ''} back, later`;
    const outcome =
      use.as === 'text'
        ? own
          ? inRounds
            ? `its text is shown before that, so the first round has no value and each later one has the previous round’s: print it in a later step, or check \`has(context.${key})\` if you mean the previous round`
            : 'its text is shown before that: print it in a later step'
          : 'print it in a later step'
        : 'check it in a later step';
    const message = `\`${use.source}\` reads \`context.${key}\`, which ${who}; ${outcome}`;
    return [warning(use.path, 'not_yet_set', message, { of: { text: use.text }, actual: key })];
  });
}

function addsTo({ source: { sets = null } }: StepOutline, key: string): boolean {
  const spec = isJsonObject(sets) ? own(sets, key) : undefined;
  return isJsonObject(spec ?? null) && (spec as JsonObject)['add'] === true;
}

function comparedWithNull(use: ExpressionUse): readonly Finding[] {
  const tree = expressionTree(use.source);
  const found: Finding[] = [];
  if (!tree.ok) return found;
  visitExpression(tree.value, new Set(), (node) => {
    if (node.op !== '==' && node.op !== '!=') return;
    const [of, other] = node.right.op === 'literal' ? [node.left, node.right] : [node.right, node.left];
    if (
      other.op !== 'literal' ||
      other.value !== null ||
      of.op !== 'member' ||
      of.of.op !== 'name' ||
      of.of.name !== 'context' ||
      of.key.op !== 'literal'
    )
      return;
    const asked = `has(context.${String(of.key.value)})`;
    const message = `\`${use.source}\`: a context key that is not set has no value, not even null; whether it is set is asked with \`${node.op === '!=' ? asked : `!${asked}`}\``;
    found.push(warning(use.path, 'null', message, { of: { text: use.text } }));
  });
  return found;
}

/** A `while` in a loop, which stays as its first run left it: false. */
function runsOnce(
  step: StepOutline,
  outer: StepOutline | undefined,
  keysSetBy: (step: StepOutline) => readonly string[],
): readonly Finding[] {
  const test = step.source['while'];
  const tree = typeof test === 'string' ? expressionTree(test) : undefined;
  if (outer === undefined || typeof test !== 'string' || tree?.ok !== true) return [];
  // What else it reads may differ in each round of the outer loop.
  if ([...freeNames(tree.value)].some((name) => name !== 'context')) return [];
  const inside = new Set([step, ...eachStep(step.steps)]);
  const reset = new Set(
    eachStep(outer.steps)
      .filter((other) => !inside.has(other))
      .flatMap(keysSetBy),
  );
  const keys = contextReads(test).map(({ key }) => key);
  const own = new Set([...inside].flatMap(keysSetBy));
  if (keys.length === 0 || !keys.some((key) => own.has(key)) || keys.some((key) => reset.has(key))) return [];
  const named = keys.map((key) => `\`${key}\``).join(' or ');
  const message = `no step of \`${outer.id ?? 'the outer loop'}\` outside this loop sets ${named}: it keeps its value from the first round, so this loop does not run in later rounds; set ${named} again in a step before it`;
  return [warning([...step.path, 'while'], 'runs_once', message)];
}
