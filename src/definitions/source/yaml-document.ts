import { Composer, type CST, type Document, Lexer, LineCounter, type ParsedNode, Parser, YAMLParseError } from 'yaml';
import { limits } from '../../base/limits.js';

type Options = NonNullable<ConstructorParameters<typeof Composer>[0]>;

/**
 * The document of a YAML text, as `parseDocument` of the library gives it, but one that nests too deep is not composed.
 * The library recurses; where the stack runs out while a regular expression is being compiled, V8 ends the process.
 */
export function yamlDocument(text: string, options: Options, lines: LineCounter = new LineCounter()): Document.Parsed {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  // There is one in any text, be it empty.
  const [document, another] = new Composer<ParsedNode>(options).compose(tokensOf(text, parser), true, text.length);
  if (isTooDeep(parser)) document!.errors.push(problem(parser.offset, 'RESOURCE_EXHAUSTION', 'nested too deep'));
  else if (another !== undefined)
    document!.errors.push(problem(another.range[0], 'MULTIPLE_DOCS', 'a second document'));
  return document!;
}

const problem = (at: number, code: YAMLParseError['code'], message: string): YAMLParseError =>
  new YAMLParseError([at, at + 1], code, message);

/** What the parser is building stands on its stack: it is as deep as the text has been nested so far. */
const isTooDeep = ({ stack }: Parser): boolean => stack.length > limits.yamlDepth;

function* tokensOf(text: string, parser: Parser): Generator<CST.Token, void> {
  for (const sign of new Lexer().lex(text)) {
    yield* parser.next(sign);
    if (isTooDeep(parser)) return;
  }
  yield* parser.end();
}
