import { firstWords } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import { evaluate, type Scope } from '../../definitions/expression/expression.js';
import { asText } from '../../definitions/expression/expression-values.js';
import { templateParts } from '../../definitions/expression/template.js';

/** A title before its step has come: what is not known yet is left open. */
export function openTitle(title: string, scope: () => Scope): string {
  const told = templateParts(title).map((part) => {
    if ('text' in part) return part.text;
    const value = evaluate(part.source, scope());
    return value.ok ? asText(value.value) : '…';
  });
  return firstWords(told.join(''), limits.recordedTitle);
}
