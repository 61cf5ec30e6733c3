import { Composer, type CST, Document, Lexer, LineCounter, type ParsedNode, Parser, YAMLParseError } from 'yaml';
import { limits } from '../../base/limits.js';

type Options = NonNullable<ConstructorParameters<typeof Composer>[0]>;

/**
 * The document of a YAML text, as `parseDocument` of the library gives it, but that nesting ends at a bound. The library
 * recurses; where the stack runs out while a regular expression is being compiled, V8 ends the process.
 */
export function yamlDocument(text: string, options: Options, lines: LineCounter = new LineCounter()): Document.Parsed {
  try {
    const [document, another] = new Composer<ParsedNode>(options).compose(tokensOf(text, lines), true, text.length);
    if (another !== undefined) document!.errors.push(problem(another.range[0], 'MULTIPLE_DOCS', 'a second document'));
    return document!;
  } catch (cause) {
    if (!(cause instanceof TooDeep)) throw cause;
    const document = new Document(null) as unknown as Document.Parsed;
    document.errors.push(problem(cause.at, 'RESOURCE_EXHAUSTION', `nested more than ${limits.yamlDepth} deep`));
    return document;
  }
}

class TooDeep extends Error {
  constructor(readonly at: number) {
    super('nested too deep');
  }
}

const problem = (at: number, code: YAMLParseError['code'], message: string): YAMLParseError =>
  new YAMLParseError([at, at + 1], code, message);

/** What the parser is building stands on its stack: it is as deep as the text has been nested so far. */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const sign of new Lexer().lex(text)) {
    yield* parser.next(sign);
    if (parser.stack.length > limits.yamlDepth) throw new TooDeep(parser.offset);
  }
  yield* parser.end();
}
