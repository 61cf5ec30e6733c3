import { isReservedWord, type ExpressionTree, type Literal } from './expression-tree.js';

/** How tightly each form binds; a looser one inside a tighter one needs brackets. */
const loosest = 1;
const binding: { readonly [op: string]: number } = {
  choose: 1,
  '||': 2,
  '&&': 3,
  '==': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  in: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
  not: 7,
  minus: 7,
};
const tightest = 8;

/** A tree as source that reads back as the same tree. */
export function printExpression(tree: ExpressionTree): string {
  return printed(tree, loosest);
}

function printed(tree: ExpressionTree, least: number): string {
  const text = form(tree);
  return bindingOf(tree) < least ? `(${text})` : text;
}

function bindingOf(tree: ExpressionTree): number {
  // `-1` and `1.0` would be read otherwise with a member or an operator behind them.
  if (tree.op === 'literal' && (typeof tree.value === 'number' || typeof tree.value === 'bigint')) return 7;
  return binding[tree.op] ?? tightest;
}

function form(tree: ExpressionTree): string {
  if ('left' in tree) {
    const own = binding[tree.op]!;
    // They group from the left; of comparisons in a row, who binds tighter is not for a reader to know.
    return `${printed(tree.left, own === 4 ? own + 1 : own)} ${tree.op} ${printed(tree.right, own + 1)}`;
  }
  switch (tree.op) {
    case 'literal':
      return printLiteral(tree.value);
    case 'name':
      return tree.name;
    case 'member':
      return `${printed(tree.of, tightest)}${memberOf(tree.key)}`;
    case 'has':
      return `has(${printed(tree.of, tightest)}${memberOf(tree.key)})`;
    case 'list':
      return `[${tree.items.map(printExpression).join(', ')}]`;
    case 'map':
      return `{${tree.entries.map(([key, value]) => `${printExpression(key)}: ${printExpression(value)}`).join(', ')}}`;
    case 'choose':
      return `${printed(tree.test, 2)} ? ${printed(tree.then, 2)} : ${printed(tree.otherwise, loosest)}`;
    case 'not':
      return `!${printed(tree.of, tightest)}`;
    case 'minus':
      return `-${printed(tree.of, tightest)}`;
    case 'each':
      return `${printed(tree.list, tightest)}.${tree.macro}(${[tree.variable, ...tree.bodies.map(printExpression)].join(', ')})`;
    case 'call':
      return printCall(tree.function, tree.method, tree.args);
  }
}

function printCall(name: string, method: boolean, args: readonly ExpressionTree[]): string {
  if (!method) return `${name}(${args.map(printExpression).join(', ')})`;
  return `${printed(args[0]!, tightest)}.${name}(${args.slice(1).map(printExpression).join(', ')})`;
}

function memberOf(key: ExpressionTree): string {
  const name = key.op === 'literal' && typeof key.value === 'string' ? key.value : undefined;
  return name !== undefined && /^[A-Za-z_]\w*$/u.test(name) && !isReservedWord(name)
    ? `.${name}`
    : `[${printExpression(key)}]`;
}

function printLiteral(value: Literal): string {
  if (typeof value === 'string') return JSON.stringify(value);
  // A JSON number stays one: as a whole number of the expression it would divide without a rest.
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21) return `${value}.0`;
  return String(value);
}
