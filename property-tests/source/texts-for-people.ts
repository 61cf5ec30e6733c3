import ts from 'typescript';

/** A phrase that people should not meet, what is said instead, and the beginnings of paths where it may stand all the same. */
export interface Avoided {
  readonly words: string;
  readonly better: string;
  readonly allowed: readonly string[];
}

export interface Text {
  readonly path: string;
  readonly line: number;
  readonly said: string;
}

/** The table of the glossary under `Words for people`. */
export function avoidedWords(glossary: string): readonly Avoided[] {
  const [, part = ''] = glossary.split('\n## Words for people\n');
  return part
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => {
      const [words = '', better = '', allowed = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      return { words, better, allowed: allowed.split(/[\s,`]+/u).filter((path) => path !== '') };
    });
}

/** What a source file says, without its comments and imports: a text as it is written there, with its quotes. */
export function textsOfSource(path: string, source: string): readonly Text[] {
  const file = ts.createSourceFile(
    path,
    source,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ path, line: line + 1, said: node.getText() });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Addresses of links are no text, and neither is their case or how their lines are broken. */
const plain = (said: string): string =>
  said
    .replaceAll(/\]\([^)]*\)/gu, ']')
    .replaceAll(/\s+/gu, ' ')
    .toLowerCase();

/** Whole words: `for every` does not hold `for ever`. */
const holds = (read: string, words: string): boolean =>
  read
    .split(words)
    .slice(1)
    .some((after) => !/^\w/u.test(after) || !/\w$/u.test(words));

export const wordsFound = (texts: readonly Text[], avoided: readonly Avoided[]): readonly string[] =>
  texts.flatMap(({ path, line, said }) => {
    const read = plain(said);
    return avoided
      .filter(({ words, allowed }) => holds(read, words) && !allowed.some((begin) => path.startsWith(begin)))
      .map(({ words, better }) => `${path}:${line}: “${words}”, say “${better}”`);
  });
