import type { PromptStep } from '../compiled/compiled-workflow.js';
import { evaluateCondition, type Scope } from './expression.js';

/** Whether a step asks for the user's agreement here. A condition that cannot be told asks for it. */
export function asksAgreement({ confirm, confirmIf }: PromptStep, scope: Scope): boolean {
  if (!confirm || confirmIf === undefined) return confirm;
  const holds = evaluateCondition(confirmIf, scope);
  return !holds.ok || holds.value;
}
