import { byteLength } from '../../base/byte-budget.js';
import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { CannotBind } from '../expression/bind-expression.js';
import { callInputs } from '../expand/call-inputs.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import type { CompiledStep, CompiledWorkflow, InputSpec } from '../compiled/compiled-workflow.js';
import { delegateText } from '../expand/delegate-text.js';
import { expandRoutine } from '../expand/expand-routine.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
import { type Finding, finding, replacing, warning } from '../source/finding.js';
import { templateExpressions } from '../expression/template.js';
import type { JudgingWork } from '../contracts/judging-work.js';
import { judgedWithin } from './judged-within.js';
import { textsWithin } from './source-uses.js';
import { checkValue, describeValue } from '../contracts/value-spec.js';

/** One routine that a step calls, or gives to sub-agents. */
interface Call {
  readonly step: StepOutline;
  /** Of the object that holds the routine's name and `with`. */
  readonly path: SourcePath;
  readonly field: 'call' | 'routine';
  readonly id: string;
  readonly given: JsonObject;
}

function callsOf(step: StepOutline): readonly Call[] {
  const { source, path } = step;
  const given = (one: JsonObject): JsonObject => (isJsonObject(one['with']) ? one['with'] : {});
  const own: readonly Call[] =
    typeof source['call'] === 'string' ? [{ step, path, field: 'call', id: source['call'], given: given(source) }] : [];
  const delegates = Array.isArray(source['delegate']) ? (source['delegate'] as readonly JsonValue[]) : [];
  return [
    ...own,
    ...delegates.flatMap((one, at): readonly Call[] =>
      isJsonObject(one) && typeof one['routine'] === 'string'
        ? [{ step, path: [...path, 'delegate', at], field: 'routine', id: one['routine'], given: given(one) }]
        : [],
    ),
  ];
}

/** What a step brings in by its call, as compiled steps of the called routine with the ids they had there. */
export function calledSteps(step: StepOutline, called: CalledRoutines): readonly CompiledStep[] {
  return callsOf(step).flatMap(({ field, id }) => {
    const routine = field === 'call' ? called(id) : undefined;
    return routine?.ok === true ? routine.value.steps : [];
  });
}

export function checkCalls(all: readonly StepOutline[], called: CalledRoutines, work: JudgingWork): readonly Finding[] {
  const sizes = new Map<string, number>();
  let bytes = 0;
  return all.flatMap(callsOf).flatMap((call): readonly Finding[] => {
    const routine = called(call.id);
    const at = [...call.path, call.field];
    if (!routine.ok) {
      const { closest } = routine.error;
      const patch = replacing(at, closest);
      return [{ path: at, ...routine.error, actual: call.id, patch }];
    }
    const problems = checkInputs(call, routine.value, work);
    if (problems.length > 0) return problems;
    // Before anything is expanded: many calls of a large routine must not fill the memory first.
    const size = sizes.get(call.id) ?? byteLength(JSON.stringify(routine.value));
    sizes.set(call.id, size);
    bytes += size;
    const unmeant = notMeant(call, routine.value);
    if (bytes > limits.compiledWorkflow) {
      const message = `with this call, what is called takes ${bytes} bytes; at most ${limits.compiledWorkflow} are allowed`;
      return [finding(at, 'limit', message)];
    }
    return [...unmeant, ...checkBinding(call, routine.value)];
  });
}

/** What a workflow says of itself as a whole is for whoever starts it. */
function notMeant({ path, field, id }: Call, { kind }: CompiledWorkflow): readonly Finding[] {
  return kind === 'routine'
    ? []
    : [
        warning(
          [...path, field],
          'not_a_routine',
          `\`${id}\` is a workflow, not a routine: everything but its \`recommends\` is included; add \`kind: routine\` if it is meant to be called by others, or call a routine`,
          { actual: id },
        ),
      ];
}

function checkInputs({ given, path, field }: Call, routine: CompiledWorkflow, work: JudgingWork): readonly Finding[] {
  const found: Finding[] = [];
  const names = Object.keys(routine.inputs);
  for (const [name, value] of Object.entries(given)) {
    const at = [...path, 'with', name];
    const spec = own(routine.inputs, name);
    if (spec) found.push(...judgedWithin(work, at, () => checkGiven(value, spec, at, work)));
    else
      found.push(
        finding(at, 'unknown_key', `\`${routine.id}\` has no input \`${name}\``, {
          of: 'key',
          expected: names.length === 0 ? undefined : names.join(', '),
          actual: name,
          ...renaming(name, names, given, path),
        }),
      );
  }
  for (const [name, spec] of Object.entries(routine.inputs)) {
    if (Object.hasOwn(given, name) || !spec.required || spec.default !== undefined) continue;
    found.push({
      path: Object.keys(given).length === 0 ? [...path, field] : [...path, 'with'],
      of: 'key',
      rule: 'missing',
      message: `\`${routine.id}\` needs the input \`${name}\`${spec.description === undefined ? '' : ` (${spec.description})`}; give it under \`with\``,
      expected: describeValue(spec),
    });
  }
  return found;
}

function renaming(
  name: string,
  known: readonly string[],
  given: JsonObject,
  path: SourcePath,
): Pick<Finding, 'closest' | 'patch'> {
  const closest = closestName(name, known);
  if (closest === undefined || Object.hasOwn(given, closest)) return { closest };
  return {
    closest,
    patch: [{ op: 'move', from: pointerTo([...path, 'with', name]), path: pointerTo([...path, 'with', closest]) }],
  };
}

/** What holds holes is known at run time only. */
function checkGiven(value: JsonValue, spec: InputSpec, path: SourcePath, work: JudgingWork): readonly Finding[] {
  if (textsWithin(value, path).some(({ text }) => templateExpressions(text).length > 0)) return [];
  return checkValue(spec, value, work).map(({ message }): Finding =>
    finding(path, 'value', message, { expected: describeValue(spec), actual: JSON.stringify(value).slice(0, 100) }),
  );
}

function checkBinding({ step, path, field, id, given }: Call, routine: CompiledWorkflow): readonly Finding[] {
  try {
    const inputs = callInputs(routine, given, undefined);
    if (field === 'call') expandRoutine(routine, step.id ?? id, inputs);
    else delegateText(routine, step.id ?? id, inputs);
    return [];
  } catch (cause) {
    if (!(cause instanceof CannotBind)) throw cause;
    return [finding([...path, field], 'routine', `\`${id}\` cannot be called here: ${cause.message}`, { actual: id })];
  }
}
