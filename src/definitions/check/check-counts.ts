import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
import { finding, type Finding } from '../source/finding.js';

/** How much of everything a file may have. More of it is told alone: the other checks compare much with much, and would take their time. */
export function checkCounts(source: JsonObject, all: readonly StepOutline[], expressions: number): readonly Finding[] {
  const inputs = isJsonObject(source['inputs']) ? source['inputs'] : {};
  const declared: readonly (readonly [SourcePath, JsonValue])[] = [
    ...Object.entries(inputs).map(([name, spec]) => [['inputs', name], spec] as const),
    ...all.flatMap(({ source: step, path }) =>
      isJsonObject(step['sets'])
        ? Object.entries(step['sets']).map(([key, spec]) => [[...path, 'sets', key], spec] as const)
        : [],
    ),
  ];
  const functions = isJsonObject(source['functions']) ? Object.keys(source['functions']).length : 0;
  return [
    ...tooMany(['steps'], 'the workflow', all.length, limits.steps, 'steps'),
    ...tooMany(['steps'], 'the workflow', expressions, limits.expressions, 'expressions'),
    ...tooMany(['inputs'], 'the workflow', declared.length, limits.values, 'inputs and context keys'),
    ...tooMany(['functions'], 'the workflow', functions, limits.rules, 'functions'),
    ...declared.flatMap(([path, spec]) => choices(spec, path)),
    ...all.flatMap(({ source: step, path }) =>
      tooMany([...path, 'rules'], 'the step', rulesIn(step['rules']), limits.rules, 'rules'),
    ),
  ];
}

function tooMany(path: SourcePath, whose: string, count: number, most: number, what: string): readonly Finding[] {
  return count > most
    ? [
        finding(path, 'limit', `${whose} has ${count} ${what}; at most ${most} are allowed`, {
          expected: `at most ${most} ${what}`,
          actual: String(count),
        }),
      ]
    : [];
}

function choices(spec: JsonValue | undefined, path: SourcePath): readonly Finding[] {
  if (!isJsonObject(spec)) return [];
  const own = Array.isArray(spec['enum'])
    ? tooMany([...path, 'enum'], '`enum`', spec['enum'].length, limits.choices, 'values')
    : [];
  return [...own, ...choices(spec['items'], [...path, 'items'])];
}

function rulesIn(rules: JsonValue | undefined): number {
  if (Array.isArray(rules))
    return (rules as readonly JsonValue[]).reduce<number>((sum, rule) => sum + rulesIn(rule), 0);
  return isJsonObject(rules) ? 1 + rulesIn(rules['all']) + rulesIn(rules['any']) + rulesIn(rules['not']) : 0;
}
