import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { memoize } from './memoize.js';

/** Whole numbers written in an expression stay bigint until the result is handed out, as CEL divides them differently. */
export type Literal = null | boolean | string | number | bigint;

export type ExpressionTree =
  | { readonly op: 'literal'; readonly value: Literal }
  | { readonly op: 'name'; readonly name: string }
  | { readonly op: 'member' | 'has'; readonly of: ExpressionTree; readonly key: ExpressionTree }
  | { readonly op: 'list'; readonly items: readonly ExpressionTree[] }
  | { readonly op: 'map'; readonly entries: readonly (readonly [ExpressionTree, ExpressionTree])[] }
  | {
      readonly op: 'choose';
      readonly test: ExpressionTree;
      readonly then: ExpressionTree;
      readonly otherwise: ExpressionTree;
    }
  | { readonly op: 'not' | 'minus'; readonly of: ExpressionTree }
  | { readonly op: '&&' | '||'; readonly left: ExpressionTree; readonly right: ExpressionTree }
  | { readonly op: BinaryOperator; readonly left: ExpressionTree; readonly right: ExpressionTree }
  | {
      readonly op: 'each';
      readonly macro: (typeof macros)[number];
      readonly list: ExpressionTree;
      readonly variable: string;
      readonly bodies: readonly ExpressionTree[];
    }
  | {
      readonly op: 'call';
      readonly function: string;
      readonly method: boolean;
      readonly args: readonly ExpressionTree[];
    };

type BinaryOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%';

export const macros = ['all', 'exists', 'exists_one', 'map', 'filter'] as const;

const grammar = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxDepth: 64, maxAstNodes: 2000, maxListElements: 500, maxMapEntries: 500 },
});

/**
 * CEL source as our own small tree. The library gives us the language: its lexer, grammar and macros. We evaluate the
 * tree ourselves, because only so are the work bounded, a missing context key told apart from other failures, and
 * JSON numbers one kind of number. Nothing else imports the library.
 */
export const expressionTree: (source: string) => Result<ExpressionTree, string> = memoize((source) => {
  if (source.trim() === '') return err('the expression is empty');
  if (Buffer.byteLength(source) > limits.compiledExpression)
    return err(
      `the expression has ${Buffer.byteLength(source)} bytes; at most ${limits.compiledExpression} are allowed`,
    );
  try {
    return ok(toTree(grammar.parse(source).ast));
  } catch (cause) {
    return err(readable(cause, source));
  }
});

/** Words that CEL keeps for itself; no loop variable may be called so. */
export function isReservedWord(name: string): boolean {
  if (['true', 'false', 'null', 'in'].includes(name)) return true;
  const parsed = expressionTree(name);
  return !parsed.ok || parsed.value.op !== 'name';
}

class Unsupported extends Error {}

function readable(cause: unknown, source: string): string {
  if (cause instanceof Unsupported) return cause.message;
  const error = cause as {
    readonly summary?: string;
    readonly message?: string;
    readonly range?: { readonly start: number };
  };
  const said = (error.summary ?? error.message ?? String(cause)).replace('EOF', 'the end of the expression');
  const at =
    error.range && error.range.start < source.length
      ? ` at \`${source.slice(error.range.start, error.range.start + 20)}\``
      : '';
  return `not a valid expression: ${said.slice(0, 1).toLowerCase()}${said.slice(1)}${at}`;
}

function toTree(node: ASTNode): ExpressionTree {
  switch (node.op) {
    case 'value':
      return literal(node.args);
    case 'id':
      return { op: 'name', name: node.args };
    case '.':
      return { op: 'member', of: toTree(node.args[0]), key: { op: 'literal', value: node.args[1] } };
    case '[]':
      return { op: 'member', of: toTree(node.args[0]), key: toTree(node.args[1]) };
    case 'list':
      return { op: 'list', items: node.args.map(toTree) };
    case 'map':
      return { op: 'map', entries: node.args.map(([key, value]) => [toTree(key), toTree(value)] as const) };
    case '?:':
      return { op: 'choose', test: toTree(node.args[0]), then: toTree(node.args[1]), otherwise: toTree(node.args[2]) };
    case '!_':
      return { op: 'not', of: toTree(node.args) };
    case '-_':
      return { op: 'minus', of: toTree(node.args) };
    case 'call':
      return call(node.args[0], node.args[1]);
    case 'rcall':
      return methodCall(node.args[0], node.args[1], node.args[2]);
    case '.?':
    case '[?]':
      throw new Unsupported('optional access (`.?`) is not part of our expressions; use has()');
    case '!=':
    case '%':
    case '&&':
    case '*':
    case '+':
    case '-':
    case '/':
    case '<':
    case '<=':
    case '==':
    case '>':
    case '>=':
    case 'in':
    case '||':
      return { op: node.op, left: toTree(node.args[0]), right: toTree(node.args[1]) };
  }
}

function literal(value: unknown): ExpressionTree {
  if (value === null || ['boolean', 'string', 'number', 'bigint'].includes(typeof value))
    return { op: 'literal', value: value as Literal };
  throw new Unsupported('bytes and unsigned numbers are not JSON; write plain text or a plain number');
}

function call(name: string, args: readonly ASTNode[]): ExpressionTree {
  if (name !== 'has') return { op: 'call', function: name, method: false, args: args.map(toTree) };
  const target = args.length === 1 ? toTree(args[0]!) : undefined;
  if (target?.op !== 'member') throw new Unsupported('has() takes one member, such as has(context.complexity)');
  return { op: 'has', of: target.of, key: target.key };
}

function methodCall(name: string, receiver: ASTNode, args: readonly ASTNode[]): ExpressionTree {
  const macro = macros.find((one) => one === name);
  const wanted = macro === 'map' ? [2, 3] : [2];
  if (!macro || !wanted.includes(args.length))
    return { op: 'call', function: name, method: true, args: [toTree(receiver), ...args.map(toTree)] };
  const variable = toTree(args[0]!);
  if (variable.op !== 'name') throw new Unsupported(`the first argument of ${name}() is the name of its variable`);
  return { op: 'each', macro, list: toTree(receiver), variable: variable.name, bodies: args.slice(1).map(toTree) };
}
