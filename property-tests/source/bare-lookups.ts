import ts from 'typescript';

/** One place where a member is looked up by a name that is only known when the program runs. */
export interface BareLookup {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/**
 * Every `object[name]` and `name in object` where the name is any text, and where nobody asked `Object.hasOwn` of that
 * very object and name: there `constructor` finds what nobody put there. What is written to is no lookup.
 */
export function bareLookups(config: string, isOurs: (file: string) => boolean): readonly BareLookup[] {
  const parsed = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, ' '));
      },
    },
  )!;
  const program = ts.createProgram(parsed.fileNames, parsed.options);
  const checker = program.getTypeChecker();
  const found: BareLookup[] = [];
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || !isOurs(file.fileName)) continue;
    const note = (node: ts.Node): void => {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ file: file.fileName, line: line + 1, text: node.getText().replaceAll(/\s+/gu, ' ') });
    };
    const visit = (node: ts.Node, around: readonly ts.Node[]): void => {
      if (ts.isElementAccessExpression(node) && !isWrittenTo(node) && isBare(node, checker) && !isGuarded(node, around))
        note(node);
      if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.InKeyword &&
        isAnyText(checker.getTypeAtLocation(node.left), checker)
      )
        note(node);
      const inside = ts.isFunctionLike(node) ? [...around, node] : around;
      ts.forEachChild(node, (child) => visit(child, inside));
    };
    visit(file, []);
  }
  return found;
}

function isBare({ expression, argumentExpression }: ts.ElementAccessExpression, checker: ts.TypeChecker): boolean {
  const of = checker.getTypeAtLocation(expression);
  if (checker.isArrayLikeType(of) || of.flags & ts.TypeFlags.StringLike) return false;
  return isAnyText(checker.getTypeAtLocation(argumentExpression), checker);
}

function isAnyText(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion() || type.isIntersection()) return type.types.some((one) => isAnyText(one, checker));
  if (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return true;
  if (!(type.flags & ts.TypeFlags.TypeParameter)) return false;
  const bound = checker.getBaseConstraintOfType(type);
  return bound !== undefined && isAnyText(bound, checker);
}

function isWrittenTo(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) ||
    ts.isDeleteExpression(parent)
  );
}

/** Somewhere in the functions around it; which branch it is in, the reader sees. */
function isGuarded(
  { expression, argumentExpression }: ts.ElementAccessExpression,
  around: readonly ts.Node[],
): boolean {
  const asked = `Object.hasOwn(${expression.getText()}, ${argumentExpression.getText()})`.replaceAll(/[!\s]/gu, '');
  return around.some((one) => one.getText().replaceAll(/[!\s]/gu, '').includes(asked));
}
