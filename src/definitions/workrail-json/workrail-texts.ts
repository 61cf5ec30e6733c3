import { isReservedWord } from '../expression/expression-tree.js';

/** What `{{name}}` in a text may stand for besides the context: a loop's own names, as expressions spell them. */
export type LoopNames = { readonly [name: string]: string };

/** `{{a.b}}` as a hole that expressions can fill, and what only looks like one of our holes as plain text. */
export function withHoles(text: string, names: LoopNames): string {
  // Words of a template language, whose blocks stay as they are written.
  const inBlocks = /\{\{#/u.test(text);
  return replaced(text, (path, whole) => {
    const [first] = path.split('.');
    if (!Object.hasOwn(names, first!) && (first!.includes('-') || (inBlocks && (first === 'else' || first === 'this'))))
      return whole;
    return `\${{ ${readOf(path, names)} }}`;
  });
}

/** The same for the text of a routine that somebody else will work through: only the names that are given are filled. */
export function withSomeHoles(text: string, given: LoopNames): string {
  return replaced(text, (path, whole) =>
    Object.hasOwn(given, path.split('.')[0]!) ? `\${{ ${readOf(path, given)} }}` : whole,
  );
}

/** What looks like a hole but is more than a name, such as `{{index + 1}}` or `{{#if x}}`: nothing will fill it. */
export function notNames(text: string, names: LoopNames = {}): readonly string[] {
  const isName = (inside: string): boolean =>
    /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/u.test(inside) || Object.hasOwn(names, inside.split('.')[0]!);
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

function replaced(text: string, hole: (path: string, whole: string) => string): string {
  return text.replaceAll(
    /\$\{\{|\{\{\s*(?!wr\.)([A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)*)\s*\}\}/gu,
    (whole: string, path: string | undefined) => (path === undefined ? '${{ "${{" }}' : hole(path, whole)),
  );
}

/** `a.b` as an expression: from a loop's name, or from the context. */
export function readOf(path: string, names: LoopNames): string {
  const [first, ...rest] = path.split('.');
  if (Object.hasOwn(names, first!)) return names[first!]! + rest.map(member).join('');
  const keys = first === 'context' && rest.length > 0 ? rest : [first!, ...rest];
  return `context${keys.map(member).join('')}`;
}

function member(key: string): string {
  return /^[A-Za-z_]\w*$/u.test(key) && !isReservedWord(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** `{name}` replaced by the argument of that name. What no argument answers stays, and is told. */
export function withArguments(
  text: string,
  args: { readonly [name: string]: string },
  missing: (name: string) => void,
): string {
  return text.replaceAll(/(?<![{$])\{([A-Za-z_]\w*)\}(?!\})/gu, (whole: string, name: string) => {
    if (Object.hasOwn(args, name)) return args[name]!;
    missing(name);
    return whole;
  });
}

/** An id as words: `wr.refs.notes_first_durability` is “notes first durability”. */
export function inWords(id: string): string {
  return id
    .slice(id.lastIndexOf('.') + 1)
    .replaceAll(/[_-]+/gu, ' ')
    .trim();
}
