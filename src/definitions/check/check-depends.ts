import type { StepOutline } from '../source/source-outline.js';
import { type Finding, finding } from '../source/finding.js';
import { closestName } from '../../base/closest-name.js';
import { limits } from '../../base/limits.js';
import { isBefore } from './check-output-order.js';
import { listOf } from './source-uses.js';

/** Steps are done in the order of the file, so that what a step depends on stands before it. */
export function checkDepends(all: readonly StepOutline[]): readonly Finding[] {
  const byId = new Map(all.flatMap((step) => (step.id === undefined ? [] : [[step.id, step] as const])));
  const depending = new Map([...byId].map(([id, step]) => [id, namesIn(step)]));
  const found: Finding[] = [];
  for (const step of all)
    for (const [at, id] of listOf(step.source['depends_on']).entries()) {
      // Each circle has one that comes later: nothing else has to be looked for.
      const other = typeof id === 'string' ? byId.get(id) : undefined;
      if (typeof id !== 'string' || (other !== undefined && isBefore(other.path, step.path))) continue;
      const more = other === undefined ? { closest: closestName(id, byId.keys()) } : {};
      const told = wrong(step, id, other, depending);
      found.push(finding([...step.path, 'depends_on', at], told.rule, told.message, { actual: id, ...more }));
      if (found.length >= limits.violations) return found;
    }
  return found;
}

function wrong(
  step: StepOutline,
  id: string,
  other: StepOutline | undefined,
  depending: ReadonlyMap<string, readonly string[]>,
): Pick<Finding, 'rule' | 'message'> {
  if (other === undefined) return { rule: 'depends_on', message: `the workflow has no step \`${id}\`` };
  const way = wayBetween(id, step.id ?? '', depending);
  if (way !== undefined) {
    const circle = [step.id ?? '', ...way].map((name) => `\`${name}\``).join(' → ');
    return { rule: 'cycle', message: `these steps wait for each other: ${circle}; take one of them out` };
  }
  const message = isAround(other, step)
    ? `\`${id}\` holds this step, and is not done before it`
    : `step \`${id}\` only comes later: steps are done in the order of the file; move it up`;
  return { rule: 'depends_on', message };
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
