import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { calledSteps, checkCalls } from './check-calls.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import { JudgingWork } from '../contracts/judging-work.js';
import { checkCollected } from './check-collected.js';
import { checkCounts } from './check-counts.js';
import { checkWarnings } from './check-warnings.js';
import { checkExpression } from '../expression/check-expression.js';
import { everyStep } from '../compiled/visit-steps.js';
import { checkFieldNames } from './check-field-names.js';
import { checkNames } from './check-names.js';
import { checkOutputOrder, leavingSteps } from './check-output-order.js';
import { checkPuts } from './check-puts.js';
import { checkStepRules } from './check-rules.js';
import { checkStepBody, checkStepOutput, checkValues } from './check-step.js';
import { checkTakenKeys } from './check-taken-keys.js';
import { checkPlainTexts, checkTexts } from './check-texts.js';
import { checkTypes, declaredTypes } from './check-expression-type.js';
import { itemNames } from '../expression/answer-names.js';
import { itemInstead } from './item-instead.js';
import { foreignExpression } from '../expression/foreign-expression.js';
import type { CommandLookup } from '../compiled/command-lookup.js';
import { checkCommands } from './check-commands.js';
import { CommandAnswers } from './command-answers.js';
import { commandOutputs } from './command-outputs.js';
import { controlledLoop } from '../source/controlled-loop.js';
import { eachStep, outlineSteps, type StepOutline } from '../source/source-outline.js';
import { type Finding, replacing } from '../source/finding.js';
import {
  partsOfSource,
  usesInGuidance,
  usesInProviders,
  usesInReturns,
  usesOf,
  variablesIn,
  variablesOf,
  type ExpressionUse,
} from './source-uses.js';

/** What spans several fields of a workflow. Works on whatever of the source is well formed, so that everything is said at once. */
export function checkWorkflow(
  source: JsonObject,
  called: CalledRoutines,
  commands: CommandLookup | undefined,
): readonly Finding[] {
  const all = eachStep(outlineSteps(source['steps'], ['steps']));
  const inputs = isJsonObject(source['inputs'] ?? null) ? (source['inputs'] as JsonObject) : {};
  const parts = all.map(partsOfSource);
  const uses = [
    ...usesInGuidance(source),
    ...usesInProviders(inputs),
    ...all.flatMap((step, index) => usesOf(step, parts[index]!)),
    ...usesInReturns(source),
  ];
  const excess = checkCounts(source, all, uses.length);
  if (excess.length > 0) return excess;
  const leaving = leavingSteps(all, called);
  const declared = declaredTypes(
    inputs,
    all,
    all.flatMap((step) => calledSteps(step, called)),
  );
  const answers = new CommandAnswers(commands);
  const types = { ...declared, outputs: commandOutputs(all, called, answers) };
  const names = {
    inputs: new Set(Object.keys(inputs)),
    steps: new Set(leaving.keys()),
    context: new Set(Object.keys(types.context)),
    loops: new Set(loopIds(all, called)),
  };
  const meant =
    (step: StepOutline) =>
    (name: string): string | undefined => {
      const passes = (source: string): boolean =>
        checkExpression(source, { ...names, variables: variablesIn(step.loops) }).length === 0;
      if (names.inputs.has(name)) return `inputs.${name}`;
      if (Object.hasOwn(types.context, name)) return `context.${name}`;
      return passes(name) ? name : undefined;
    };
  const judging = new JudgingWork();
  return [
    ...checkIds(all),
    ...checkNesting(all),
    ...checkNames(source, all),
    ...checkCalls(all, called, judging),
    ...checkValues(inputs, ['inputs'], judging),
    ...all.flatMap((step) => [
      ...checkStepBody(step),
      ...checkStepOutput(step, judging),
      ...checkStepRules(step, judging),
      ...checkPuts(step),
    ]),
    ...all.flatMap((step) => checkValues(step.source['sets'], [...step.path, 'sets'], judging)),
    ...all.flatMap(checkTakenKeys),
    ...checkCollected(all, called),
    ...checkCommands({ inputs, all, uses, called, commands, answers, work: judging }),
    ...checkPlainTexts(
      source,
      parts.flatMap(({ shown }) => shown),
    ),
    ...all.flatMap((step, index) => checkTexts(step, parts[index]!.told, meant(step))),
    ...checkFieldNames(source, all),
    ...checkUses(uses, (use) => {
      const found = checkUse(use, names);
      return found.length > 0 ? found : [...checkOutputOrder(use, leaving), ...checkTypes(use, types, answers)];
    }),
    ...checkWarnings(source, inputs, all, uses, called),
  ];
}

function checkUse(
  use: ExpressionUse,
  names: Omit<Parameters<typeof checkExpression>[1], 'variables'>,
): readonly Finding[] {
  const at = { path: use.path, of: { text: use.text }, rule: 'expression', actual: use.source } as const;
  const check = (source: string): ReturnType<typeof checkExpression> =>
    checkExpression(source, { ...names, variables: variablesOf(use), ...(use.sent && { secrets: true }) });
  const problems = check(use.source);
  if (problems.length === 0) return [];
  const bare =
    use.as === 'text'
      ? use.source
      : use.source.replaceAll(/\$?\{\{((?:[^{}"']|"[^"]*"|'[^']*')*)\}\}/gu, (_, inside: string) => inside.trim());
  if (bare !== use.source && !bare.includes('{{'))
    return [
      {
        ...at,
        message: `\`${String(use.path.at(-1))}\` is an expression already: write it without \`\${{ }}\``,
        expected: bare,
        patch: check(bare).length === 0 ? replacing(use.path, bare) : undefined,
      },
    ];
  const item =
    use.answer === itemNames ? itemInstead(use.source, variablesOf(use), 'with `paginate`, `keep`') : undefined;
  if (item !== undefined)
    return [{ ...at, message: item.message, expected: item.right, patch: replacing(use.path, item.right) }];
  const foreign = foreignExpression(use.source);
  if (foreign !== undefined) {
    const { message, right } = foreign;
    // In a text the patch would have to replace the hole alone.
    const mends = right !== undefined && use.as !== 'text' && check(right).length === 0;
    const patch = mends ? replacing(use.path, right) : undefined;
    return [{ ...at, message: `\`${use.source}\`: ${message}`, expected: right, patch }];
  }
  return problems.map(({ message, closest }): Finding => ({
    ...at,
    message: `\`${use.source}\`: ${message}${deciding(use)}`,
    closest,
  }));
}

/** Whoever would ask an artifact whether a loop goes on is told how that is written. */
const deciding = ({ path, source }: ExpressionUse): string =>
  ['until', 'while'].includes(String(path.at(-1))) && /artifact|contract|loop_control|\boutputs?\b/u.test(source)
    ? `; a loop that an artifact decides is written ${controlledLoop}`
    : '';

/** Loops by the names that expressions know them by, those of routines included. */
const loopIds = (all: readonly StepOutline[], called: CalledRoutines): readonly string[] =>
  all.flatMap((step) => [
    ...(step.loop !== undefined && step.id !== undefined ? [step.id] : []),
    ...[...everyStep(calledSteps(step, called))].flatMap(({ step: inner }) =>
      inner.kind === 'loop' && step.id !== undefined ? [`${step.id}-${inner.id}`] : [],
    ),
  ]);

function checkIds(all: readonly StepOutline[]): readonly Finding[] {
  const seen = new Map<string, StepOutline>();
  return all.flatMap((step): readonly Finding[] => {
    if (step.id === undefined) return [];
    const first = seen.get(step.id);
    if (!first) seen.set(step.id, step);
    return first
      ? [
          {
            path: [...step.path, 'id'],
            rule: 'duplicate_id',
            message: `another step is called \`${step.id}\` already (/${first.path.join('/')}); give one of them another id`,
            actual: step.id,
          },
        ]
      : [];
  });
}

function checkNesting(all: readonly StepOutline[]): readonly Finding[] {
  return all
    .filter((step) => step.loop !== undefined && step.loops.length === limits.loopNesting)
    .map(({ path }) => ({ path, rule: 'limit', message: `loops nest at most ${limits.loopNesting} deep` }));
}

/** What is wrong with expressions, as far as anybody will be told of it. */
function checkUses(
  uses: readonly ExpressionUse[],
  check: (use: ExpressionUse) => readonly Finding[],
): readonly Finding[] {
  const found: Finding[] = [];
  for (const use of uses) {
    found.push(...check(use));
    // However many doubts there are, what is wrong is found.
    if (found.filter(({ severity }) => severity === undefined).length >= limits.violations) break;
  }
  return found;
}
