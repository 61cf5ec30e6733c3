import { answerNames } from '../expression/answer-names.js';
import { freeNames } from '../expression/bind-expression.js';
import { expressionTree } from '../expression/expression-tree.js';

export interface ItemInstead {
  readonly message: string;
  /** What was meant, where it can be told. */
  readonly right?: string;
}

/** What is asked of each item, and reads the whole answer. `where` says what is asked of them, as the subject of a sentence. */
export function itemInstead(source: string, variables: ReadonlySet<string>, where: string): ItemInstead | undefined {
  const tree = expressionTree(source);
  if (!tree.ok || !variables.has('item')) return undefined;
  const name = [...freeNames(tree.value)].find((one) => answerNames.includes(one) && !variables.has(one));
  if (name === undefined) return undefined;
  const [, , path] = mapped.exec(source.trim()) ?? [];
  const right = path === undefined ? undefined : `item${path}`;
  return {
    message: `${where} is asked of each item, and \`${name}\` is of the whole answer: write \`${right ?? 'item'}\`${right === undefined ? ', such as `item.id`' : ''}`,
    ...(right !== undefined && { right }),
  };
}

/** `body.items.map(i, i.title)`: the list is taken apart already. */
const mapped = /^body(?:\.\w+)*\.map\(\s*(?:(?<one>\w+)\s*,\s*\k<one>)((?:\.\w+)*)\s*\)$/u;
