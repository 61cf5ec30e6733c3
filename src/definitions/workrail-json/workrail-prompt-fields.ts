import { isJsonObject } from '../../base/json-value.js';
import type { CompiledStep, Fragment, FunctionText, PromptStep } from '../compiled/compiled-workflow.js';
import { everyStep, mapPrompts } from '../compiled/visit-steps.js';
import { assessmentsOf } from './workrail-assessments.js';
import { outputsOf } from './workrail-contracts.js';
import { functionCalls, functionsIn } from './workrail-functions.js';
import { at, flagAt, has, modelTierLine, type Part, partsAt, textAt, textsAt, warnOfKeys } from './workrail-part.js';
import { eitherHolds } from './workrail-conditions.js';
import { criteriaOf } from './workrail-rules.js';
import { conditionAt, type Surroundings, worded, wordsAt } from './workrail-surroundings.js';

/** Everything of a prompt step but its prompt and its name. */
export type PromptFields = Omit<PromptStep, 'kind' | 'id' | 'title' | 'if' | 'prompt' | 'delegates'>;

/** `texts` are those that may speak of functions by their names. */
export function promptFields(part: Part, id: string, texts: readonly string[], around: Surroundings): PromptFields {
  const role = textAt(part, 'agentRole');
  const outputs = outputsOf(part, id, around);
  const { rules, lines } = criteriaOf(part, around);
  const confirmation = confirmationOf(part, around);
  const functions = functionsIn(part, texts, around);
  const fragments = fragmentsOf(part, around);
  const { assessments, lines: consequences } = assessmentsOf(part, around.book);
  const only = wordsAt(part, 'runCondition');
  const asides = [
    ...(only === ''
      ? []
      : [`Do this only where this is so: ${only}. Where it is not, say so, and do nothing else here.`]),
    ...textsAt(part, 'guidance'),
    ...asidesOf(part),
    ...lines,
    ...consequences,
    ...confirmation.lines,
  ];
  return {
    ...(role !== undefined && role.trim() !== '' && { role: worded(role, part, 'agentRole', around) }),
    guidance: [
      ...asides.map((line) => worded(line, part, 'guidance', around)),
      ...(has(part, 'promptBlocks') ? around.book.features.flatMap(({ guidance }) => guidance) : []),
    ],
    sets: {},
    needs: [],
    confirm: confirmation.confirm,
    ...(confirmation.confirmIf !== undefined && { confirmIf: confirmation.confirmIf }),
    notes: flagAt(part, 'notesOptional') || outputs.length > 0 ? 'optional' : 'required',
    outputs,
    rules,
    ...(functions.length > 0 && { functions }),
    ...(fragments.length > 0 && { fragments }),
    ...(assessments.length > 0 && { assessments }),
  };
}

/** What an author says of a step in a field that nothing here acts on. */
function asidesOf(part: Part): readonly string[] {
  const expected = at(part, 'expectedOutput');
  const calls = has(part, 'functionCalls') ? functionCalls(part).map(({ told }) => `Call ${told}.`) : [];
  const tier = textAt(part, 'modelTier');
  return [
    ...textsAt(part, 'description'),
    ...(expected === undefined
      ? []
      : [
          `Expected output: ${isJsonObject(expected) ? JSON.stringify(expected) : textsAt(part, 'expectedOutput').join('; ')}`,
        ]),
    ...(flagAt(part, 'askForFiles') ? ['Ask for the files that this needs, where you cannot find them yourself.'] : []),
    ...calls,
    ...(tier === undefined ? [] : [modelTierLine(tier)]),
  ];
}

interface Confirmation {
  readonly confirm: boolean;
  readonly confirmIf?: string;
  readonly lines: readonly string[];
}

const never = ['', 'false', 'no', '0', 'never', 'none'];
const always = ['true', 'yes', '1', 'always', 'required'];

/** `true`, a condition or a list of them, or who agrees with a condition beside it; in words, whenever that is so. */
function confirmationOf(part: Part, around: Surroundings): Confirmation {
  const value = at(part, 'requireConfirmation');
  if (typeof value === 'string') {
    const word = value.trim().toLowerCase();
    return {
      confirm: !never.includes(word),
      lines: never.includes(word) || always.includes(word) ? [] : [`Ask for agreement: ${value}`],
    };
  }
  if (Array.isArray(value) && value.length > 0) {
    const confirmIf = conditionAt(part, 'requireConfirmation', around);
    return { confirm: true, ...(confirmIf !== undefined && { confirmIf }), lines: agreed(part) };
  }
  if (!isJsonObject(value)) return { confirm: value === true || (typeof value === 'number' && value !== 0), lines: [] };
  const shape: Part = { value, path: [...part.path, 'requireConfirmation'], say: part.say };
  const kind = textAt(shape, 'kind');
  const isShape = kind !== undefined || has(shape, 'condition');
  if (isShape) warnOfKeys(shape, ['kind', 'condition']);
  const confirmIf = !isShape
    ? conditionAt(part, 'requireConfirmation', around)
    : conditionAt(shape, 'condition', around);
  // The word of whoever coordinates this work counts like that of the user, where there is such a one.
  const lines =
    kind === 'coordinator_eval'
      ? ['If a coordinator gave you this work, it is the coordinator who agrees to this step.']
      : [];
  if (confirmIf === 'false') return { confirm: false, lines: [] };
  const words = isShape ? agreed(shape, 'condition') : agreed(part);
  return { confirm: true, ...(confirmIf !== undefined && { confirmIf }), lines: [...lines, ...words] };
}

/** A condition in words cannot be asked, so that agreement is always: what it is for stands beside it. */
function agreed(part: Part, key = 'requireConfirmation'): readonly string[] {
  const words = wordsAt(part, key);
  return words === '' ? [] : [`Ask for agreement: ${words}`];
}

function fragmentsOf(part: Part, around: Surroundings): readonly Fragment[] {
  return partsAt(part, 'promptFragments', { text: 'text', key: 'id' }).flatMap((fragment, index) => {
    warnOfKeys(fragment, ['id', 'when', 'text']);
    const text = textAt(fragment, 'text');
    const when = conditionAt(fragment, 'when', around);
    const words = wordsAt(fragment, 'when');
    if (text === undefined || text.trim() === '') return [];
    return [
      {
        id: textAt(fragment, 'id') ?? `fragment-${index + 1}`,
        ...(when !== undefined && { if: when }),
        text: worded(words === '' ? text : `Where this is so: ${words}\n\n${text}`, fragment, 'text', around),
      },
    ];
  });
}

/** What a loop or a call asks of all its steps, and what it asks once, at the end of its last one. */
export function withFields(steps: readonly CompiledStep[], fields: PromptFields): readonly CompiledStep[] {
  const { role, guidance, functions = [] } = fields;
  const everywhere = mapPrompts(steps, (step) => {
    const all = merged(step.functions ?? [], functions);
    return {
      ...step,
      ...(step.role === undefined && role !== undefined && { role }),
      guidance: [...step.guidance, ...guidance],
      ...(all.length > 0 && { functions: all }),
    };
  });
  return lastPrompt(everywhere, (step) => {
    const outputs = [
      ...step.outputs,
      ...fields.outputs.filter(({ kind }) => !step.outputs.some((output) => output.kind === kind)),
    ];
    const fragments = [...(step.fragments ?? []), ...(fields.fragments ?? [])];
    const assessments = [...(step.assessments ?? []), ...(fields.assessments ?? [])];
    const { confirmIf, ...asked } = step;
    const either = !fields.confirm
      ? confirmIf
      : !step.confirm
        ? fields.confirmIf
        : eitherHolds(confirmIf, fields.confirmIf);
    return {
      ...asked,
      ...((fields.confirm || step.confirm) && { confirm: true, ...(either !== undefined && { confirmIf: either }) }),
      ...(fields.notes === 'optional' && { notes: 'optional' }),
      outputs,
      rules: [...step.rules, ...fields.rules],
      ...(fragments.length > 0 && { fragments }),
      ...(assessments.length > 0 && { assessments }),
    };
  });
}

function merged(own: readonly FunctionText[], more: readonly FunctionText[]): readonly FunctionText[] {
  return [...own, ...more.filter(({ name }) => !own.some((known) => known.name === name))];
}

export function lastPrompt(
  steps: readonly CompiledStep[],
  change: (step: PromptStep) => PromptStep,
): readonly CompiledStep[] {
  const last = [...everyStep(steps)].at(-1)?.step;
  return mapPrompts(steps, (step) => (step === last ? change(step) : step));
}

/** Prompt steps changed, told for each whether it may be the first to run: that it is only where its own condition is that of all. */
export function mapFirstPrompts(
  steps: readonly CompiledStep[],
  condition: string | undefined,
  change: (step: PromptStep, mayBeFirst: boolean) => PromptStep,
): readonly CompiledStep[] {
  let open = true;
  return steps.map((step): CompiledStep => {
    const mayBeFirst = open;
    if ('steps' in step)
      return {
        ...step,
        steps: mapFirstPrompts(step.steps, undefined, (one, first) => change(one, first && mayBeFirst)),
      };
    // A step that only the caller's condition can skip runs whenever any of them does.
    if (step.if === condition) open = false;
    return step.kind === 'prompt' ? change(step, mayBeFirst) : step;
  });
}
