import { constantValue } from './constant-value.js';
import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { printExpression } from './print-expression.js';
import { printRead } from './print-read.js';
import { memoize } from './memoize.js';
import { simpleCondition } from './simple-condition.js';
import { visitExpression } from './visit-expression.js';
import { own } from '../../base/own.js';

/**
 * An expression for whoever reads a run. What an author wrote in our own language is told as it stands, but for what a call
 * has settled; a condition of the WorkRail JSON format was never seen by its author in the form that is asked here, and is
 * told in words.
 */
export function tellExpression(source: string): string {
  return told(source).text;
}

/** What has to hold for something to be done or told; undefined where nothing has to, or where what a call gives has settled it. */
export function tellCondition(source: string | undefined): string | undefined {
  return source === undefined || constantValue(source) === true ? undefined : tellExpression(source);
}

/** That a condition does not hold, as the reason why something was passed over. */
export function tellUnmet(source: string): string {
  const { text, inWords } = told(source);
  return inWords ? `this does not hold: ${text}` : `${text} is false`;
}

const told: (source: string) => { readonly text: string; readonly inWords: boolean } = memoize((source) => {
  const asWritten = { text: source, inWords: false };
  const tree = expressionTree(source);
  if (!tree.ok) return asWritten;
  const list = perhapsList(tree.value);
  if (list !== undefined) return { text: printExpression(list), inWords: false };
  const simple = simpleCondition(tree.value);
  // What is settled as a whole is told with what settles it.
  const shown = simple.op === 'literal' ? tree.value : simple;
  if (isOfConditions(shown)) return { text: words(shown), inWords: true };
  return printExpression(shown) === printExpression(tree.value)
    ? asWritten
    : { text: printExpression(shown), inWords: false };
});

function isOfConditions(tree: ExpressionTree): boolean {
  let found = false;
  visitExpression(tree, new Set(), (part) => {
    if (part.op === 'call' && part.function.startsWith('wr_')) found = true;
  });
  return found;
}

/** `has(x) ? x : []` is how a list that may be missing is asked for. */
function perhapsList(tree: ExpressionTree): ExpressionTree | undefined {
  if (tree.op !== 'choose' || tree.test.op !== 'has' || tree.then.op !== 'member') return undefined;
  const nothing =
    (tree.otherwise.op === 'list' && tree.otherwise.items.length === 0) ||
    (tree.otherwise.op === 'literal' && Number(tree.otherwise.value) === 0);
  const same = printExpression({ ...tree.test, op: 'member' }) === printExpression(tree.then);
  return nothing && same ? tree.then : undefined;
}

/** What holds, and what is said where it does not. */
const comparisons: { readonly [name: string]: readonly [holds: string, fails: string] } = {
  wr_equals: ['is', 'is not'],
  wr_gt: ['is more than', 'is not more than'],
  wr_gte: ['is at least', 'is not at least'],
  wr_lt: ['is less than', 'is not less than'],
  wr_lte: ['is at most', 'is not at most'],
  wr_contains: ['contains', 'does not contain'],
  wr_starts_with: ['begins with', 'does not begin with'],
  wr_ends_with: ['ends with', 'does not end with'],
  wr_matches: ['matches', 'does not match'],
  wr_in: ['is one of', 'is none of'],
};

function words(tree: ExpressionTree): string {
  if (tree.op === '&&' || tree.op === '||') {
    const all = terms(tree, tree.op).map((term) =>
      term.op === '&&' || term.op === '||' ? `(${words(term)})` : words(term),
    );
    return all.join(tree.op === '&&' ? ' and ' : ' or ');
  }
  if (tree.op === 'not') return said(tree.of, 1) ?? `not (${words(tree.of)})`;
  return said(tree, 0) ?? printRead(tree) ?? printExpression(tree);
}

/** All that one operator joins: they were put in pairs only so that many do not nest deep. */
function terms(tree: ExpressionTree, operator: '&&' | '||'): readonly ExpressionTree[] {
  return (tree.op === '&&' || tree.op === '||') && tree.op === operator
    ? [...terms(tree.left, operator), ...terms(tree.right, operator)]
    : [tree];
}

/** `which` is 0 for what holds and 1 for what fails; undefined where the tree is no comparison. */
function said(tree: ExpressionTree, which: 0 | 1): string | undefined {
  if (tree.op !== 'call' || tree.method) return undefined;
  const [of, to] = tree.args;
  if (tree.function === 'wr_true' && of !== undefined)
    return `${operand(of)} ${which === 0 ? 'is set and not false' : 'is not set or false'}`;
  const verbs = own(comparisons, tree.function);
  if (verbs === undefined || of === undefined || to === undefined) return undefined;
  if (tree.function === 'wr_equals' && to.op === 'literal' && to.value === null)
    return `${operand(of)} ${which === 0 ? 'is not set' : 'is set'}`;
  return `${operand(of)} ${verbs[which]} ${operand(to)}`;
}

/** A key by its name, a value as it would be written. */
function operand(tree: ExpressionTree): string {
  if (tree.op === 'list') return tree.items.length === 0 ? 'nothing' : tree.items.map(operand).join(', ');
  if (tree.op === 'literal' && typeof tree.value === 'string')
    return /^[\p{L}\p{N}_.-]+$/u.test(tree.value) ? tree.value : JSON.stringify(tree.value);
  if (tree.op === 'literal') return String(tree.value);
  if (tree.op === 'minus') return `-${operand(tree.of)}`;
  return printRead(tree) ?? printExpression(tree);
}
