import { canonicalJson } from '../base/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { field as named } from '../base/sentence.js';
import type { PromptStep } from '../definitions/compiled/compiled-workflow.js';
import type { Mendable } from './blocker.js';

interface Handed {
  readonly artifacts: readonly JsonObject[];
  /** The context as it was handed in, without what is taken. */
  readonly patch: JsonObject;
}

/** What a step changes in the context: what was handed in, and what its artifacts hold, which wins. */
export function patchOf(
  { takes }: PromptStep,
  context: JsonObject | undefined,
  artifacts: readonly JsonObject[],
): JsonObject | undefined {
  if (takes === undefined) return context;
  const taken = Object.entries(takes).flatMap(([key, from]): readonly [string, JsonValue][] => {
    const value = valueIn(artifacts, from);
    return value === undefined ? [] : [[key, value]];
  });
  return { ...context, ...Object.fromEntries(taken) };
}

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
