import { hole } from '../base/hole.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { Rejection, RequestViolation } from '../base/rejection.js';
import { own } from '../base/own.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { JudgingWork } from '../definitions/contracts/judging-work.js';
import { meantInputs } from '../definitions/expand/meant-inputs.js';
import { checkValue, describeValue } from '../definitions/contracts/value-spec.js';

export interface TakenInputs {
  readonly inputs: JsonObject;
  readonly violations: readonly RequestViolation[];
  /** A hole for every input that was missing or wrong. */
  readonly holes: JsonObject;
}

/** A workflow's inputs come from start's context, by name. */
export function takeInputs(workflow: CompiledWorkflow, context: JsonObject): TakenInputs {
  const inputs: [string, JsonValue][] = [];
  const holes: [string, JsonValue][] = [];
  const violations: RequestViolation[] = [];
  const work = new JudgingWork();
  for (const [name, spec] of Object.entries(workflow.inputs)) {
    const given = own(context, name);
    const value = given ?? spec.default;
    const path = `/context/${name}`;
    const wanted = describeValue(spec);
    const isGiven = value !== undefined && value !== null;
    if (!isGiven && !spec.required) continue;
    const missing = `input ${name} is missing${spec.description === undefined ? '' : `: ${spec.description}`}`;
    const wrong = isGiven
      ? checkValue(spec, value, work).map((problem) => ({
          path: `${path}${problem.pointer}`,
          rule: 'input_value',
          message: `input ${name}: ${problem.message}`,
          expected: wanted,
          actual: JSON.stringify(value).slice(0, 120),
        }))
      : [{ path, rule: 'required_input', message: missing, expected: wanted }];
    violations.push(...wrong);
    if (isGiven && wrong.length === 0) inputs.push([name, value]);
    else holes.push([name, hole(`${spec.description ?? name}, ${wanted}`)]);
  }
  return { inputs: Object.fromEntries(inputs), violations, holes: Object.fromEntries(holes) };
}

/** What is an input's name but for a slip of the hand, as what is wrong with it and what the request should say. */
export function misspeltInputs(
  workflow: CompiledWorkflow,
  context: JsonObject,
): { readonly violations: readonly RequestViolation[]; readonly again: NonNullable<Rejection['again']> } {
  const slips = meantInputs(workflow, context).filter(({ slip }) => slip);
  return {
    violations: slips.map(({ key, meant }) => ({
      path: `/context/${key}`,
      rule: 'unknown_input',
      message: `\`${key}\` is not an input of this workflow, and nothing reads it; did you mean \`${meant}\`?`,
      expected: meant,
      actual: key,
    })),
    again: slips.flatMap(({ key, meant }) => [
      { at: `/context/${key}`, to: undefined },
      { at: `/context/${meant}`, to: own(context, key) },
    ]),
  };
}
