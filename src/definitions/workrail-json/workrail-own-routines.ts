import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { CannotBind } from '../expression/bind-expression.js';
import { callInputs } from '../expand/call-inputs.js';
import type { CompiledStep, CompiledWorkflow, GroupStep, InputSpec } from '../compiled/compiled-workflow.js';
import { commandsIn, everyStep } from '../compiled/visit-steps.js';
import { delegateText } from '../expand/delegate-text.js';
import { expandRoutine } from '../expand/expand-routine.js';
import { asTemplate, templateExpressions } from '../expression/template.js';
import { checkValue, describeValue } from '../contracts/value-spec.js';
import { at, type Part } from './workrail-part.js';
import { mark, mayGrow, type Surroundings, worded } from './workrail-surroundings.js';
import { warning } from '../source/finding.js';

/** A routine of our own format in the place of the step that calls it, as a group of that step's id. */
export function expandOwnRoutine(
  routine: CompiledWorkflow,
  name: Pick<CompiledStep, 'id' | 'title' | 'if'>,
  call: Part,
  around: Surroundings,
): GroupStep | undefined {
  const { draft } = around;
  const steps = bound(call, () => {
    if (commandsIn(routine.steps).length > 0)
      throw new CannotBind('it has steps that WorkRail runs itself, which only the new format supports');
    return expandRoutine(routine, name.id, callInputs(routine, givenTo(routine, call, around), undefined));
  });
  if (steps === undefined || !mayGrow(JSON.stringify(steps).length, call, around)) return undefined;
  for (const { step } of everyStep(steps)) {
    draft.ids.add(step.id);
    draft.left.steps -= 1;
  }
  for (const reference of routine.references ?? [])
    if (!draft.references.has(reference.id)) draft.references.set(reference.id, reference);
  mark(around, name.id, '', `routine ${routine.id}`);
  for (const part of routine.provenance ?? [])
    if (part.at.startsWith('/steps/')) mark(around, name.id, part.at.slice(1), part.from);
  return { kind: 'group', ...name, steps };
}

/** The same as the brief of a sub-agent. */
export function ownRoutineText(
  routine: CompiledWorkflow,
  id: string,
  source: Part,
  around: Surroundings,
): string | undefined {
  const text = bound(source, () =>
    delegateText(routine, id, callInputs(routine, givenTo(routine, source, around), undefined)),
  );
  return text !== undefined && mayGrow(text.length, source, around) ? text : undefined;
}

function bound<T>(call: Part, make: () => T): T | undefined {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof CannotBind)) throw cause;
    call.say(warning([...call.path, 'args'], 'argument', `the routine cannot be put in here: ${cause.message}`));
    return undefined;
  }
}

/** The arguments as inputs of the routine: names however they are spelled, values as near to its types as they come. */
function givenTo(routine: CompiledWorkflow, call: Part, around: Surroundings): JsonObject {
  const args = at(call, 'args') ?? {};
  const given: { [name: string]: JsonValue } = {};
  const names = Object.keys(routine.inputs);
  const path = [...call.path, 'args'];
  for (const [key, value] of Object.entries(isJsonObject(args) ? args : {})) {
    const name = names.find((one) => plain(one) === plain(key));
    if (name === undefined) {
      const message = `\`${routine.id}\` has no input \`${key}\`; the argument is ignored`;
      call.say(
        warning([...path, key], 'argument', message, {
          of: 'key',
          expected: names.join(', '),
          actual: key,
          closest: closestName(key, names),
        }),
      );
    } else
      given[name] = fitting(
        eachText(value, (text) => worded(text, call, 'args', around)),
        own(routine.inputs, name)!,
      );
  }
  for (const [name, spec] of Object.entries(routine.inputs)) {
    const value = own(given, name);
    const holes = JSON.stringify(value ?? '').includes('${{');
    const wrong = value === undefined || holes ? [] : checkValue(spec, value);
    for (const { message } of wrong)
      call.say(
        warning([...path, name], 'argument', `\`${name}\` of \`${routine.id}\`: ${message}`, {
          expected: describeValue(spec),
        }),
      );
    if (value !== undefined || !spec.required || spec.default !== undefined) continue;
    const message = `\`${routine.id}\` needs the input \`${name}\`; its name is used instead`;
    call.say(warning(path, 'argument', message, { expected: describeValue(spec) }));
    given[name] = asTemplate(`(${spec.description ?? name})`);
  }
  return given;
}

const plain = (name: string): string => name.replaceAll(/[_-]/gu, '').toLowerCase();

function fitting(value: JsonValue, { type }: InputSpec): JsonValue {
  if (typeof value === 'string' && templateExpressions(value).length === 0) {
    const word = value.trim().toLowerCase();
    if ((type === 'number' || type === 'integer') && word !== '' && Number.isFinite(Number(word))) return Number(word);
    if (type === 'boolean' && ['true', 'yes', '1', 'false', 'no', '0'].includes(word))
      return ['true', 'yes', '1'].includes(word);
    return value;
  }
  return type === 'string' && typeof value !== 'string' ? asTemplate(JSON.stringify(value)) : value;
}

function eachText(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => eachText(item, change));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, eachText(item, change)]))
    : value;
}
