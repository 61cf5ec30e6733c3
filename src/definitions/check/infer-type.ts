import { closestName } from '../../base/closest-name.js';
import type { JsonValue } from '../../base/json-value.js';
import type { ValueSpec } from '../compiled/compiled-workflow.js';
import type { ExpressionTree, Literal } from '../expression/expression-tree.js';
import { expressionFunctions } from '../expression/expression-functions.js';
import { asJson } from '../expression/expression-values.js';
import { type AnswerType, typeInWords, typeWords, type KnownType, type TypeProblem } from './known-type.js';
import { notList } from './answer-problem.js';
import { memberProblem } from './member-problem.js';
import { rootRead } from '../expression/visit-expression.js';

export interface TypeNames {
  readonly inputs: { readonly [name: string]: KnownType };
  readonly context: { readonly [key: string]: KnownType };
  readonly variables: { readonly [name: string]: KnownType };
  /** What commands leave, by their steps. */
  readonly outputs?: { readonly [step: string]: KnownType };
}

export const anyType: KnownType = { type: 'any' };

export function typeOfSpec({ type, enum: values, items }: Pick<ValueSpec, 'type' | 'enum' | 'items'>): KnownType {
  const known = type === 'integer' ? 'number' : type;
  return { type: known, ...(values && { values }), ...(items && { items: typeOfSpec(items) }) };
}

/** What two places that may set the same key agree on. */
export function commonType(a: KnownType, b: KnownType): KnownType {
  if (a.type !== b.type) return anyType;
  const items = a.items && b.items ? commonType(a.items, b.items) : undefined;
  return { type: a.type, ...(a.values && b.values && { values: [...a.values, ...b.values] }), ...(items && { items }) };
}

/** The type of an expression; every place where its parts cannot fit together is told. */
export function inferType(tree: ExpressionTree, names: TypeNames, tell: (problem: TypeProblem) => void): KnownType {
  const of = (inner: ExpressionTree): KnownType => inferType(inner, names, tell);
  const must = (inner: ExpressionTree, types: readonly KnownType['type'][], what: string): KnownType => {
    const known = of(inner);
    const expected = types.map((type) => typeWords[type]).join(' or ');
    if (known.type !== 'any' && !types.includes(known.type))
      tell({
        message: `${what} must be ${expected}, and is ${typeInWords(known)}`,
        expected,
        actual: typeInWords(known),
      });
    return known;
  };
  switch (tree.op) {
    case 'literal':
      return typeOfValue(asJson(tree.value));
    case 'name':
      return Object.hasOwn(names.variables, tree.name)
        ? names.variables[tree.name]!
        : tree.name === 'iteration'
          ? { type: 'number' }
          : anyType;
    case 'member':
      return memberType(tree, names, of, tell);
    case 'has':
      memberType(tree, names, of, tell);
      return { type: 'boolean' };
    case 'list':
      return listType(tree.items.map(of));
    case 'map':
      tree.entries.forEach((entry) => entry.forEach(of));
      return { type: 'object' };
    case 'choose':
      must(tree.test, ['boolean'], 'the test before `?`');
      return commonType(of(tree.then), of(tree.otherwise));
    case 'not':
      must(tree.of, ['boolean'], 'what follows `!`');
      return { type: 'boolean' };
    case 'minus':
      must(tree.of, ['number'], 'what follows `-`');
      return { type: 'number' };
    case '&&':
    case '||':
      for (const side of [tree.left, tree.right]) must(side, ['boolean'], `each side of \`${tree.op}\``);
      return { type: 'boolean' };
    case '==':
    case '!=':
      compare(of(tree.left), of(tree.right), tell);
      return { type: 'boolean' };
    case '<':
    case '<=':
    case '>':
    case '>=':
      sameOrder(
        must(tree.left, ordered, `what \`${tree.op}\` compares`),
        must(tree.right, ordered, `what \`${tree.op}\` compares`),
        tell,
      );
      return { type: 'boolean' };
    case 'in':
      return within(tree, of, tell, must);
    case '+':
      return sum(of(tree.left), of(tree.right), tell);
    case '-':
    case '*':
    case '/':
    case '%':
      for (const side of [tree.left, tree.right]) must(side, ['number'], `each side of \`${tree.op}\``);
      return { type: 'number' };
    case 'each':
      return eachType(tree, names, tell, must);
    case 'call':
      return callType(tree, must);
  }
}

type Must = (inner: ExpressionTree, types: readonly KnownType['type'][], what: string) => KnownType;
const ordered: readonly KnownType['type'][] = ['number', 'string', 'boolean'];

function typeOfValue(value: JsonValue): KnownType {
  if (value === null) return { type: 'null' };
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? { type, values: [value] } : anyType;
}

function listType(items: readonly KnownType[]): KnownType {
  const [first, ...rest] = items;
  return first === undefined ? { type: 'array' } : { type: 'array', items: rest.reduce(commonType, first) };
}

/** What a step leaves. */
const outputType: KnownType = { type: 'object', members: { notes: { type: 'string' }, artifacts: { type: 'array' } } };

/** What is known of the rounds of a loop. */
const ledgerType: KnownType = {
  type: 'object',
  members: {
    done: { type: 'number' },
    lines: { type: 'array', items: { type: 'string' } },
    rounds: {
      type: 'array',
      items: {
        type: 'object',
        members: {
          round: { type: 'number' },
          name: { type: 'string' },
          state: { type: 'string', values: ['done', 'now', 'skipped', 'to come', 'not done'] },
          line: { type: 'string' },
        },
      },
    },
  },
};

function memberType(
  tree: ExpressionTree & { readonly op: 'member' | 'has' },
  names: TypeNames,
  of: (tree: ExpressionTree) => KnownType,
  tell: (problem: TypeProblem) => void,
): KnownType {
  const read = rootRead(tree, new Set(Object.keys(names.variables)));
  if (read?.root === 'inputs' || read?.root === 'context') {
    const known = names[read.root];
    return Object.hasOwn(known, read.key) ? known[read.key]! : anyType;
  }
  if (read?.root === 'outputs')
    return names.outputs !== undefined && Object.hasOwn(names.outputs, read.key)
      ? names.outputs[read.key]!
      : outputType;
  if (read?.root === 'ledger') return ledgerType;
  of(tree.key);
  const holder = of(tree.of);
  const problem = memberProblem(holder, tree);
  if (problem) {
    tell(problem);
    return anyType;
  }
  const name = tree.key.op === 'literal' ? tree.key.value : undefined;
  if (holder.answer !== undefined) return partOfAnswer(holder.answer, tree.key.op, name);
  if (holder.type === 'array') return holder.items ?? anyType;
  return typeof name === 'string' && holder.members && Object.hasOwn(holder.members, name)
    ? holder.members[name]!
    : anyType;
}

/** By a name its field, by a number its element; by what is worked out, either. */
function partOfAnswer({ field, element }: AnswerType, op: ExpressionTree['op'], key: Literal | undefined): KnownType {
  if (typeof key === 'string') return field(key);
  return op === 'literal' ? element() : anyType;
}

/** What a list consists of. */
export const elementOf = ({ items, answer }: KnownType): KnownType => items ?? answer?.element() ?? anyType;

/** Equal can only be what has the same type; and of a closed set, what is in it. */
function compare(a: KnownType, b: KnownType, tell: (problem: TypeProblem) => void): void {
  if ([a.type, b.type].some((type) => type === 'any' || type === 'null')) return;
  const [left, right] = b.values !== undefined && b.values.length === 1 ? [a, b] : [b, a];
  const actual = typeInWords(right);
  if (left.type !== right.type)
    return tell({ message: `compares ${typeInWords(left)} with ${actual}`, expected: typeWords[left.type], actual });
  const [literal] = right.values ?? [];
  if (
    right.values?.length !== 1 ||
    left.values === undefined ||
    left.values.length === 1 ||
    literal === undefined ||
    left.values.includes(literal)
  )
    return;
  const closest =
    typeof literal === 'string'
      ? closestName(
          literal,
          left.values.filter((value) => typeof value === 'string'),
        )
      : undefined;
  tell({
    message: `compares ${actual} with a value that is one of ${typeInWords(left)}`,
    expected: typeInWords(left),
    actual,
    ...(closest !== undefined && { closest }),
  });
}

/** Whether one comes before the other can be asked of values that are not in the closed set. */
function sameOrder(a: KnownType, b: KnownType, tell: (problem: TypeProblem) => void): void {
  compare({ type: a.type }, { type: b.type }, tell);
}

function within(
  tree: { readonly left: ExpressionTree; readonly right: ExpressionTree },
  of: (tree: ExpressionTree) => KnownType,
  tell: (problem: TypeProblem) => void,
  must: Must,
): KnownType {
  const left = of(tree.left);
  if (tree.right.op === 'list') for (const item of tree.right.items) compare(left, of(item), tell);
  else {
    const right = must(tree.right, ['array', 'object', 'string'], 'what `in` looks into');
    if (right.type === 'array' && right.items) compare(right.items, left, tell);
    if (right.type === 'object' || right.type === 'string') must(tree.left, ['string'], 'what is looked for');
  }
  return { type: 'boolean' };
}

function sum(a: KnownType, b: KnownType, tell: (problem: TypeProblem) => void): KnownType {
  const types = [a.type, b.type];
  if (types.includes('any')) return anyType;
  const scalar = types.every((type) => type === 'string' || type === 'number' || type === 'boolean');
  if (types.includes('string') && scalar) return { type: 'string' };
  if (a.type === b.type && (a.type === 'number' || a.type === 'array')) return { type: a.type };
  tell({
    message: `\`+\` does not work between ${typeInWords(a)} and ${typeInWords(b)}`,
    expected: typeWords[a.type],
    actual: typeInWords(b),
  });
  return anyType;
}

function eachType(
  tree: ExpressionTree & { readonly op: 'each' },
  names: TypeNames,
  tell: (problem: TypeProblem) => void,
  must: Must,
): KnownType {
  const list = must(tree.list, ['array', 'object'], `what ${tree.macro}() goes over`);
  const isWrong = list.type === 'object' && list.answer !== undefined && list.answer.others !== 'open';
  if (isWrong) tell(notList(`${tree.macro}() goes over`, list.answer, tree.list));
  const isMap = list.type === 'object' && !isWrong;
  const item: KnownType = list.type === 'array' ? elementOf(list) : isMap ? { type: 'string' } : anyType;
  const inside: TypeNames = { ...names, variables: { ...names.variables, [tree.variable]: item } };
  const types = tree.bodies.map((body) => inferType(body, inside, tell));
  const tested = tree.macro === 'map' && types.length === 1 ? undefined : types[0];
  if (tested && tested.type !== 'boolean' && tested.type !== 'any')
    tell({
      message: `the test of ${tree.macro}() must be true or false, and is ${typeInWords(tested)}`,
      expected: typeWords.boolean,
      actual: typeInWords(tested),
    });
  const made = types.at(-1);
  if (tree.macro === 'map')
    return { type: 'array', ...(made && { items: { type: made.type, ...(made.answer && { answer: made.answer }) } }) };
  return tree.macro === 'filter' ? (list.type === 'array' ? list : { type: 'array' }) : { type: 'boolean' };
}

function callType(tree: ExpressionTree & { readonly op: 'call' }, must: Must): KnownType {
  const { takes = everything, gives = 'any' } = expressionFunctions.get(tree.function) ?? {};
  tree.args.forEach((arg, at) => must(arg, at === 0 ? takes : everything, `what ${tree.function}() takes`));
  return { type: gives };
}

const everything: readonly KnownType['type'][] = ['string', 'number', 'boolean', 'array', 'object', 'null', 'any'];
