import type { Rule } from '../compiled/compiled-workflow.js';
import type { RuleSource } from '../source/workflow-format.js';

/** Rules as a list that must hold whole. One meaning has one form: no composition of a single rule, none of `all` in `all`. */
export function compileRules(rules: readonly RuleSource[]): readonly Rule[] {
  return rules.flatMap(compileRule);
}

function compileRule(rule: RuleSource): readonly Rule[] {
  const { contains, matches, minLength, maxLength, all, any, not, message, example } = rule;
  const parts: readonly Rule[] = [
    ...(contains === undefined ? [] : [{ contains }]),
    ...(matches === undefined ? [] : [{ matches }]),
    ...(minLength === undefined ? [] : [{ minLength }]),
    ...(maxLength === undefined ? [] : [{ maxLength }]),
    ...(all === undefined ? [] : compileRules(all)),
    ...(any === undefined ? [] : [anyOf(any.map(together))]),
    ...(not === undefined ? [] : [{ not: together(not) }]),
  ];
  if (message === undefined && example === undefined) return parts;
  const words = { ...(message !== undefined && { message }), ...(example !== undefined && { example }) };
  const [only] = parts;
  const plain = parts.length === 1 && only !== undefined && only.message === undefined && only.example === undefined;
  return [plain ? { ...only, ...words } : { all: parts, ...words }];
}

function together(rule: RuleSource): Rule {
  const parts = compileRule(rule);
  return parts.length === 1 ? parts[0]! : { all: parts };
}

function anyOf(rules: readonly Rule[]): Rule {
  return rules.length === 1 ? rules[0]! : { any: rules };
}
