import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { calledSteps } from './check-calls.js';
import type { CalledRoutines } from '../expand/called-routines.js';
import { promptsIn } from '../compiled/visit-steps.js';
import { contractPacks } from '../contracts/contract-packs.js';
import { expressionTree, type ExpressionTree } from '../expression/expression-tree.js';
import { visitExpression } from '../expression/visit-expression.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
import { type Finding, warning } from '../source/finding.js';
import { listOf, variablesOf, type ExpressionUse } from './source-uses.js';

/** Kinds of artifacts that nearly are another, which somebody may have meant. */
export function checkKinds(
  all: readonly StepOutline[],
  uses: readonly ExpressionUse[],
  called: CalledRoutines,
): readonly Finding[] {
  const own = all.flatMap(kindsOf);
  const packs = new Map([...contractPacks.values()].map(({ kind, ref }) => [kind, ref]));
  const known = new Set([
    ...packs.keys(),
    ...own.map(({ kind }) => kind),
    ...all.flatMap((step) =>
      promptsIn(calledSteps(step, called)).flatMap(({ outputs }) => outputs.map(({ kind }) => kind)),
    ),
  ]);
  const first = new Map<string, string>();
  return [
    ...own.flatMap(({ kind, path }): readonly Finding[] => {
      const pack = packs.has(kind) ? undefined : nearly(kind, packs.keys());
      if (pack !== undefined) {
        const message = `\`${kind}\` is nearly \`${pack}\`, which \`contract: ${packs.get(pack)!}\` provides with its schema and documents; if you mean a different kind, give it a different name`;
        return [warning(path, 'near_kind', message, { actual: kind })];
      }
      const before = first.get(plain(kind)) ?? kind;
      first.set(plain(kind), before);
      if (before === kind) return [];
      const message = `another step outputs \`${before}\`; if you mean the same kind, spell it the same way, or expressions find only one of the two`;
      return [warning(path, 'near_kind', message, { actual: kind })];
    }),
    ...uses.flatMap((use) => comparedKinds(use, known)),
  ];
}

const plain = (kind: string): string => kind.toLowerCase().replaceAll(/[._-]/gu, '').replace(/s$/u, '');
const nearly = (kind: string, kinds: Iterable<string>): string | undefined =>
  [...kinds].find((other) => plain(other) === plain(kind));

function kindsOf({ source, path }: StepOutline): readonly { readonly kind: string; readonly path: SourcePath }[] {
  const { output = null } = source;
  const at = (one: JsonValue, place: SourcePath): ReturnType<typeof kindsOf> =>
    isJsonObject(one) && typeof one['kind'] === 'string' ? [{ kind: one['kind'], path: [...place, 'kind'] }] : [];
  return Array.isArray(output)
    ? listOf(output).flatMap((one, index) => at(one, [...path, 'output', index]))
    : at(output, [...path, 'output']);
}

/** `artifacts.filter(a, a.kind == "team.riks")` finds nothing, and says nothing. */
function comparedKinds(use: ExpressionUse, known: ReadonlySet<string>): readonly Finding[] {
  const tree = expressionTree(use.source);
  const found: Finding[] = [];
  if (!tree.ok || !use.source.includes('kind')) return found;
  visitExpression(tree.value, variablesOf(use), (node) => {
    if (node.op !== '==' && node.op !== '!=') return;
    const value = isKind(node.left) ? node.right : isKind(node.right) ? node.left : undefined;
    if (value?.op !== 'literal' || typeof value.value !== 'string' || known.has(value.value)) return;
    const closest = closestName(value.value, known);
    if (closest === undefined) return;
    const message = `\`${use.source}\`: no step outputs the kind \`${value.value}\``;
    found.push(warning(use.path, 'near_kind', message, { of: { text: use.text }, actual: value.value, closest }));
  });
  return found;
}

const isKind = (tree: ExpressionTree): boolean =>
  tree.op === 'member' && tree.key.op === 'literal' && tree.key.value === 'kind';
