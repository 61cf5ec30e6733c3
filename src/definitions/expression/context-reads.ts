import type { JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { asJson, isNumber } from './expression-values.js';
import { memoize } from './memoize.js';
import { isLenientRead, rootRead, visitExpression } from './visit-expression.js';

export interface ContextRead {
  readonly key: string;
  /** Literals it is compared with, in the order of the source. */
  readonly values: readonly JsonValue[];
  readonly type: 'string' | 'number' | 'boolean' | 'array' | undefined;
  /** The expression asks has() about it, so its author has thought of its absence. */
  readonly guarded: boolean;
  /** Only as conditions of the WorkRail JSON format read: what is not set is null, and no run stops for it. */
  readonly lenient?: true;
}

/** Which context keys an expression reads, and what its use of them tells of their values. */
export const contextReads: (source: string) => readonly ContextRead[] = memoize((source) => {
  const parsed = expressionTree(source);
  if (!parsed.ok) return [];
  const found = new Map<string, { values: JsonValue[]; type: ContextRead['type']; guarded: boolean; plain: boolean }>();
  const none: ReadonlySet<string> = new Set();
  const keyOf = (tree: ExpressionTree | undefined, variables: ReadonlySet<string>): string | undefined => {
    const read = tree && rootRead(tree, variables);
    if (read?.root !== 'context') return undefined;
    return isPath(tree) ? read.key.slice(0, read.key.indexOf('.')) : read.key;
  };
  // The JSON format writes a path into a key as one name: what is asked for is the key, and nothing is learned of it as a whole.
  const isPath = (tree: ExpressionTree | undefined): boolean =>
    tree !== undefined && isLenientRead(tree) && /^[^.]+\../u.test(textIn(tree.args[1]));
  const entry = (key: string): NonNullable<ReturnType<typeof found.get>> => {
    const known = found.get(key) ?? { values: [], type: undefined, guarded: false, plain: false };
    found.set(key, known);
    return known;
  };
  const learn = (
    tree: ExpressionTree | undefined,
    variables: ReadonlySet<string>,
    type: ContextRead['type'],
    values: readonly JsonValue[] = [],
  ): void => {
    // has() is true or false whatever the key holds.
    const key =
      tree?.op === 'member' || (tree && isLenientRead(tree) && !isPath(tree)) ? keyOf(tree, variables) : undefined;
    if (key === undefined) return;
    const known = entry(key);
    known.type ??= type;
    for (const value of values) if (!known.values.includes(value)) known.values.push(value);
  };
  const learnUse = (tree: ExpressionTree, variables: ReadonlySet<string>): void => {
    const compare = (tested: ExpressionTree, other: ExpressionTree): void => {
      const values = literalsOf(other);
      learn(tested, variables, typeOfLiterals(values), values);
    };
    if ('left' in tree && /^[=!<>]/u.test(tree.op)) {
      compare(tree.left, tree.right);
      compare(tree.right, tree.left);
    }
    if (tree.op === 'in') {
      compare(tree.left, tree.right);
      learn(tree.right, variables, tree.left.op === 'literal' ? 'array' : undefined);
    } else if (tree.op === '&&' || tree.op === '||') {
      learn(tree.left, variables, 'boolean');
      learn(tree.right, variables, 'boolean');
    } else if (tree.op === 'not') learn(tree.of, variables, 'boolean');
    else if (tree.op === 'choose') {
      learn(tree.test, variables, 'boolean');
      // What stands in for a key is of its type.
      learn(tree.then, variables, tree.otherwise.op === 'list' ? 'array' : typeOfLiterals(literalsOf(tree.otherwise)));
    } else if (tree.op === 'each') learn(tree.list, variables, 'array');
    else if (tree.op === 'call' && tree.function.startsWith('wr_')) {
      const values = tree.args[1] ? literalsOf(tree.args[1]) : [];
      learn(tree.args[0], variables, own(lenientTypes, tree.function) ?? typeOfLiterals(values), values);
    } else if (tree.op === 'call') learn(tree.args[0], variables, argumentType(tree.function));
  };
  visitExpression(parsed.value, none, (tree, variables) => {
    const key = keyOf(tree, variables);
    if (key !== undefined) {
      const known = entry(key);
      if (tree.op !== 'member') known.guarded = true;
      if (tree.op === 'member' || tree.op === 'has') known.plain = true;
    }
    // has(context.a.b) asks about context.a as well.
    if (tree.op === 'has')
      for (let of = tree.of; of.op === 'member'; of = of.of) {
        const outer = keyOf(of, variables);
        if (outer !== undefined) entry(outer).guarded = true;
      }
    learnUse(tree, variables);
  });
  return [...found].map(([key, { plain, ...read }]) => ({ key, ...read, ...(!plain && { lenient: true as const }) }));
});

const textIn = (tree: ExpressionTree | undefined): string =>
  tree?.op === 'literal' && typeof tree.value === 'string' ? tree.value : '';

const lenientTypes: { readonly [name: string]: ContextRead['type'] } = {
  wr_true: 'boolean',
  wr_gt: 'number',
  wr_gte: 'number',
  wr_lt: 'number',
  wr_lte: 'number',
};

function literalsOf(tree: ExpressionTree): readonly JsonValue[] {
  if (tree.op === 'literal') return [asJson(tree.value)];
  if (tree.op === 'minus' && tree.of.op === 'literal' && isNumber(tree.of.value)) return [-Number(tree.of.value)];
  return tree.op === 'list' ? tree.items.flatMap(literalsOf) : [];
}

function typeOfLiterals(values: readonly JsonValue[]): ContextRead['type'] {
  const types = new Set(values.map((value) => typeof value));
  const [only] = types;
  return types.size === 1 && (only === 'string' || only === 'number' || only === 'boolean') ? only : undefined;
}

function argumentType(name: string): ContextRead['type'] {
  if (
    ['contains', 'startsWith', 'endsWith', 'matches', 'trim', 'lowerAscii', 'upperAscii', 'split', 'replace'].includes(
      name,
    )
  )
    return 'string';
  if (name === 'join') return 'array';
  return undefined;
}
