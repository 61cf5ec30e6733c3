import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { everyStep } from '../compiled/visit-steps.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import type { StepOutline } from '../source/source-outline.js';
import { calledSteps } from './check-calls.js';
import type { KnownType } from './known-type.js';

type Types = { readonly [step: string]: KnownType };

/** What commands leave, by the names that expressions know their steps by; all others leave notes and artifacts. */
export function commandOutputs(all: readonly StepOutline[], called: CalledRoutines): Types {
  const types: { [step: string]: KnownType } = {};
  for (const step of all) {
    if (step.id === undefined) continue;
    if (step.source['run'] !== undefined) types[step.id] = typeOf(step.source);
    for (const { step: inner } of everyStep(calledSteps(step, called)))
      if (inner.kind === 'run') types[`${step.id}-${inner.id}`] = typeOf(inner);
  }
  return types;
}

function typeOf({ keep = null, paginate }: JsonObject): KnownType {
  const kept: KnownType = isJsonObject(keep)
    ? { type: 'object', members: Object.fromEntries(Object.keys(keep).map((name) => [name, { type: 'any' } as const])) }
    : { type: 'any' };
  const body: KnownType = paginate === undefined ? kept : { type: 'array', items: kept };
  return {
    type: 'object',
    members: { status: { type: 'number' }, headers: { type: 'object' }, body, ok: { type: 'boolean' } },
  };
}
