import { closestName, isSlip } from '../../base/closest-name.js';
import type { ExpressionTree } from '../expression/expression-tree.js';
import { printExpression } from '../expression/print-expression.js';
import { type AnswerType, type TypeProblem, typeWords } from './known-type.js';

type Read = ExpressionTree & { readonly op: 'member' | 'has' };

/** Why an object that is as its catalog says has no such part. */
export function answerProblem(answer: AnswerType, read: Read): TypeProblem | undefined {
  const { kinds, fields, others } = answer;
  const { key } = read;
  if (kinds?.has('object') !== true || others === 'open' || key.op !== 'literal') return undefined;
  if (typeof key.value === 'string')
    return fields.includes(key.value) ? undefined : unknownField(answer, read, key.value);
  return kinds.has('array') ? undefined : notList('reads an element of', answer, read.of);
}

/** An object that stands where only a list makes sense. */
export function notList(what: string, answer: AnswerType, of: ExpressionTree): TypeProblem {
  const [list] = answer.fields.filter((name) => answer.field(name).type === 'array');
  return {
    message: `${what} \`${printExpression(of)}\`, which is an object`,
    expected: typeWords.array,
    actual: typeWords.object,
    ...(list !== undefined && { closest: printExpression(memberOf(of, list)) }),
  };
}

/** Documents leave fields out: where they do not say that there are no others, only what is nearly the name of one is surely a slip. */
function unknownField(answer: AnswerType, { op, of }: Read, name: string): TypeProblem | undefined {
  const { fields, others } = answer;
  const slip = fields.find((field) => isOneSlip(name, field));
  const near = slip ?? closestName(name, fields);
  const isSure = others === 'closed' || slip !== undefined;
  if (!isSure && op === 'has') return undefined;
  const meant = near === undefined ? furtherIn(answer, of, name) : memberOf(of, near);
  const known = meant === undefined ? `; it has ${someOf(fields)}` : `; did you mean \`${printExpression(meant)}\`?`;
  const anyway = printExpression(memberOf({ op: 'call', function: 'dyn', method: false, args: [of] }, name));
  const otherwise =
    others === 'closed' ? '' : `${meant === undefined ? ';' : ''} If the server sends it, write \`${anyway}\``;
  return {
    message: `reads \`${name}\` of \`${printExpression(of)}\`, and the API document has no such field${known}${otherwise}`,
    expected: fields.slice(0, shown).join(', '),
    actual: name,
    ...(meant !== undefined && { closest: printExpression(meant) }),
    ...(!isSure && { mild: true }),
  };
}

/** By another number, as `line2` of `line1`, something else is called; so is `updated_at` beside `created_at`. */
const isOneSlip = (name: string, near: string): boolean =>
  isSlip(name, near, 1) && name.replaceAll(/\d+/gu, '0') !== near.replaceAll(/\d+/gu, '0');

const shown = 12;

function someOf(fields: readonly string[]): string {
  const named = fields.slice(0, shown).map((name) => `\`${name}\``);
  return `${named.join(', ')}${fields.length > shown ? ` and ${fields.length - shown} more` : ''}`;
}

/** The same name one level further in. */
function furtherIn({ fields, field }: AnswerType, of: ExpressionTree, name: string): ExpressionTree | undefined {
  for (const outer of fields) {
    const { type, answer } = field(outer);
    const at = memberOf(of, outer);
    if (type === 'object' && answer?.fields.includes(name) === true) return memberOf(at, name);
    if (type === 'array' && answer?.element().answer?.fields.includes(name) === true)
      return memberOf({ op: 'member', of: at, key: { op: 'literal', value: 0n } }, name);
  }
  return undefined;
}

const memberOf = (of: ExpressionTree, name: string): ExpressionTree => ({
  op: 'member',
  of,
  key: { op: 'literal', value: name },
});
