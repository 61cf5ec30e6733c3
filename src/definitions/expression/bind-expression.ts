import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import { expressionTree, type ExpressionTree } from './expression-tree.js';
import { asText } from './expression-values.js';
import { printExpression } from './print-expression.js';
import { templateParts } from './template.js';
import { visitExpression } from './visit-expression.js';

/** What the names of a routine stand for where it is called. */
export interface Binding {
  /** The inputs that have a value, as expressions of the caller. */
  readonly inputs: ReadonlyMap<string, ExpressionTree>;
  /** Stands before the ids of the routine's steps. */
  readonly prefix: string;
  /** Loop variables that had to be called otherwise. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Names that the inputs' expressions read: no variable of the routine may be called so. */
  readonly taken: ReadonlySet<string>;
  /** A name that nothing else has. */
  readonly fresh: (name: string) => string;
}

/** Why a routine cannot stand where it is called. */
export class CannotBind extends Error {}

/** An expression of a routine as its caller has to say it. `own`: names that it has of itself, such as those of an answer. */
export function bindExpression(source: string, binding: Binding, own: readonly string[] = []): string {
  const tree = expressionTree(source);
  if (!tree.ok) throw new CannotBind(tree.error);
  return checked(printExpression(bind(tree.value, binding, ownNames(own))));
}

const ownNames = (own: readonly string[]): Variables => new Map(own.map((name) => [name, name]));

/**
 * The same for each hole of a text. Plain values are put into the text itself, where an author can read them; in a
 * `typed` one a hole that stands alone stays one where its value is no text.
 */
export function bindText(
  text: string,
  binding: Binding,
  form: 'plain' | 'typed' = 'plain',
  own: readonly string[] = [],
): string {
  const parts = templateParts(text);
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      const tree = expressionTree(part.source);
      if (!tree.ok) throw new CannotBind(tree.error);
      const bound = bind(tree.value, binding, ownNames(own));
      const keepsType =
        form === 'typed' && parts.length === 1 && bound.op === 'literal' && typeof bound.value !== 'string';
      const plain = bound.op === 'literal' && !keepsType ? asText(bound.value) : undefined;
      // With one of these beside other text, a hole could come about that nobody wrote.
      return plain !== undefined && /^[^${}]+$/u.test(plain) ? plain : `\${{ ${checked(printExpression(bound))} }}`;
    })
    .join('');
}

/** Every name that an expression reads from outside of itself. */
export function freeNames(tree: ExpressionTree): ReadonlySet<string> {
  const names = new Set<string>();
  visitExpression(tree, new Set(), (inner, variables) => {
    if (inner.op === 'name' && !variables.has(inner.name)) names.add(inner.name);
  });
  return names;
}

function checked(source: string): string {
  if (byteLength(source) > limits.expression)
    throw new CannotBind(
      `with these values an expression of it grows to ${byteLength(source)} bytes; at most ${limits.expression} are allowed`,
    );
  const tree = expressionTree(source);
  if (!tree.ok) throw new CannotBind(`with these values an expression of it cannot be read: ${tree.error}`);
  return source;
}

/** `variables`: what the macros around call their elements, and what they are called now. */
type Variables = ReadonlyMap<string, string>;

function bind(tree: ExpressionTree, binding: Binding, variables: Variables): ExpressionTree {
  const inner = (of: ExpressionTree): ExpressionTree => bind(of, binding, variables);
  if ('left' in tree) return { ...tree, left: inner(tree.left), right: inner(tree.right) };
  switch (tree.op) {
    case 'literal':
      return tree;
    case 'name':
      return bindName(tree.name, binding, variables);
    case 'member':
    case 'has':
      return bindMember(tree, binding, variables);
    case 'list':
      return { ...tree, items: tree.items.map(inner) };
    case 'map':
      return { op: 'map', entries: tree.entries.map(([key, value]) => [inner(key), inner(value)]) };
    case 'choose':
      return { op: 'choose', test: inner(tree.test), then: inner(tree.then), otherwise: inner(tree.otherwise) };
    case 'not':
    case 'minus':
      return { ...tree, of: inner(tree.of) };
    case 'call':
      return { ...tree, args: tree.args.map(inner) };
    case 'each': {
      const variable = binding.taken.has(tree.variable) ? binding.fresh(tree.variable) : tree.variable;
      const inside = new Map(variables).set(tree.variable, variable);
      return {
        ...tree,
        variable,
        list: inner(tree.list),
        bodies: tree.bodies.map((body) => bind(body, binding, inside)),
      };
    }
  }
}

function bindName(name: string, { inputs, renamed }: Binding, variables: Variables): ExpressionTree {
  const variable = variables.get(name) ?? renamed.get(name);
  if (variable !== undefined) return { op: 'name', name: variable };
  if (name === 'outputs' || name === 'ledger')
    throw new CannotBind(`it reads \`${name}\` as a whole, which in a caller holds more than its own steps`);
  if (name !== 'inputs') return { op: 'name', name };
  return {
    op: 'map',
    entries: [...inputs].map(([key, value]) => [{ op: 'literal', value: key }, seen(value, variables)]),
  };
}

function bindMember(
  tree: ExpressionTree & { readonly op: 'member' | 'has' },
  binding: Binding,
  variables: Variables,
): ExpressionTree {
  const inner = (of: ExpressionTree): ExpressionTree => bind(of, binding, variables);
  const root =
    tree.of.op === 'name' && !variables.has(tree.of.name) && !binding.renamed.has(tree.of.name)
      ? tree.of.name
      : undefined;
  if (root === 'outputs' || root === 'ledger')
    return { op: tree.op, of: tree.of, key: prefixed(inner(tree.key), binding.prefix) };
  if (root !== 'inputs' || tree.key.op !== 'literal' || typeof tree.key.value !== 'string')
    return { op: tree.op, of: inner(tree.of), key: inner(tree.key) };
  const value = binding.inputs.get(tree.key.value);
  // An input that nobody gave stays one that is not there.
  if (value === undefined)
    return tree.op === 'has'
      ? { op: 'literal', value: false }
      : { op: 'member', of: { op: 'map', entries: [] }, key: tree.key };
  if (tree.op === 'member') return seen(value, variables);
  // Given by something that may itself be missing, it is there when that is.
  return value.op === 'member' ? { op: 'has', of: value.of, key: value.key } : { op: 'literal', value: true };
}

/** What a caller gives means there what it means outside: variables that would hide a name of it are called otherwise. */
function seen(value: ExpressionTree, variables: Variables): ExpressionTree {
  const hidden = [...freeNames(value)].find((name) => variables.get(name) === name);
  if (hidden === undefined) return value;
  throw new CannotBind(
    `what it makes of an answer reads an input that stands for \`${hidden}\`, which there is of the answer; call that loop's variable otherwise`,
  );
}

function prefixed(key: ExpressionTree, prefix: string): ExpressionTree {
  const before: ExpressionTree = { op: 'literal', value: prefix };
  return key.op === 'literal'
    ? { op: 'literal', value: `${prefix}${asText(key.value)}` }
    : { op: '+', left: before, right: key };
}
