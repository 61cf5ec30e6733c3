import { unreachable } from '../../base/assert.js';
import type { Rule } from '../compiled/compiled-workflow.js';
import { linearPattern } from '../expression/linear-pattern.js';
import { JudgingWork, TooMuchWork } from './judging-work.js';

/** The rules that notes break, each said as what would mend it. Ends whatever the rules and the notes are. */
export function checkNotes(rules: readonly Rule[], notes: string, work = new JudgingWork()): readonly string[] {
  try {
    return rules
      .filter((rule) => !holds(rule, notes, work))
      .map((rule) => {
        const length = 'minLength' in rule || 'maxLength' in rule ? `; they have ${lengthOf(notes)}` : '';
        return `the notes must ${inWords(rule)}${length}${rule.message === undefined ? '' : `: ${rule.message}`}`;
      });
  } catch (cause) {
    if (!(cause instanceof TooMuchWork)) throw cause;
    return ['the notes must be shorter: it takes too much work to hold them against the rules'];
  }
}

/** Throws where the work does not suffice. */
export function keepsRules(rules: readonly Rule[], notes: string, work: JudgingWork): boolean {
  return rules.every((rule) => holds(rule, notes, work));
}

/** What follows “the notes must”, and what the author says of it. */
export function describeRule(rule: Rule): string {
  return `${inWords(rule)}${rule.message === undefined ? '' : ` (${rule.message})`}`;
}

function inWords(rule: Rule): string {
  if ('contains' in rule) return `contain ${JSON.stringify(rule.contains)}`;
  if ('matches' in rule) return `match \`${rule.matches}\``;
  if ('minLength' in rule) return `have at least ${rule.minLength} characters`;
  if ('maxLength' in rule) return `have at most ${rule.maxLength} characters`;
  if ('all' in rule) return rule.all.map(describeRule).join(' and ');
  if ('any' in rule) return rule.any.map(describeRule).join(' or ');
  if ('not' in rule) return `not ${describeRule(rule.not)}`;
  return unreachable(rule);
}

function holds(rule: Rule, notes: string, work: JudgingWork): boolean {
  work.spend(1 + notes.length / 8);
  if ('contains' in rule) return notes.includes(rule.contains);
  if ('matches' in rule) {
    const pattern = linearPattern(rule.matches);
    if (!pattern.ok) return false;
    work.spend((notes.length * pattern.value.size) / 2);
    return pattern.value.test(notes);
  }
  if ('minLength' in rule) return lengthOf(notes) >= rule.minLength;
  if ('maxLength' in rule) return lengthOf(notes) <= rule.maxLength;
  if ('all' in rule) return rule.all.every((part) => holds(part, notes, work));
  if ('any' in rule) return rule.any.some((part) => holds(part, notes, work));
  if ('not' in rule) return !holds(rule.not, notes, work);
  return unreachable(rule);
}

/** Letters as a reader counts them, near enough: an emoji is not two. */
export function lengthOf(text: string): number {
  return [...text].length;
}
