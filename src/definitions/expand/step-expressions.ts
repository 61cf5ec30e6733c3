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
  readonly names: readonly Part[];
}
interface AskedPart extends Part {
  readonly role: Exclude<Part['role'], 'element' | 'counter' | 'told' | 'line' | 'shown' | 'sent' | 'step'>;
}

export const stepParts = oncePerObject((step: CompiledStep): StepParts => {
  const [holes, sent, asked, names]: [string[], string[], AskedPart[], Part[]] = [[], [], [], []];
  for (const { role, text, path } of partsOf(stepKinds[step.kind], step)) {
    if (role === 'told' || role === 'line') holes.push(...templateExpressions(text).map(({ source }) => source));
    else if (role === 'sent') sent.push(...templateExpressions(text).map(({ source }) => source));
    else if (role === 'element' || role === 'counter') names.push({ role, text, path });
    else if (role !== 'shown' && role !== 'step' && path[0] !== 'if') asked.push({ role, text, path });
  }
  return { holes, sent, asked, names };
});

/** Every expression of a step itself, those in its texts included. */
export function stepExpressions(step: CompiledStep): readonly string[] {
  const { holes, sent, asked } = stepParts(step);
  return [...(step.if === undefined ? [] : [step.if]), ...asked.map(({ text }) => text), ...holes, ...sent];
}
