import { everyStep } from '../compiled/visit-steps.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import { expressionTree, type ExpressionTree } from '../expression/expression-tree.js';
import { outputReads } from '../expression/output-reads.js';
import { rootRead, visitExpression } from '../expression/visit-expression.js';
import { type Finding, finding, warning } from '../source/finding.js';
import type { StepOutline } from '../source/source-outline.js';
import { calledSteps } from './check-calls.js';
import { type ExpressionUse, variablesOf } from './source-uses.js';

/** What commands leave, read where it must not stand or may not be there. */
export function checkAnswerReads(
  all: readonly StepOutline[],
  uses: readonly ExpressionUse[],
  called: CalledRoutines,
): readonly Finding[] {
  const secret = new Set(all.flatMap((step) => secretsOf(step, called)));
  const runs = new Map(
    all.flatMap((step) =>
      step.source['run'] !== undefined && step.id !== undefined ? [[step.id, step] as const] : [],
    ),
  );
  if (runs.size === 0 && secret.size === 0) return [];
  const conditional = all.filter(({ source }) => typeof source['if'] === 'string');
  return uses.flatMap((use) => [
    ...(use.sent === true ? mayBeSkipped(use, runs, conditional) : readsSecret(use, secret)),
  ]);
}

function secretsOf(step: StepOutline, called: CalledRoutines): readonly string[] {
  const own =
    step.source['run'] !== undefined && step.source['secret'] === true && step.id !== undefined ? [step.id] : [];
  const inside = [...everyStep(calledSteps(step, called))].flatMap(({ step: inner }) =>
    inner.kind === 'run' && inner.secret === true ? [`${step.id ?? ''}-${inner.id}`] : [],
  );
  return [...own, ...inside];
}

/** Whether it came, and with which status, may be told. */
const tellable: ReadonlySet<unknown> = new Set(['ok', 'status']);

function readsSecret(use: ExpressionUse, secret: ReadonlySet<string>): readonly Finding[] {
  const tree = secret.size === 0 ? undefined : expressionTree(use.source);
  if (tree?.ok !== true) return [];
  const told = new Set<ExpressionTree>();
  const found = new Set<string>();
  visitExpression(tree.value, variablesOf(use), (node, variables) => {
    if ((node.op === 'member' || node.op === 'has') && node.key.op === 'literal' && tellable.has(node.key.value))
      told.add(node.of);
    const read = rootRead(node, variables);
    if (read?.root === 'outputs' && secret.has(read.key) && !told.has(node)) found.add(read.key);
  });
  return [...found].map((id) =>
    finding(
      use.path,
      'secret',
      `\`${use.source}\` reads what step \`${id}\` keeps secret; only \`with\` and \`body\` of a later \`run\` may`,
      { of: { text: use.text }, actual: id },
    ),
  );
}

/** A hole without a value stops a step before it is sent. */
function mayBeSkipped(
  use: ExpressionUse,
  runs: ReadonlyMap<string, StepOutline>,
  all: readonly StepOutline[],
): readonly Finding[] {
  const asked = conditionsAround(use.path, all);
  return [...outputReads(use.source)].flatMap((id): readonly Finding[] => {
    const step = runs.get(id);
    if (step === undefined || asksFor(use.source, id) || asked.some((test) => outputReads(test).has(id))) return [];
    const own = conditionsAround(step.path, all).filter((test) => !asked.includes(test));
    const loop = step.loops.find(
      (around) => around.loop !== 'until' && !around.path.every((part, at) => use.path[at] === part),
    );
    if (own.length === 0 && loop === undefined) return [];
    const why = own.length > 0 ? `is only done where \`${own[0]!}\`` : 'is in a loop that may have no rounds';
    const message = `\`${use.source}\` reads the output of \`${id}\`, which ${why}; without it nothing is sent: give this step the same \`if\`, or ask \`has(outputs.${id})\``;
    return [warning(use.path, 'may_be_absent', message, { of: { text: use.text }, actual: id })];
  });
}

/** The conditions of a place: of its step and of those around it. */
const conditionsAround = (path: ExpressionUse['path'], all: readonly StepOutline[]): readonly string[] =>
  all.flatMap(({ source, path: at }) =>
    typeof source['if'] === 'string' && at.every((part, index) => path[index] === part) ? [source['if'].trim()] : [],
  );

function asksFor(source: string, id: string): boolean {
  const tree = expressionTree(source);
  let asks = false;
  if (tree.ok)
    visitExpression(tree.value, new Set(), (node, variables) => {
      const read = rootRead(node, variables);
      if (node.op === 'has' && read?.root === 'outputs' && read.key === id) asks = true;
    });
  return asks;
}
