import { isJsonObject } from '../../base/json-value.js';
import { calledSteps } from './check-calls.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import { everyStep, keysCollected, keysGiven } from '../compiled/visit-steps.js';
import type { StepOutline } from '../source/source-outline.js';
import { type Finding, finding } from '../source/finding.js';
import { listOf } from './source-uses.js';

interface Setter {
  readonly step: StepOutline;
  readonly how: string;
}

/** What a loop collects it alone may write: a step that set the key would throw the list away. */
export function checkCollected(all: readonly StepOutline[], called: CalledRoutines): readonly Finding[] {
  const collecting = all.filter(({ source }) => isJsonObject(source['collect'] ?? null));
  if (collecting.length === 0) return [];
  const setters = new Map<string, Setter[]>();
  const note = (key: string, step: StepOutline, how: string): void => {
    setters.set(key, [...(setters.get(key) ?? []), { step, how }]);
  };
  for (const step of all) {
    for (const [key, how] of keysOf(step)) note(key, step, how);
    for (const { step: inner } of everyStep(calledSteps(step, called)))
      for (const key of inner.kind === 'prompt' ? keysGiven(inner) : keysCollected(inner))
        note(key, step, `the routine of \`${step.id ?? ''}\` sets it`);
  }
  return collecting.flatMap((loop) =>
    Object.keys(loop.source['collect'] as object).flatMap((key): readonly Finding[] => {
      const other = setters.get(key)?.find(({ step }) => !isCopy(step, loop));
      if (other === undefined) return [];
      const message = `the loop collects \`${key}\`, and ${other.how} as well; give one of them another name`;
      return [finding([...loop.path, 'collect', key], 'collected', message, { of: 'key', actual: key })];
    }),
  );
}

/** One after the other may collect the same: each begins its list anew. */
const isCopy = (step: StepOutline, loop: StepOutline): boolean =>
  step === loop || (isJsonObject(step.source['collect'] ?? null) && !isAround(step, loop) && !isAround(loop, step));

const isAround = (outer: StepOutline, { loops }: StepOutline): boolean => loops.some(({ path }) => path === outer.path);

function keysOf({ id, source }: StepOutline): readonly (readonly [string, string])[] {
  const { sets = null, collect = null } = source;
  const needs = listOf(source['needs']).flatMap((need) =>
    isJsonObject(need) && typeof need['key'] === 'string' ? [need['key']] : [],
  );
  const given = [...(isJsonObject(sets) ? Object.keys(sets) : []), ...needs];
  return [
    ...given.map((key) => [key, `step \`${id ?? ''}\` sets it`] as const),
    ...(isJsonObject(collect) ? Object.keys(collect) : []).map(
      (key) => [key, `the loop \`${id ?? ''}\` around or inside of it collects it`] as const,
    ),
  ];
}
