import { defined } from '../../base/defined.js';
import { assert } from '../../base/assert.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { routineOf } from './called-routines.js';
import { callInputs } from './call-inputs.js';
import { compileContract } from './compile-contract.js';
import { type CommandSurroundings, compileFail, compileProvider, compileRun } from './compile-run.js';
import { compilePuts } from './compile-puts.js';
import { compileRules } from './compile-rules.js';
import type {
  Assessment,
  CompiledStep,
  FunctionText,
  InputSpec,
  KeySpec,
  LoopStep,
  Need,
  OutputContract,
  PromptStep,
  ValueSpec,
} from '../compiled/compiled-workflow.js';
import { packContract } from '../contracts/contract-packs.js';
import { templateExpressions } from '../expression/template.js';
import type { CompileSurroundings } from './compile-surroundings.js';
import { compileDelegates } from './compile-delegates.js';
import { fieldOf, holdersOf } from './taken-field.js';
import { expandRoutine } from './expand-routine.js';
import { iterationName, namesIteration } from './iteration-name.js';
import { renderBlocks } from './prompt-blocks.js';
import type { ValueSource } from '../source/value-source.js';
import { sortedEntries } from './sorted-entries.js';
import { type BodyField, bodyFields } from '../source/step-keys.js';
import type { AssessmentSource, OutputSource, StepSource, WorkflowSource } from '../source/workflow-format.js';

export function compileSteps(
  steps: readonly StepSource[],
  at: string,
  around: CompileSurroundings,
): readonly CompiledStep[] {
  return steps.map((step, index) => compileStep(step, `${at}/${index}`, around));
}

function compileStep(step: StepSource, at: string, around: CompileSurroundings): CompiledStep {
  const body = bodyFields.find((field) => step[field] !== undefined);
  assert(body !== undefined, 'the checks have found the body of each step');
  const base = {
    id: step.id,
    title: step.title ?? humanised(step.id),
    ...(step.if === undefined ? {} : { if: step.if.trim() }),
  };
  return compileBody[body](step, base, at, around);
}

export type Base = Pick<CompiledStep, 'id' | 'title' | 'if'>;
type CompileBody = (step: StepSource, base: Base, at: string, around: CompileSurroundings) => CompiledStep;
const compileBody: { readonly [body in BodyField]: CompileBody } = {
  prompt: compilePrompt,
  delegate: compilePrompt,
  call: compileCall,
  steps: compileGroup,
  run: compileRun,
  fail: compileFail,
};

/** A group of steps, or a loop over them. */
function compileGroup(step: StepSource, base: Base, at: string, around: CompileSurroundings): CompiledStep {
  const { steps = [] } = step;
  const loop = compileLoop(step);
  if (!loop) return { kind: 'group', ...base, steps: compileSteps(steps, `${at}/steps`, around) };
  const counter = steps.some(namesIteration) ? iterationName(step.id) : undefined;
  return {
    kind: 'loop',
    ...base,
    loop,
    ...(counter !== undefined && { counter }),
    max: step.max ?? limits.loopIterations,
    ...(step.line !== undefined && { line: step.line }),
    ...(step.collect !== undefined && { collect: mapValues(step.collect, (source) => source.trim()) }),
    steps: compileSteps(steps, `${at}/steps`, { ...around, iteration: counter }),
  };
}

function compileCall(
  step: StepSource,
  base: Base,
  at: string,
  { called, provenance, operations, iteration }: CompileSurroundings,
): CompiledStep {
  const { call: id = '' } = step;
  const routine = routineOf(called, id);
  provenance.push({ at, from: `routine ${id}` });
  for (const part of routine.provenance ?? [])
    if (part.at.startsWith('/steps/')) provenance.push({ at: `${at}${part.at}`, from: part.from });
  for (const [command, operation] of Object.entries(routine.operations ?? {})) operations.set(command, operation);
  const steps = expandRoutine(routine, step.id, callInputs(routine, step.with ?? {}, iteration));
  return { kind: 'group', ...base, title: step.title ?? routine.title, routine: id, steps };
}

function compilePrompt(step: StepSource, base: Base, at: string, around: CompileSurroundings): PromptStep {
  const { output = [], confirm = false } = step;
  const outputs = Array.isArray(output) ? output : [output];
  const compiled = outputs.map(compileOutput);
  outputs.forEach((one, index) => {
    if ('contract' in one) around.provenance.push({ at: `${at}/outputs/${index}`, from: `contract ${one.contract}` });
  });
  const functions = unique(step.functions ?? []).map((name) => functionText(name, around.source));
  const assessments = (step.assessments ?? []).map((one) => compileAssessment(one, around.source));
  const { delegates, briefs } = compileDelegates(step.delegate ?? [], step.id, at, around);
  return {
    kind: 'prompt',
    ...base,
    ...(step.role === undefined ? {} : { role: step.role }),
    prompt:
      step.prompt === undefined
        ? delegatePrompt
        : typeof step.prompt === 'string'
          ? step.prompt
          : renderBlocks(step.prompt),
    guidance: step.guidance ?? [],
    ...compileKeys(step, compiled),
    needs: (step.needs ?? []).map(compileNeed),
    confirm: confirm !== false,
    notes: step.notes ?? 'encouraged',
    outputs: compiled,
    rules: compileRules(step.rules ?? []),
    ...(typeof confirm === 'object' && { confirmIf: confirm.if.trim() }),
    ...(functions.length > 0 && { functions }),
    ...compilePuts(step),
    ...(assessments.length > 0 && { assessments }),
    ...(delegates.length > 0 && { delegates }),
    ...(briefs.length > 0 && { briefs }),
  };
}

const delegatePrompt =
  'Have each of the pieces of work below done, then weigh what comes back: check whatever the result hangs on, settle what contradicts, and sum up what holds.';

function compileNeed(need: NonNullable<StepSource['needs']>[number]): Need {
  return { ...need, ...(templateExpressions(need.ask).length > 0 && { holes: true as const }) };
}

/** The keys that the step asks for, and those that its artifacts hold. */
function compileKeys(
  { sets: keys = {} }: StepSource,
  outputs: readonly OutputContract[],
): Pick<PromptStep, 'sets' | 'takes'> {
  const sets: [string, KeySpec][] = [];
  const takes: [string, NonNullable<PromptStep['takes']>[string]][] = [];
  for (const [key, value] of Object.entries(keys)) {
    if (!('from' in value)) {
      const { required, add } = value;
      sets.push([
        key,
        { ...compileValue(value), ...(!required && { required: false as const }), ...(add && { add: true as const }) },
      ]);
      continue;
    }
    const field = fieldOf(value.from);
    const [output] = holdersOf(field, outputs);
    assert(output !== undefined, `the checks have found what ${key} is taken from`);
    takes.push([key, { kind: output.kind, field }]);
  }
  return { sets: Object.fromEntries(sets), ...(takes.length > 0 && { takes: Object.fromEntries(takes) }) };
}

function compileOutput(output: OutputSource): OutputContract {
  if (!('contract' in output)) return compileContract(output);
  const contract = packContract(output.contract, output.required);
  assert(contract !== undefined, `the checks have found the contract ${output.contract}`);
  return contract;
}

function functionText(name: string, { functions }: WorkflowSource): FunctionText {
  const known = own(functions, name);
  assert(known !== undefined, `the checks have found the function ${name}`);
  return { name, params: known.params, text: known.text };
}

function compileAssessment(one: string | AssessmentSource, { assessments }: WorkflowSource): Assessment {
  const source = typeof one === 'string' ? assessments.find(({ id }) => id === one) : one;
  assert(source !== undefined, 'the checks have found the assessment');
  const { id, purpose, dimensions, followUps } = source;
  return {
    id,
    purpose,
    dimensions: sortedEntries(dimensions).map(([name, dimension]) => ({ id: name, ...dimension })),
    followUps,
  };
}

function compileLoop(step: StepSource): LoopStep['loop'] | undefined {
  if (step.foreach !== undefined) return { type: 'foreach', list: step.foreach.trim(), as: step.as ?? 'item' };
  if (step.while !== undefined) return { type: 'while', test: step.while.trim() };
  if (step.until !== undefined) return { type: 'until', test: step.until.trim() };
  if (step.repeat !== undefined)
    return { type: 'repeat', times: typeof step.repeat === 'string' ? step.repeat.trim() : step.repeat };
  return step.control === undefined ? undefined : { type: 'control' };
}

export function compileInput(input: WorkflowSource['inputs'][string], around: CommandSurroundings): InputSpec {
  return {
    ...compileValue(input),
    required: input.required,
    ...(input.default === undefined ? {} : { default: input.default }),
    ...(input.provider !== undefined && { provider: compileProvider(input.provider, around) }),
  };
}

function compileValue(value: ValueSource): ValueSpec {
  const { type, description, enum: choices, pattern, minimum, maximum, items, example } = value;
  return defined<ValueSpec>({
    type,
    description,
    enum: choices,
    pattern,
    minimum,
    maximum,
    example,
    items: items && compileValue(items),
  });
}

/** An id as a title: `read_every-file` is “Read every file”. */
export function humanised(id: string): string {
  const words = id.replaceAll(/[_-]+/gu, ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function mapValues<A, B>(
  record: { readonly [key: string]: A },
  change: (value: A) => B,
): { readonly [key: string]: B } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}
