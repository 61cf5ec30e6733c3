import { canonicalJson } from '../base/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { field as named } from '../base/sentence.js';
import { collectors } from '../definitions/compiled/place.js';
import type { CompiledWorkflow, PromptStep } from '../definitions/compiled/compiled-workflow.js';
import type { Known } from '../definitions/contracts/needs-asked.js';
import type { Mendable } from './blocker.js';

/** What a step changes in the context: keys that are set, and what comes to lists. */
export interface ContextChange {
  readonly set: JsonObject;
  readonly added: { readonly [key: string]: readonly JsonValue[] };
}

interface Handed {
  readonly artifacts: readonly JsonObject[];
  /** The context as it was handed in, without what is taken. */
  readonly patch: JsonObject;
}

/** What a step changes in the context: what was handed in, and what its artifacts hold, which wins. What loops collect nobody hands in. */
export function changeOf(
  workflow: CompiledWorkflow,
  { takes, sets }: PromptStep,
  handed: JsonObject = {},
  artifacts: readonly JsonObject[],
): ContextChange {
  const collected = collectors(workflow);
  const context =
    collected.size > 0 ? Object.fromEntries(Object.entries(handed).filter(([key]) => !collected.has(key))) : handed;
  const lists = Object.entries(context).filter(([key]) => own(sets, key)?.add === true);
  const set =
    lists.length === 0
      ? context
      : Object.fromEntries(Object.entries(context).filter(([key]) => own(sets, key)?.add !== true));
  const added = Object.fromEntries(lists.flatMap(([key, value]) => (value === null ? [] : [[key, listed(value)]])));
  if (takes === undefined) return { set, added };
  const taken = Object.entries(takes).flatMap(([key, from]): readonly [string, JsonValue][] => {
    const value = valueIn(artifacts, from);
    return value === undefined ? [] : [[key, value]];
  });
  return { set: { ...set, ...Object.fromEntries(taken) }, added };
}

/** A list is added element by element, anything else as one. */
const listed = (value: JsonValue): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [value];

/** What is taken must be there, and whoever says it twice says the same. An artifact that is wrong anyway is told of first. */
export function judgeTaken({ takes = {} }: PromptStep, handed: Handed, isWhole: boolean): readonly Mendable[] {
  return Object.entries(takes).flatMap(([key, from]): readonly Mendable[] => {
    const { kind, field } = from;
    const value = valueIn(handed.artifacts, from);
    const told = own(handed.patch, key);
    const place = `\`${field.join('.')}\` of the artifact ${kind}`;
    if (value === undefined) {
      if (!isWhole) return [];
      const at = handed.artifacts.findLastIndex((artifact) => artifact['kind'] === kind);
      return [
        {
          code: 'INVALID_REQUIRED_OUTPUT',
          pointer: `/output/artifacts/${at}/${field.join('/')}`,
          message: [`${place} is not set, and `, named(`/context/${key}`), ' is taken from it'],
          fix: 'set it in the artifact and send everything again',
          wanted: place,
          artifact: kind,
        },
      ];
    }
    if (told === undefined || canonicalJson(told) === canonicalJson(value)) return [];
    const pointer = `/context/${key}`;
    return [
      {
        code: 'INVALID_REQUIRED_OUTPUT',
        pointer,
        message: [named(pointer), ` is taken from ${place}, which says otherwise`],
        fix: ['leave out ', named(pointer), ', or give both the same value, and send everything again'],
        wanted: canonicalJson(value),
      },
    ];
  });
}

/** A list that a loop collects is not written over; handed back as it is, it changes nothing. */
export function judgeCollected(
  workflow: CompiledWorkflow,
  { patch, context }: Handed & Pick<Known, 'context'>,
): readonly Mendable[] {
  return [...collectors(workflow)].flatMap(([key, loop]): readonly Mendable[] => {
    const told = own(patch, key);
    if (told === undefined || canonicalJson(told) === canonicalJson(own(context, key) ?? null)) return [];
    const pointer = `/context/${key}`;
    return [
      {
        code: 'INVALID_REQUIRED_OUTPUT',
        pointer,
        message: [named(pointer), ` is what the loop \`${loop}\` collects`],
        fix: ['leave out ', named(pointer), ', and send everything again'],
        wanted: 'nothing',
      },
    ];
  });
}

type Taken = NonNullable<PromptStep['takes']>[string];

/** Of several artifacts of the kind the last that has it. Nothing is null. */
function valueIn(artifacts: readonly JsonObject[], { kind, field }: Taken): JsonValue | undefined {
  const values = artifacts
    .filter((artifact) => artifact['kind'] === kind)
    .map((artifact) =>
      field.reduce<JsonValue | undefined>(
        (value, name) => (value !== undefined && isJsonObject(value) ? own(value, name) : undefined),
        artifact,
      ),
    );
  return values.findLast((value) => value !== undefined && value !== null);
}
