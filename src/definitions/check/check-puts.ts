import { isJsonObject } from '../../base/json-value.js';
import { parsePointer, pointerTo } from '../../base/patch/json-pointer.js';
import { templateParts, unclosedHole } from '../expression/template.js';
import type { StepOutline } from '../source/source-outline.js';
import { type Finding, finding } from '../source/finding.js';

/** Where a step puts something into the shared state: JSON pointers, the holes of which stand for one name each. */
export function checkPuts({ path, source }: StepOutline): readonly Finding[] {
  const { puts = null } = source;
  if (!isJsonObject(puts)) return [];
  const here = [...path, 'puts'];
  const places = Object.keys(puts);
  if (places.length === 0) {
    const message =
      '`puts` names nothing: give it a JSON pointer with an expression, such as `/status: context.status`';
    return [finding(here, 'puts', message, { of: 'key' })];
  }
  return places.flatMap((place): readonly Finding[] => {
    const problem = problemOf(place);
    if (problem === undefined) return [];
    const { message, expected } = problem;
    return [finding([...here, place], 'puts', message, { of: 'key', actual: place, expected })];
  });
}

function problemOf(place: string): { readonly message: string; readonly expected?: string } | undefined {
  if (unclosedHole(place) !== undefined) return { message: `\`${place}\` has a \`\${{\` that nothing closes` };
  // A hole becomes one name, whatever is in it.
  const plain = templateParts(place)
    .map((part) => ('text' in part ? part.text : 'x'))
    .join('');
  const pointer = parsePointer(plain);
  if (!pointer.ok) {
    const meant = place.replace(/^(?:\$\.|state[./])/u, '').replaceAll('.', '/');
    const expected =
      place.startsWith('/') || place.includes('{') ? undefined : pointerTo(meant.split('/').filter(Boolean));
    const action = expected === undefined ? pointer.error.action : `write \`${expected}\``;
    return { message: `${pointer.error.message}: ${action}`, ...(expected !== undefined && { expected }) };
  }
  const at = pointer.value.indexOf('-');
  if (at >= 0 && at < pointer.value.length - 1)
    return {
      message: `\`-\` appends to a list, so nothing can follow it in \`${place}\`: put the whole element there`,
      expected: pointerTo(pointer.value.slice(0, at + 1)),
    };
  return undefined;
}
