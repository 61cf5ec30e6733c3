import { isJsonObject } from '../../base/json-value.js';
import { expressionTree } from '../expression/expression-tree.js';
import { type Finding, finding } from '../source/finding.js';
import { notList } from './answer-problem.js';
import { askingForChoices, askingIn, type CommandAnswers } from './command-answers.js';
import type { FoundCommand } from './command-sites.js';

/** Pages and choices are taken from a list: where the answer is an object, `items` says which. */
export function checkLists(sites: readonly FoundCommand[], answers: CommandAnswers): readonly Finding[] {
  return sites.flatMap(({ path, source, step, catalog, command }): readonly Finding[] => {
    const asking = step === undefined ? askingForChoices(source) : askingIn(source);
    const { list } = answers.of(asking);
    const { items = 'body' } = asking;
    const tree = expressionTree(items);
    if (!asking.isList || list.type !== 'object' || !tree.ok) return [];
    const { paginate = null } = source;
    const holder = step === undefined ? source : isJsonObject(paginate) ? paginate : {};
    const within = step === undefined ? path : [...path, 'paginate'];
    const { expected, actual, closest } = list.answer === undefined ? notAny : notList('', list.answer, tree.value);
    const message = `\`${items}\` of \`${catalog} ${command}\` is an object; name the list in it with \`items\``;
    const isWritten = Object.hasOwn(holder, 'items');
    return [
      finding(isWritten ? [...within, 'items'] : within, 'type', message, {
        of: isWritten ? { text: items } : 'key',
        expected,
        actual,
        closest,
      }),
    ];
  });
}

const notAny = { expected: 'a list', actual: 'an object', closest: undefined };
