import { keysSet } from '../compiled/visit-steps.js';
import { own } from '../../base/own.js';
import { oncePerObject } from '../../base/once-per-object.js';
import type { CompiledStep } from '../compiled/compiled-workflow.js';
import { contextReads, type ContextRead } from '../expression/context-reads.js';
import { rolesOfAnswers } from '../compiled/schema-parts.js';
import { stepParts } from '../expand/step-expressions.js';
import { templateExpressions } from '../expression/template.js';

export interface StepRead {
  readonly read: ContextRead;
  /** What depends on it: whether step “Read every file” runs. */
  readonly phrase: string;
  /** A condition stops the run when it cannot be answered; a text only says so. */
  readonly condition: boolean;
  /** The condition of a part of a step, which takes away no step. */
  readonly mild?: true;
  /** Where a condition of the WorkRail JSON format asks with it whether a step needs the user's agreement: that condition. */
  readonly agreement?: string;
}

/** Which context keys a step itself reads, by the moment at which it does. */
export interface StepReads {
  /** Its own `if`. */
  readonly before: readonly StepRead[];
  /** What a loop asks before it first runs, and before it goes on. */
  readonly entering: readonly StepRead[];
  readonly goingOn: readonly StepRead[];
  /** What it says, and asks of its parts. */
  readonly inside: readonly StepRead[];
  /** What decides whether it needs the user's agreement, which is asked with what it hands back. */
  readonly agreement: readonly StepRead[];
}

export const stepReads = oncePerObject((step: CompiledStep): StepReads => {
  const name = nameOf(step);
  const { holes, sent, asked, put } = stepParts(step);
  const told = holes.flatMap((source) =>
    toldReads(source, step.kind === 'fail' ? `why ${name} fails` : `the prompt of ${name}`),
  );
  const agreement = asked
    .filter(({ role }) => role === 'agreement')
    .flatMap(({ text }) =>
      mildReads(text, `whether ${name} needs the user's agreement`).map((one) =>
        one.read.lenient === true ? { ...one, agreement: text } : one,
      ),
    );
  const set = step.kind === 'prompt' ? keysSet(step) : [];
  const may = (key: string): boolean => step.kind === 'prompt' && own(step.sets, key)?.required === false;
  return {
    before: step.if === undefined ? [] : readsOf(step.if, `whether ${name} runs`, 'boolean'),
    entering: asked.flatMap(({ role, text }) => {
      // Lists and counts are fixed when the loop is entered.
      if (role === 'list') return readsOf(text, `what ${name} goes over`, 'array');
      if (role === 'count') return readsOf(text, `how often ${name} runs`, 'number');
      return role === 'while' ? readsOf(text, `whether ${name} runs`, 'boolean') : [];
    }),
    goingOn: asked.flatMap(({ role, text }) =>
      role === 'while' || role === 'until' ? readsOf(text, `whether ${name} goes on`, 'boolean') : [],
    ),
    inside: [
      ...told,
      // Without one of these nothing is sent.
      ...sent.flatMap((source) => readsOf(source, `what ${name} sends`)),
      ...asked.flatMap(({ role, text }) => {
        if (role === 'condition')
          return mildReads(text, step.kind === 'run' ? `whether ${name} asks the user` : `what ${name} says`);
        if (rolesOfAnswers.has(role)) return readsOf(text, `what ${name} makes of the answer`);
        return role === 'collected' ? toldReads(text, `what ${name} collects`) : [];
      }),
      ...put
        .flatMap((source) => toldReads(source, `what ${name} puts into the shared state`))
        .filter(({ read: { key } }) => !set.includes(key)),
      // What it sets itself nobody needs before it.
      ...agreement.filter(({ read: { key, lenient } }) => !set.includes(key) || (lenient === true && may(key))),
    ],
    agreement,
  };
});

const toldReads = (source: string, phrase: string): readonly StepRead[] =>
  contextReads(source).map((read) => ({ read, phrase, condition: false }));

/** None of these can stop a run: what they cannot tell they take as agreement to ask for, or a part to leave out. */
function mildReads(source: string, phrase: string): readonly StepRead[] {
  return readsOf(source, phrase, 'boolean').map(({ read, ...rest }) => ({
    ...rest,
    mild: true,
    read: { ...read, guarded: true },
  }));
}

/** `type` is what the whole expression must be: it tells the type of a key that stands alone. */
function readsOf(source: string, phrase: string, type?: NonNullable<ContextRead['type']>): readonly StepRead[] {
  return contextReads(source).map((read) => ({
    read: type !== undefined && source === `context.${read.key}` ? { ...read, type: read.type ?? type } : read,
    phrase,
    condition: true,
  }));
}

function nameOf(step: CompiledStep): string {
  // A title with holes means nothing outside of its own scope.
  const title = templateExpressions(step.title).length === 0 ? `“${step.title}”` : `\`${step.id}\``;
  return `${step.kind === 'loop' ? 'loop' : 'step'} ${title}`;
}
