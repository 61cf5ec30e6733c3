import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { isReading } from '../compiled/operation-shape.js';
import { freeNames } from '../expression/bind-expression.js';
import { checkExpression } from '../expression/check-expression.js';
import { expressionTree } from '../expression/expression-tree.js';
import { rootRead, visitExpression } from '../expression/visit-expression.js';
import { type Finding, finding, replacing } from '../source/finding.js';
import { toldOf } from './check-expression-type.js';
import { askingForChoices, type CommandAnswers } from './command-answers.js';
import { type FoundCommand, operationOf } from './command-sites.js';
import { itemInstead } from './item-instead.js';
import { inferType, type TypeNames } from './infer-type.js';
import { type ExpressionUse, usesInProviders } from './source-uses.js';

/** Providers are asked before a run begins: they only read, and know nothing but other inputs. */
export function checkProviders(
  inputs: JsonObject,
  sites: readonly FoundCommand[],
  answers: CommandAnswers,
): readonly Finding[] {
  const uses = usesInProviders(inputs);
  const reading = new Map(Object.keys(inputs).map((name) => [name, readBy(name, uses)]));
  return [
    ...uses.flatMap(onlyInputs),
    ...[...reading].flatMap(([name, read]) => circles(name, read, reading)),
    ...Object.entries(inputs).flatMap(([name, input]) => {
      const provider = isJsonObject(input) ? (input['provider'] ?? null) : null;
      return isJsonObject(provider) ? expressionsOf(provider, name, inputs, answers) : [];
    }),
    ...sites.flatMap((site): readonly Finding[] => {
      if (site.step !== undefined || isReading(site.command, operationOf(site)) !== false) return [];
      const message = `\`${site.catalog} ${site.command}\` changes something, and a provider only reads: name a command that lists values`;
      return [finding([...site.path, 'run'], 'provider', message, { actual: site.command })];
    }),
  ];
}

const readBy = (name: string, uses: readonly ExpressionUse[]): ReadonlySet<string> => {
  const read = new Set<string>();
  for (const use of uses) {
    const tree = use.path[1] === name ? expressionTree(use.source) : undefined;
    if (tree?.ok !== true) continue;
    visitExpression(tree.value, new Set(), (node, variables) => {
      const found = rootRead(node, variables);
      if (found?.root === 'inputs') read.add(found.key);
    });
  }
  return read;
};

function onlyInputs(use: ExpressionUse): readonly Finding[] {
  const tree = expressionTree(use.source);
  const other = tree.ok
    ? [...freeNames(tree.value)].find((name) => ['context', 'outputs', 'ledger', 'state'].includes(name))
    : undefined;
  if (other === undefined) return [];
  const message = `\`${use.source}\` reads \`${other}\`, which does not exist before a run starts; a provider can read other inputs`;
  return [finding(use.path, 'provider', message, { of: { text: use.text }, actual: other })];
}

/** Told at each input of the circle. */
function circles(
  name: string,
  read: ReadonlySet<string>,
  reading: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Finding[] {
  const seen = new Set<string>();
  const open = [...read];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) {
      const message = `the provider of \`${name}\` needs \`${name}\` itself, directly or through others; take one of these out`;
      return [finding(['inputs', name, 'provider', 'with'], 'cycle', message, { of: 'key', actual: name })];
    }
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(reading.get(next) ?? []));
  }
  return [];
}

/** Not among those of steps: nothing of a run is there to be read. */
function expressionsOf(
  provider: JsonObject,
  name: string,
  inputs: JsonObject,
  answers: CommandAnswers,
): readonly Finding[] {
  const { answer, item } = answers.of(askingForChoices(provider));
  const known = { steps: new Set<string>(), loops: new Set<string>(), inputs: new Set(Object.keys(inputs)) };
  const check = (key: string, variables: TypeNames['variables']): readonly Finding[] => {
    const source: JsonValue | undefined = own(provider, key);
    if (typeof source !== 'string') return [];
    const path = ['inputs', name, 'provider', key];
    const at = { path, of: { text: source }, rule: 'expression', actual: source } as const;
    const tree = expressionTree(source);
    const other = tree.ok
      ? [...freeNames(tree.value)].find((root) => ['context', 'outputs', 'ledger', 'state'].includes(root))
      : undefined;
    if (other !== undefined)
      return [{ ...at, message: `\`${source}\` reads \`${other}\`, which does not exist before a run starts` }];
    const named = { ...known, variables: new Set(Object.keys(variables)) };
    const instead = itemInstead(source, named.variables, `\`${key}\``);
    if (instead !== undefined)
      return [{ ...at, message: instead.message, expected: instead.right, patch: replacing(path, instead.right) }];
    const found = checkExpression(source, named).map(({ message, closest }): Finding => ({
      ...at,
      message: `\`${source}\`: ${message}`,
      closest,
    }));
    if (!tree.ok || found.length > 0) return found;
    const wrong: Finding[] = [];
    inferType(tree.value, { inputs: {}, context: {}, variables }, (problem) =>
      wrong.push({ ...at, rule: 'type', ...toldOf(source, problem) }),
    );
    return wrong;
  };
  return [...check('items', answer), ...check('value', item), ...check('label', item)];
}
