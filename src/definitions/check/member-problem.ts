import { closestName } from '../../base/closest-name.js';
import { answerProblem } from './answer-problem.js';
import type { ExpressionTree } from '../expression/expression-tree.js';
import { typeInWords, type KnownType, type TypeProblem } from './known-type.js';
import { printExpression } from '../expression/print-expression.js';

/** Why a value of this type has no such member, whatever it turns out to be. */
export function memberProblem(
  holder: KnownType,
  read: ExpressionTree & { readonly op: 'member' | 'has' },
): TypeProblem | undefined {
  const { of, key } = read;
  const name = key.op === 'literal' && typeof key.value === 'string' ? key.value : undefined;
  const source = printExpression(of);
  if (holder.members !== undefined)
    return name === undefined || Object.hasOwn(holder.members, name)
      ? undefined
      : unknownMember(holder.members, source, name);
  const problem = holder.answer && answerProblem(holder.answer, read);
  if (problem !== undefined) return problem;
  if (holder.type === 'array')
    return name === undefined
      ? undefined
      : onlyCounted('a list', source, name, `; an element of it is \`${source}[0]\``);
  const plain = plainType(holder);
  return plain === undefined
    ? undefined
    : onlyCounted(typeInWords({ type: plain }), source, name ?? printExpression(key), '', plain === 'string');
}

/** What has no parts. */
function plainType({ type, answer }: KnownType): 'string' | 'number' | 'boolean' | undefined {
  const [only, another] = answer?.kinds ?? [type];
  const isPlain = only === 'string' || only === 'number' || only === 'boolean';
  return isPlain && another === undefined ? only : undefined;
}

function onlyCounted(what: string, source: string, name: string, otherwise: string, hasSize = true): TypeProblem {
  const counted = hasSize && ['length', 'len', 'size', 'count'].includes(name.toLowerCase());
  const right = `size(${source})`;
  const remedy = counted ? `; use \`${right}\`` : otherwise;
  return {
    message: `reads the member \`${name}\` of \`${source}\`, which is ${what} and has none${remedy}`,
    expected: counted ? right : what,
    actual: `${source}.${name}`,
    ...(counted && { closest: right }),
  };
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;

/** What a step leaves has closed members; an author's own stand in its artifacts. So have the rounds of a loop. */
function unknownMember(members: { readonly [name: string]: KnownType }, source: string, name: string): TypeProblem {
  const known = Object.keys(members);
  const near = closestName(name, known);
  const inside = known.includes('artifacts') ? 'artifacts[0]' : known.includes('body') ? 'body' : undefined;
  const far = name === 'gaps' || inside === undefined ? undefined : `${source}.${inside}.${name}`;
  const closest = near === undefined ? far : `${source}.${near}`;
  return {
    message: `reads \`${name}\` of \`${source}\`, which has ${listed(known.map((one) => `\`${one}\``))}`,
    expected: known.join(', '),
    actual: name,
    ...(closest !== undefined && { closest }),
  };
}
