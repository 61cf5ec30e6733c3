import { isJsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { CompiledStep, Delegate, LoopStep, PromptStep } from '../compiled/compiled-workflow.js';
import { stepsIn } from '../compiled/visit-steps.js';
import { describeRule } from '../contracts/notes-rules.js';
import { tellExpression } from '../expression/tell-expression.js';
import { asTemplate } from '../expression/template.js';
import { readDefinitions } from './workrail-definitions.js';
import type { CompileSteps } from './workrail-loops.js';
import { ownRoutineText } from './workrail-own-routines.js';
import { at, has, modelTierLine, type Part, partsAt, textAt, textsAt, warnOfKeys } from './workrail-part.js';
import { nearTold, routineFor, stepsToRun } from './workrail-routines.js';
import {
  conditionAt,
  type Draft,
  type Surroundings,
  worded,
  wordedArguments,
  wordsAt,
} from './workrail-surroundings.js';
import { inWords, type LoopNames, readOf } from './workrail-texts.js';
import { warning } from '../source/finding.js';

const keys = [
  'workflowId',
  'goal',
  'runCondition',
  'contextMapping',
  'args',
  'allowedTools',
  'modelTier',
  'title',
  'id',
];

/** The pieces of work of a step that may be given away, each with the whole of what it asks. */
export function delegatesOf(
  part: Part,
  id: string,
  around: Surroundings,
  compileSteps: CompileSteps,
): readonly Delegate[] {
  return partsAt(part, 'parallelDelegations', { text: 'workflowId' }).map((source): Delegate => {
    warnOfKeys(source, keys);
    const name = textAt(source, 'workflowId') ?? '';
    const {
      title = inWords(name) || 'A piece of work',
      description = title,
      text,
      otherwise: near = '',
    } = describe(name, id, source, around, compileSteps);
    const condition = conditionAt(source, 'runCondition', around);
    const words = wordsAt(source, 'runCondition');
    const tools = textsAt(source, 'allowedTools');
    const tier = textAt(source, 'modelTier');
    const otherwise =
      name === ''
        ? []
        : [asTemplate(`The work is described by the workflow \`${name}\`; where it can be started, follow it.${near}`)];
    const texts = [
      ...(words === '' ? [] : [worded(`Only where this is so: ${words}`, source, 'runCondition', around)]),
      ...given(source, around),
      ...(tools.length === 0 ? [] : [asTemplate(`Tools to use, and no others: ${tools.join(', ')}`)]),
      ...(tier === undefined ? [] : [asTemplate(modelTierLine(tier))]),
      ...(text === undefined ? otherwise : [text]),
    ];
    return {
      title: worded(textAt(source, 'title') ?? title, source, 'title', around),
      goal: worded(textAt(source, 'goal') ?? description, source, 'goal', around),
      ...(condition !== undefined && { if: condition }),
      text: texts.join('\n\n'),
    };
  });
}

interface Described {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly text?: string | undefined;
  /** What is said besides where there is no text. */
  readonly otherwise?: string;
}

/** The routine that a piece of work follows, in full, where it is at hand and does not lead back to itself. */
function describe(name: string, id: string, source: Part, around: Surroundings, compileSteps: CompileSteps): Described {
  // A piece of a piece of work is only named: what is told must end.
  if (around.brief) return {};
  const path = [...source.path, 'workflowId'];
  const routine = routineFor(name, source, path, around);
  if ('problem' in routine) {
    const message = `${routine.problem}: whoever does this piece of work gets its goal alone`;
    source.say(warning(path, 'unknown_routine', message, { actual: name, closest: routine.near?.id }));
    return { otherwise: nearTold(routine.near) };
  }
  if ('workflow' in routine)
    return {
      title: routine.workflow.title,
      description: routine.workflow.description,
      text: ownRoutineText(routine.workflow, id, source, around),
    };
  const again = around.within.includes(`routine ${routine.id}`);
  const inside: Surroundings = { ...around, within: [...around.within, `routine ${routine.id}`] };
  return {
    title: textAt(routine.part, 'name'),
    description: textAt(routine.part, 'description'),
    text: again ? undefined : brief(routine.part, source, inside, compileSteps),
  };
}

/** What the sub-agent is told of this run: the mapped keys and the arguments, by the names it knows. */
function given(source: Part, around: Surroundings): readonly string[] {
  const mapped = Object.entries(mapping(source)).map(
    ([child, parent]) => `- ${asTemplate(child)}: \${{ ${readOf(parent, around.names)} }}`,
  );
  const args = Object.entries(wordedArguments(source, around)).map(
    ([name, value]) => `- ${asTemplate(name)}: ${value}`,
  );
  return mapped.length + args.length === 0 ? [] : [['Given:', ...mapped, ...args].join('\n')];
}

/** The parent's key of each of the child's; written the other way round. */
function mapping(source: Part): { readonly [child: string]: string } {
  const value = at(source, 'contextMapping');
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([parent, child]) =>
      typeof child === 'string' && /^[A-Za-z_][\w.]*$/u.test(parent) ? [[child, parent]] : [],
    ),
  );
}

/** A routine as one text, for somebody who has no part in the run. */
function brief(routine: Part, source: Part, around: Surroundings, compileSteps: CompileSteps): string {
  const names: LoopNames = Object.fromEntries(
    Object.entries(mapping(source)).map(([child, parent]) => [child, readOf(parent, around.names)]),
  );
  const mapped = Object.fromEntries(Object.entries(names).map(([child, read]) => [child, `\${{ ${read} }}`]));
  // Its steps are told and never run, so that they take no ids from those that are.
  const draft: Draft = { ...around.draft, ids: new Set(), marks: [], references: new Map() };
  const inside: Surroundings = {
    ...around,
    draft,
    book: readDefinitions(routine, draft),
    names,
    prefix: '',
    condition: undefined,
    args: { ...mapped, ...wordedArguments(source, around) },
    brief: true,
  };
  const steps = compileSteps(stepsToRun(routine), inside);
  const before = [
    ['metaGuidance', ''],
    ['preconditions', 'Make sure of this first: '],
    ['clarificationPrompts', 'Settle this first: '],
  ] as const;
  const told = before.flatMap(([key, lead]) =>
    textsAt(routine, key).map((line) => `- ${lead}${worded(line, routine, 'guidance', inside)}`),
  );
  // Without a goal of its own the description is the goal.
  const purpose =
    has(routine, 'description') && has(source, 'goal')
      ? [worded(textAt(routine, 'description') ?? '', routine, 'guidance', inside)]
      : [];
  const read = [...draft.references.values()].map(({ title, path }) => asTemplate(`- ${title}: ${path}`));
  return [
    ...purpose,
    ...(told.length === 0 ? [] : [told.join('\n')]),
    ...(read.length === 0 ? [] : [['To read:', ...read].join('\n')]),
    ...steps.map((step, index) => stepText(step, `${index + 1}`)),
  ].join('\n\n');
}

function stepText(step: CompiledStep, number: string): string {
  const where = step.if === undefined ? '' : ` (only where ${asTemplate(tellExpression(step.if))})`;
  const heading = `### ${number}. ${step.title}${where}`;
  const inside = stepsIn(step).map((inner, index) => stepText(inner, `${number}.${index + 1}`));
  switch (step.kind) {
    case 'prompt':
      return [heading, ...promptTexts(step)].join('\n\n');
    case 'loop':
      return [heading, asTemplate(rounds(step)), ...inside].join('\n\n');
    case 'group':
      return [heading, ...inside].join('\n\n');
    // The older format has neither.
    case 'run':
    case 'fail':
      return heading;
  }
}

/** How often a loop goes round, for somebody who goes round it without the run; the names of its rounds stand in its texts as they are. */
function rounds({ loop, max }: LoopStep): string {
  const most = max < limits.loopIterations ? `, at most ${max} times` : '';
  const told = (source: string): string => tellExpression(source).replace(/^context\./u, '');
  switch (loop.type) {
    case 'foreach':
      return `Once for each ${loop.as} of ${told(loop.list)}${most}:`;
    case 'repeat':
      return `${typeof loop.times === 'string' ? `As often as ${told(loop.times)} says` : `${loop.times} times`}${most}:`;
    case 'while':
      return `As long as ${told(loop.test)}, asked before each round${most}:`;
    case 'until':
      return `Until ${told(loop.test)}, asked after each round${most}:`;
    case 'control':
      return `Round after round, until another would bring nothing new${most}:`;
  }
}

function promptTexts(step: PromptStep): readonly string[] {
  const asked = [
    ...(step.functions ?? []).map(({ name, params, text }) => `${name}(${params.join(', ')}): ${text}`),
    ...(step.assessments ?? []).map(
      ({ id, purpose, dimensions }) =>
        `Judge ${id}: ${purpose} ${dimensions.map(({ id: name, purpose: what, levels }) => `${name} (${what}): ${levels.join(', ')}`).join('; ')}`,
    ),
    ...step.rules.map((rule) => `What you hand back must ${describeRule(rule)}`),
    ...step.outputs.map(({ kind, example }) => `Hand back ${kind} in this form: ${JSON.stringify(example)}`),
  ];
  const lines = [...step.guidance, ...asked.map(asTemplate)];
  const fragments = (step.fragments ?? []).map((fragment) =>
    fragment.if === undefined
      ? fragment.text
      : `Only where ${asTemplate(tellExpression(fragment.if))}: ${fragment.text}`,
  );
  const pieces = (step.delegates ?? []).map(({ title, goal }) => `- ${title}: ${goal}`);
  return [
    ...(step.role === undefined ? [] : [step.role]),
    step.prompt,
    ...fragments,
    ...pieces,
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')]),
  ];
}
