import { oncePerObject } from '../../base/once-per-object.js';
import { type CompiledStep, stepKinds } from '../compiled/compiled-workflow.js';
import { type Part, partsOf } from '../compiled/schema-parts.js';
import { templateExpressions } from '../expression/template.js';

/** What a step itself says, asks and names, without the steps inside of it. */
interface StepParts {
  /** The expressions in the holes of what it tells. */
  readonly holes: readonly string[];
  /** Those in the holes of what it sends. */
  readonly sent: readonly string[];
  /** What it asks besides its own `if`. */
  readonly asked: readonly AskedPart[];
  /** What it puts into the shared state, and the holes of where. */
  readonly put: readonly string[];
  readonly names: readonly Part[];
}
interface AskedPart extends Part {
  readonly role: Exclude<
    Part['role'],
    'element' | 'counter' | 'told' | 'line' | 'shown' | 'sent' | 'put' | 'pointer' | 'step'
  >;
}

export const stepParts = oncePerObject((step: CompiledStep): StepParts => {
  const [holes, sent, put]: [string[], string[], string[]] = [[], [], []];
  const [asked, names]: [AskedPart[], Part[]] = [[], []];
  for (const { role, text, path } of partsOf(stepKinds[step.kind], step)) {
    if (role === 'told' || role === 'line') holes.push(...templateExpressions(text).map(({ source }) => source));
    else if (role === 'sent') sent.push(...templateExpressions(text).map(({ source }) => source));
    else if (role === 'pointer') put.push(...templateExpressions(text).map(({ source }) => source));
    else if (role === 'put') put.push(text);
    else if (role === 'element' || role === 'counter') names.push({ role, text, path });
    else if (role !== 'shown' && role !== 'step' && path[0] !== 'if') asked.push({ role, text, path });
  }
  return { holes, sent, asked, put, names };
});

/** Every expression of a step itself, those in its texts included. */
export function stepExpressions(step: CompiledStep): readonly string[] {
  const { holes, sent, asked, put } = stepParts(step);
  return [...(step.if === undefined ? [] : [step.if]), ...asked.map(({ text }) => text), ...holes, ...sent, ...put];
}
