import { expressionTree, isReservedWord, type ExpressionTree } from '../expression/expression-tree.js';
import { printExpression } from '../expression/print-expression.js';

/** What `{{name}}` in a text may stand for besides the context: a loop's own names, as expressions spell them. */
export type LoopNames = { readonly [name: string]: string };

/** `{{a.b}}` as a hole that expressions can fill, and what only looks like one of our holes as plain text. */
export function withHoles(text: string, names: LoopNames): string {
  // Words of a template language, whose blocks stay as they are written.
  const inBlocks = /\{\{#/u.test(text);
  const isOfBlocks = (name: string): boolean => inBlocks && (name === 'else' || name === 'this');
  const isMeant = (name: string): boolean => Object.hasOwn(names, name) || !isOfBlocks(name);
  return replaced(text, {
    path: (path, whole) => {
      const [first] = path.split('.');
      if (!isMeant(first!) || (first!.includes('-') && !Object.hasOwn(names, first!))) return whole;
      return `\${{ ${partOf(path, names)} }}`;
    },
    more: (inside, whole) => filled(workedOut(inside, names, isMeant), whole),
  });
}

const filled = (expression: string | undefined, whole: string): string =>
  expression === undefined ? whole : `\${{ ${expression} }}`;

/** A member of an element of a list, which may be a text that has none. */
function partOf(path: string, names: LoopNames): string {
  const [first, ...rest] = path.split('.');
  return rest.length > 0 && rest.at(-1) !== 'length' && Object.hasOwn(names, first!)
    ? `wr_part(${names[first!]!}, ${JSON.stringify(rest.join('.'))})`
    : readOf(path, names);
}

/** The same for the text of a routine that somebody else will work through: only the names that are given are filled. */
export function withSomeHoles(text: string, given: LoopNames): string {
  const isGiven = (name: string): boolean => Object.hasOwn(given, name);
  return replaced(text, {
    path: (path, whole) => (isGiven(path.split('.')[0]!) ? `\${{ ${readOf(path, given)} }}` : whole),
    more: (inside, whole) => filled(workedOut(inside, given, isGiven), whole),
  });
}

/**
 * What an author works out in a hole, as an expression: places in lists, lengths, sums and products of names. Anything
 * else has no meaning that a file of this format gives it.
 */
function workedOut(inside: string, names: LoopNames, isMeant: (name: string) => boolean): string | undefined {
  // A name with `-` in it is one name.
  if (/[A-Za-z_]\w*-\w/u.test(inside)) return undefined;
  const tree = expressionTree(inside);
  const meant = tree.ok ? meantBy(tree.value, names, isMeant) : undefined;
  return meant === undefined ? undefined : printExpression(meant);
}

function meantBy(
  tree: ExpressionTree,
  names: LoopNames,
  isMeant: (name: string) => boolean,
): ExpressionTree | undefined {
  const inner = (of: ExpressionTree): ExpressionTree | undefined => meantBy(of, names, isMeant);
  if (tree.op === 'literal') return tree.value === null || typeof tree.value === 'boolean' ? undefined : tree;
  if (tree.op === 'name') {
    const read = isMeant(tree.name) ? expressionTree(readOf(tree.name, names)) : undefined;
    return read?.ok === true ? read.value : undefined;
  }
  if (tree.op === 'member') return memberMeantBy(tree, names, inner);
  if (tree.op === 'minus') {
    const of = inner(tree.of);
    return of && { op: 'minus', of };
  }
  if (tree.op !== '+' && tree.op !== '-' && tree.op !== '*') return undefined;
  const [left, right] = [inner(tree.left), inner(tree.right)];
  return left && right && { op: tree.op, left, right };
}

function memberMeantBy(
  tree: ExpressionTree & { readonly op: 'member' | 'has' },
  names: LoopNames,
  inner: (of: ExpressionTree) => ExpressionTree | undefined,
): ExpressionTree | undefined {
  if (tree.of.op === 'name' && tree.of.name === 'context' && !Object.hasOwn(names, 'context')) return tree;
  const [of, key] = [inner(tree.of), tree.key.op === 'literal' ? tree.key : inner(tree.key)];
  if (of === undefined || key === undefined) return undefined;
  const isLength = key.op === 'literal' && key.value === 'length';
  return isLength ? { op: 'call', function: 'size', method: false, args: [of] } : { op: 'member', of, key };
}

/** What looks like a hole but is nothing that can be filled, such as `{{a ? b : c}}` or `{{#if x}}`. */
export function notNames(text: string, names: LoopNames = {}): readonly string[] {
  const isName = (inside: string): boolean =>
    /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/u.test(inside) ||
    Object.hasOwn(names, inside.split('.')[0]!) ||
    workedOut(inside, names, () => true) !== undefined;
  const holes = Array.from(
    text.matchAll(/(?<![${])\{\{([^{}\n]{1,120})\}\}(?!\})/gu),
    ([whole, inside]) => [whole, inside!.trim()] as const,
  );
  return [
    ...new Set(
      holes.filter(([, inside]) => /^#?(?!wr\.)[A-Za-z_]/u.test(inside) && !isName(inside)).map(([whole]) => whole),
    ),
  ];
}

interface Holes {
  /** A name, or members of one. */
  readonly path: (path: string, whole: string) => string;
  readonly more: (inside: string, whole: string) => string;
}

function replaced(text: string, { path: named, more }: Holes): string {
  return text.replaceAll(
    /\$\{\{|\{\{\s*(?!wr\.)([A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)*)\s*\}\}|(?<![{$])\{\{(?!\s*wr\.)([^{}\n]{1,120})\}\}(?!\})/gu,
    (whole: string, path: string | undefined, inside: string | undefined) => {
      if (path !== undefined) return named(path, whole);
      return inside === undefined ? '${{ "${{" }}' : more(inside.trim(), whole);
    },
  );
}

/** `a.b` as an expression: from a loop's name, or from the context; `a.length` is the size of `a`. */
export function readOf(path: string, names: LoopNames): string {
  const [first, ...rest] = path.split('.');
  const whole = path.replace(/\.length$/u, '');
  if (whole !== path && whole !== 'context') return `size(${readOf(whole, names)})`;
  if (Object.hasOwn(names, first!)) return names[first!]! + rest.map(member).join('');
  const keys = first === 'context' && rest.length > 0 ? rest : [first!, ...rest];
  return `context${keys.map(member).join('')}`;
}

function member(key: string): string {
  return /^[A-Za-z_]\w*$/u.test(key) && !isReservedWord(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/**
 * `{name}` replaced by the argument of that name. What no argument answers stays, and is told. In a brief, where
 * nothing else fills them, holes such as `{{name}}` mean arguments too.
 */
export function withArguments(
  text: string,
  args: { readonly [name: string]: string },
  missing: (name: string) => void,
  isHole: (name: string) => boolean = () => false,
): string {
  return text.replaceAll(
    /(?<![{$])(?:\{([A-Za-z_]\w*)\}|\{\{\s*([A-Za-z_]\w*)\s*\}\})(?!\})/gu,
    (whole: string, name: string | undefined, hole: string) => {
      if (name === undefined) return Object.hasOwn(args, hole) && isHole(hole) ? args[hole]! : whole;
      if (Object.hasOwn(args, name)) return args[name]!;
      missing(name);
      return whole;
    },
  );
}

/** An id as words: `wr.refs.notes_first_durability` is “notes first durability”. */
export function inWords(id: string): string {
  return id
    .slice(id.lastIndexOf('.') + 1)
    .replaceAll(/[_-]+/gu, ' ')
    .trim();
}
