import { expressionTree } from './expression-tree.js';

/** How other languages write an operator, and how it is written here. The first that fits at a place counts. */
const operators: readonly { readonly there: RegExp; readonly here: string; readonly sure: boolean }[] = [
  { there: /!==/u, here: '!=', sure: true },
  { there: /===/u, here: '==', sure: true },
  { there: /<>/u, here: '!=', sure: true },
  { there: /(?<![=!<>])=(?!=)/u, here: '==', sure: true },
  { there: /(?<!&)&(?!&)/u, here: '&&', sure: true },
  { there: /(?<!\|)\|(?!\|)/u, here: '||', sure: true },
  { there: /(?<![\w.$])and(?!\w)/u, here: '&&', sure: true },
  { there: /(?<![\w.$])or(?!\w)/u, here: '||', sure: true },
  { there: /(?<![\w.$])is\s+not(?!\w)/u, here: '!=', sure: true },
  { there: /(?<![\w.$])is(?!\w)/u, here: '==', sure: true },
  // Here `!` binds more tightly than a comparison, so that the whole has to be put in parentheses by whoever means it.
  { there: /(?<![\w.$])not\s+in(?!\w)/u, here: '!(… in …)', sure: false },
  { there: /(?<![\w.$])not(?!\w)/u, here: '!(…)', sure: false },
];

const anyOperator = new RegExp(operators.map(({ there }) => `(${there.source})`).join('|'), 'giu');

export interface ForeignExpression {
  /** What to write in place of what, as a sentence. */
  readonly message: string;
  /** The whole as it is written here, where that is certain and is an expression. */
  readonly right?: string;
}

/** An expression that is none here because it is written as in another language. */
export function foreignExpression(source: string): ForeignExpression | undefined {
  if (expressionTree(source).ok) return undefined;
  // Texts inside of it keep their length and lose their signs.
  const masked = source.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gu, (text) => ' '.repeat(text.length));
  const found = [...masked.matchAll(anyOperator)].map(({ index, 0: text, ...groups }) => ({
    text,
    index,
    ...operators[operators.findIndex((_, at) => groups[at + 1] !== undefined)]!,
  }));
  if (found.length === 0) return undefined;
  const told = new Map(found.map(({ text, here }) => [text.replaceAll(/\s+/gu, ' '), here]));
  const right = found.every(({ sure }) => sure)
    ? found
        .toReversed()
        .reduce(
          (whole, { text, here, index }) => whole.slice(0, index) + here + whole.slice(index + text.length),
          source,
        )
    : undefined;
  return {
    message: [...told].map(([there, here]) => `\`${there}\` is written \`${here}\``).join(', and '),
    ...(right !== undefined && expressionTree(right).ok && { right }),
  };
}
