import { safeParse } from '../../base/safe-parse.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { compileRules } from '../expand/compile-rules.js';
import { linearPattern } from '../expression/linear-pattern.js';
import { workOfPattern } from '../expression/pattern-parts.js';
import type { JudgingWork } from '../contracts/judging-work.js';
import { findNotes } from '../contracts/notes-example.js';
import { checkNotes } from '../contracts/notes-rules.js';
import { judgedWithin } from './judged-within.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
import { finding, type Finding } from '../source/finding.js';
import { ruleFields, rulesSource, type RuleSource } from '../source/workflow-format.js';

/** The rules on a step's notes: each by itself, and whether any notes keep them all. */
export function checkStepRules(step: StepOutline, work: JudgingWork): readonly Finding[] {
  const path = [...step.path, 'rules'];
  return step.source['rules'] === undefined ? [] : judgedWithin(work, path, () => judgeRules(step, path, work));
}

function judgeRules(step: StepOutline, path: SourcePath, work: JudgingWork): readonly Finding[] {
  const bounds: Bounds = { least: 0, most: limits.notes, work };
  const found = checkRules(step.source['rules'], path, bounds);
  if (bounds.least > bounds.most)
    return [
      ...found,
      finding(path, 'notes_rule', `no notes have at least ${bounds.least} and at most ${bounds.most} characters`),
    ];
  // Rules of the wrong shape are told by the schema.
  const parsed = safeParse(rulesSource, step.source['rules']);
  if (found.length > 0 || !parsed.success || parsed.data.length === 0) return found;
  const wrong = wrongExamples(parsed.data, path, work);
  return wrong.length > 0 ? wrong : withoutNotes(parsed.data, path, work);
}

function wrongExamples(rules: readonly RuleSource[], path: SourcePath, work: JudgingWork): readonly Finding[] {
  return rules.flatMap((rule, at): readonly Finding[] => {
    const here = [...path, at];
    const { example, ...rest } = rule;
    const inner = [
      ...wrongExamples(rule.all ?? [], [...here, 'all'], work),
      ...wrongExamples(rule.any ?? [], [...here, 'any'], work),
    ];
    const [broken] = example === undefined ? [] : checkNotes(compileRules([rest]), example, work);
    return broken === undefined
      ? inner
      : [...inner, finding([...here, 'example'], 'notes_rule', `the example does not keep its own rule: ${broken}`)];
  });
}

/** Whoever follows the step is shown notes that pass: so there have to be some. */
function withoutNotes(rules: readonly RuleSource[], path: SourcePath, work: JudgingWork): readonly Finding[] {
  if (findNotes(compileRules(rules), work) !== undefined) return [];
  const expected = 'rules that notes can follow all at once';
  const message =
    'no notes were found that follow all these rules: fix the rules, or give one of them an `example` of notes that follow them all';
  return [finding(path, 'notes_rule', message, { expected })];
}

/** Of rules that must hold together: narrowed by each. */
interface Bounds {
  least: number;
  most: number;
  readonly work: JudgingWork;
}

function checkRules(rules: JsonValue | undefined, path: SourcePath, bounds: Bounds): readonly Finding[] {
  return Array.isArray(rules)
    ? (rules as readonly JsonValue[]).flatMap((rule, at) => checkRule(rule, [...path, at], bounds))
    : [];
}

function checkRule(rule: JsonValue, path: SourcePath, bounds: Bounds): readonly Finding[] {
  if (!isJsonObject(rule)) return [];
  if (!ruleFields.some((field) => Object.hasOwn(rule, field))) {
    const message = `a rule says at least one of ${ruleFields.join(', ')}`;
    return [finding(path, 'notes_rule', message, { expected: ruleFields.join(', ') })];
  }
  const { matches, minLength, maxLength, all, any, not } = rule;
  if (typeof minLength === 'number') bounds.least = Math.max(bounds.least, minLength);
  if (typeof maxLength === 'number') bounds.most = Math.min(bounds.most, maxLength);
  if (typeof matches === 'string') bounds.work.spend(workOfPattern(matches));
  const pattern = typeof matches === 'string' ? linearPattern(matches) : undefined;
  const alone = (): Bounds => ({ ...bounds, least: 0, most: limits.notes });
  return [
    ...(pattern && !pattern.ok
      ? [{ path: [...path, 'matches'], rule: 'notes_rule', message: `\`${matches as string}\` is ${pattern.error}` }]
      : []),
    ...checkRules(all, [...path, 'all'], bounds),
    ...(Array.isArray(any)
      ? (any as readonly JsonValue[]).flatMap((one, at) => checkRule(one, [...path, 'any', at], alone()))
      : []),
    ...(not === undefined ? [] : checkRule(not, [...path, 'not'], alone())),
  ];
}
