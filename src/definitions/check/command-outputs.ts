import { everyStep } from '../compiled/visit-steps.js';
import type { RunStep } from '../compiled/compiled-workflow.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import type { StepOutline } from '../source/source-outline.js';
import { calledSteps } from './check-calls.js';
import { type Asking, askingIn, type CommandAnswers } from './command-answers.js';
import type { KnownType } from './known-type.js';

type Types = { readonly [step: string]: KnownType };

/** What commands leave, by the names that expressions know their steps by; all others leave notes and artifacts. */
export function commandOutputs(all: readonly StepOutline[], called: CalledRoutines, answers: CommandAnswers): Types {
  const types: { [step: string]: KnownType } = {};
  for (const step of all) {
    if (step.id === undefined) continue;
    if (step.source['run'] !== undefined) types[step.id] = leftBy(askingIn(step.source), answers);
    for (const { step: inner } of everyStep(calledSteps(step, called)))
      if (inner.kind === 'run') types[`${step.id}-${inner.id}`] = leftBy(askingOf(inner), answers);
  }
  return types;
}

const leftBy = (asking: Asking, answers: CommandAnswers): KnownType => ({
  type: 'object',
  members: {
    status: { type: 'number' },
    headers: { type: 'object' },
    body: answers.of(asking).left,
    file: { type: 'object' },
    ok: { type: 'boolean' },
  },
});

const askingOf = ({ catalog, command, expect, keep, paginate, onError }: RunStep): Asking => ({
  command: { catalog, command },
  expect,
  mayFail: onError === 'continue',
  keep,
  items: paginate?.items,
  isList: paginate !== undefined,
});
