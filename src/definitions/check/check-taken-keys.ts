import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { contractPacks } from '../contracts/contract-packs.js';
import { fieldOf, fieldsOf, holdersOf } from '../expand/taken-field.js';
import { type Finding, finding, replacing } from '../source/finding.js';
import type { StepOutline } from '../source/source-outline.js';

interface Offered {
  readonly kind: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

/** `from: output.risk` is a field of one artifact that surely comes. */
export function checkTakenKeys({ source, path }: StepOutline): readonly Finding[] {
  const sets = source['sets'] ?? null;
  if (!isJsonObject(sets)) return [];
  const listed: readonly JsonValue[] = Array.isArray(source['output']) ? source['output'] : [source['output'] ?? null];
  const outputs = listed.flatMap(offered);
  const isWhole = listed.every((one) => one === null || offered(one).length > 0);
  return Object.entries(sets).flatMap(([key, spec]): readonly Finding[] => {
    const from = isJsonObject(spec) ? spec['from'] : undefined;
    // What is wrong with an output, or with the form of this, is told there.
    if (typeof from !== 'string' || !from.startsWith('output.') || !isWhole) return [];
    const at = [...path, 'sets', key, 'from'];
    const say = (message: string, more: Partial<Finding> = {}): readonly Finding[] => [
      finding(at, 'taken', message, { actual: from, ...more }),
    ];
    if (outputs.length === 0)
      return say(`\`${key}\` is taken from the step's artifact, and the step has no \`output\`; give it one`);
    const field = fieldOf(from);
    const holders = holdersOf(field, outputs);
    const [holder] = holders;
    const named = `\`${field[0]!}\``;
    if (holder === undefined) return say(`no output of this step has a field ${named}`, nearest(field, outputs));
    if (holders.length > 1)
      return say(
        `${holders.map(({ kind }) => kind).join(' and ')} each have a field ${named}; rename it in one of them`,
      );
    const isClosed = holder.schema['additionalProperties'] === false;
    if (isClosed && !Object.hasOwn(fieldsOf(holder.schema), field[0]!))
      return say(`${holder.kind} has no field ${named}`, nearest(field, outputs));
    if (!holder.required)
      return say(`${holder.kind} may be left out, and then \`${key}\` has no value; leave out its \`required: false\``);
    return [];

    function nearest([first = '', ...rest]: readonly string[], of: readonly Offered[]): Partial<Finding> {
      const names = of.flatMap(({ schema }) => Object.keys(fieldsOf(schema)));
      const closest = closestName(first, names);
      const right = closest === undefined ? undefined : ['output', closest, ...rest].join('.');
      const patch = replacing(at, right);
      return { closest: right, expected: names.map((name) => `output.${name}`).join(', '), ...(patch && { patch }) };
    }
  });
}

function offered(output: JsonValue): readonly Offered[] {
  if (!isJsonObject(output)) return [];
  const { contract, kind, schema = null, required } = output;
  const found =
    typeof contract === 'string'
      ? contractPacks.get(contract)
      : typeof kind === 'string' && isJsonObject(schema)
        ? { kind, schema }
        : undefined;
  return found === undefined ? [] : [{ kind: found.kind, schema: found.schema, required: required !== false }];
}
