import {
  Composer,
  type Document,
  type DocumentOptions,
  type ErrorCode,
  Lexer,
  type LineCounter,
  Parser,
  type ParseOptions,
  type SchemaOptions,
  type CST,
  YAMLParseError,
} from 'yaml';
import { limits } from '../../base/limits.js';

type Options = ParseOptions & DocumentOptions & SchemaOptions & { readonly lineCounter?: LineCounter };

/**
 * The one document of a YAML text. One that nests deeper than is ever read is not composed and has an error there: the
 * composer recurses, and where the end of the stack is reached while a regular expression is compiled, V8 does not throw
 * but ends the whole process.
 */
export function yamlDocument(text: string, options: Options): Document.Parsed {
  const parser = new Parser(options.lineCounter?.addNewLine);
  options.lineCounter?.addNewLine(0);
  const documents = new Composer(options).compose(tokensOf(text, parser), true, text.length);
  // There is one in any text, be it empty.
  const { value: document } = documents.next() as { readonly value: Document.Parsed };
  const fail = (code: ErrorCode, start: number, message: string): void =>
    void document.errors.push(new YAMLParseError([start, start + 1], code, message));
  const another = documents.next();
  if (isTooDeep(parser)) fail('RESOURCE_EXHAUSTION', parser.offset, 'nested too deeply');
  else if (another.done !== true) fail('MULTIPLE_DOCS', another.value.range[0], 'the text has more than one document');
  return document;
}

const isTooDeep = ({ stack }: Parser): boolean => stack.length > limits.yamlDepth;

/** As `Parser.parse` does it, as long as it is not too deep. */
function* tokensOf(text: string, parser: Parser): Generator<CST.Token, void> {
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (isTooDeep(parser)) return;
  }
  yield* parser.end();
}
