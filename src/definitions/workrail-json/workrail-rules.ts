import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Rule } from '../compiled/compiled-workflow.js';
import { linearPattern } from '../expression/linear-pattern.js';
import { describeRule } from '../contracts/notes-rules.js';
import { tellExpression } from '../expression/tell-expression.js';
import { at, numberAt, type Part, textAt, textsAt, warnOfKeys } from './workrail-part.js';
import { conditionAt, type Surroundings, wordsAt } from './workrail-surroundings.js';
import { warning } from '../source/finding.js';

export interface Criteria {
  readonly rules: readonly Rule[];
  /** What the author says of the criteria, and what no rule can check. */
  readonly lines: readonly string[];
}

/** The validation criteria of a step: what its notes must keep to. A list means all of them. */
export function criteriaOf(part: Part, around: Surroundings): Criteria {
  const lines: string[] = [];
  const value = at(part, 'validationCriteria');
  if (value === undefined) return { rules: [], lines };
  const path = [...part.path, 'validationCriteria'];
  const items = Array.isArray(value)
    ? (value as readonly JsonValue[]).map((item, index) => [item, [...path, index]] as const)
    : [[value, path] as const];
  const rules = items.flatMap(([item, where]) => ruleOf(item, where, { part, around, lines }) ?? []);
  return { rules: rules.flatMap((rule) => ('all' in rule ? rule.all : [rule])), lines: [...new Set(lines)] };
}

interface Reading {
  readonly part: Part;
  readonly around: Surroundings;
  readonly lines: string[];
}

function ruleOf(value: JsonValue, path: Part['path'], reading: Reading): Rule | undefined {
  if (typeof value === 'string') {
    reading.lines.push(`Check before handing back: ${value}`);
    return undefined;
  }
  if (!isJsonObject(value)) {
    if (value !== null) {
      const message = 'expected a rule such as {"type": "contains", "value": "Risk"}; it is ignored';
      reading.part.say(warning(path, 'type', message, { expected: 'an object' }));
    }
    return undefined;
  }
  const part: Part = { ...reading.part, value, path };
  const rule = value['type'] === undefined ? composition(value, path, reading) : simpleRule(part, reading);
  const message = textAt(part, 'message');
  const condition = conditionAt(part, 'condition', reading.around);
  const words = wordsAt(part, 'condition');
  if (condition === undefined && words === '') {
    if (message !== undefined) reading.lines.push(`The notes are checked: ${message}`);
    return rule;
  }
  // Rules hold everywhere; one that holds sometimes is asked for, and not enforced.
  const must = rule === undefined ? '' : `the notes must ${describeRule(rule)}`;
  const where = [...(condition === undefined ? [] : [tellExpression(condition)]), ...(words === '' ? [] : [words])];
  reading.lines.push(`Where ${where.join(' and ')}: ${[must, message ?? ''].filter((said) => said !== '').join(': ')}`);
  return undefined;
}

function composition(value: JsonObject, path: Part['path'], reading: Reading): Rule | undefined {
  const inner = (key: string): readonly Rule[] => {
    const parts = own(value, key);
    if (parts === undefined) return [];
    if (!Array.isArray(parts)) return [ruleOf(parts, [...path, key], reading) ?? []].flat();
    return (parts as readonly JsonValue[]).flatMap((item, index) => ruleOf(item, [...path, key, index], reading) ?? []);
  };
  warnOfKeys({ ...reading.part, value, path }, ['and', 'or', 'not', 'message', 'condition']);
  const any = inner('or');
  const not = inner('not');
  const all: readonly Rule[] = [
    ...inner('and'),
    ...(any.length === 0 ? [] : [any.length === 1 ? any[0]! : { any }]),
    ...not.map((rule): Rule => ({ not: rule })),
  ];
  return all.length === 0 ? undefined : all.length === 1 ? all[0] : { all };
}

function simpleRule(part: Part, { lines }: Reading): Rule | undefined {
  const type = textAt(part, 'type')?.trim().toLowerCase();
  const doubt = (key: string, message: string): undefined =>
    part.say({ path: [...part.path, key], severity: 'warning', rule: 'notes_rule', message }) as undefined;
  warnOfKeys(part, ['type', 'value', 'pattern', 'flags', 'min', 'max', 'schema', 'message', 'condition']);
  switch (type) {
    case 'contains': {
      const all = textsAt(part, 'value').map((contains): Rule => ({ contains }));
      return all.length === 0
        ? doubt('value', 'a rule `contains` needs a `value`; it is ignored')
        : all.length === 1
          ? all[0]
          : { all };
    }
    case 'regex': {
      const flags = [...(textAt(part, 'flags') ?? '')].filter((flag) => 'ims'.includes(flag)).join('');
      const source = textAt(part, 'pattern') ?? textAt(part, 'value') ?? '';
      const matches = flags === '' ? source : `(?${flags})${source}`;
      const pattern = linearPattern(matches);
      if (pattern.ok) return { matches };
      lines.push(`The notes should match \`${source}\`.`);
      return doubt('pattern', `asked for and not enforced: it is ${pattern.error}`);
    }
    case 'length': {
      const min = numberAt(part, 'min');
      const max = numberAt(part, 'max');
      if (min !== undefined && max !== undefined && min > max) {
        lines.push(`The notes should have at least ${min} and at most ${max} characters.`);
        return doubt('max', `asked for and not enforced: no notes have at least ${min} and at most ${max} characters`);
      }
      const all: readonly Rule[] = [
        ...(min === undefined ? [] : [{ minLength: min }]),
        ...(max === undefined ? [] : [{ maxLength: max }]),
      ];
      return all.length === 1 ? all[0] : { all };
    }
    case 'schema':
      lines.push(`The notes should hold JSON of this schema: ${JSON.stringify(at(part, 'schema') ?? {})}`);
      return doubt('type', 'a schema of the notes is asked for and not enforced; an output contract would be');
    case undefined:
    default:
      return doubt('type', `\`${type ?? ''}\` is not a kind of rule (contains, regex, length, schema); it is ignored`);
  }
}
