import type { StepOutline } from '../source/source-outline.js';
import { type Finding, finding } from '../source/finding.js';
import { closestName } from '../../base/closest-name.js';
import { isBefore } from './check-output-order.js';
import { listOf } from './source-uses.js';

/** Steps are done in the order of the file, so that what a step depends on stands before it. */
export function checkDepends(all: readonly StepOutline[]): readonly Finding[] {
  const byId = new Map(all.flatMap((step) => (step.id === undefined ? [] : [[step.id, step] as const])));
  const depending = new Map([...byId].map(([id, step]) => [id, namesIn(step)]));
  return all.flatMap((step) =>
    listOf(step.source['depends_on']).flatMap((id, at): readonly Finding[] => {
      const path = [...step.path, 'depends_on', at];
      if (typeof id !== 'string') return [];
      const other = byId.get(id);
      if (other === undefined) {
        const closest = closestName(id, byId.keys());
        return [finding(path, 'depends_on', `the workflow has no step \`${id}\``, { actual: id, closest })];
      }
      const way = wayBetween(id, step.id ?? '', depending);
      if (way !== undefined) {
        const circle = [step.id ?? '', ...way].map((name) => `\`${name}\``).join(' → ');
        return [
          finding(path, 'cycle', `these steps wait for each other: ${circle}; take one of them out`, { actual: id }),
        ];
      }
      if (isAround(other, step))
        return [finding(path, 'depends_on', `\`${id}\` holds this step, and is not done before it`, { actual: id })];
      if (isBefore(other.path, step.path)) return [];
      const message = `step \`${id}\` only comes later: steps are done in the order of the file; move it up`;
      return [finding(path, 'depends_on', message, { actual: id })];
    }),
  );
}

const namesIn = ({ source }: StepOutline): readonly string[] =>
  listOf(source['depends_on']).filter((id) => typeof id === 'string');

const isAround = (outer: StepOutline, { path }: StepOutline): boolean =>
  outer.path.every((part, at) => path[at] === part);

/** From one step to another along what they depend on. */
function wayBetween(
  from: string,
  to: string,
  depending: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  const open = [from];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    if (id === to) {
      const way: string[] = [];
      for (let at: string | undefined = id; at !== undefined; at = before.get(at)) way.unshift(at);
      return way;
    }
    for (const next of depending.get(id) ?? [])
      if (!before.has(next)) {
        before.set(next, id);
        open.push(next);
      }
  }
  return undefined;
}
