import type { JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { PromptStep } from '../compiled/compiled-workflow.js';
import { contextReads } from './context-reads.js';
import { evaluateCondition, type Scope } from './expression.js';

/** Whether a step asks for the user's agreement here. A condition that cannot be told asks for it. */
export function asksAgreement({ confirm, confirmIf }: PromptStep, scope: Scope): boolean {
  if (!confirm || confirmIf === undefined) return confirm;
  const holds = evaluateCondition(confirmIf, scope);
  return !holds.ok || holds.value;
}

/** What a verdict is called in the context, where its artifact calls it `verdict`. */
const isVerdict = (key: string): boolean => /(?:verdict|recommendation|decision)$/iu.test(key);

/** Keys of the WorkRail JSON format that agreement hangs on and that say the same as an artifact of the step may. */
function verdictKeys({ confirm, confirmIf, outputs }: PromptStep): readonly string[] {
  if (!confirm || confirmIf === undefined || outputs.length === 0) return [];
  return contextReads(confirmIf).flatMap(({ key, lenient }) => (lenient === true && isVerdict(key) ? [key] : []));
}

/** Whether what a step hands back may settle it, as a verdict of its own. */
export const mayAskByVerdict = (step: PromptStep): boolean => verdictKeys(step).length > 0;

/** Whether the verdict of the step's own artifacts asks for agreement, whatever an earlier one says in the context. */
export function asksByVerdict(step: PromptStep, artifacts: readonly JsonObject[], scope: Scope): boolean {
  return verdictKeys(step).some((key) =>
    artifacts.some((artifact) => {
      const verdict = own(artifact, key) ?? own(artifact, 'verdict');
      const isOwn = step.outputs.some(({ kind }) => kind === artifact['kind']);
      if (!isOwn || typeof verdict !== 'string') return false;
      return asksAgreement(step, { ...scope, context: { ...scope.context, [key]: verdict } });
    }),
  );
}
