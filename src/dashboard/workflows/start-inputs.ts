import { hole } from '../../base/hole.js';
import { isListTold, isObjectTold, type JsonObjectTold, type JsonTold } from '../step/json-told.js';
import { readJson } from '../api/read-json.js';
import { readValue, shownValue } from '../waiting/read-value.js';

/** One input of a workflow, as a person fills it in. */
export interface StartInput {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly values?: readonly JsonTold[];
  readonly default?: JsonTold;
  readonly example?: JsonTold;
  /** The command that lists its choices, and the inputs that this one reads. */
  readonly provider?: { readonly command: string; readonly reads: readonly string[] };
}

/** What stands in the fields, by the names of the inputs; an empty field has none. */
export type Typed = ReadonlyMap<string, string>;

export function startInputs(compiled: JsonObjectTold): readonly StartInput[] {
  const inputs = readJson.object(compiled, 'inputs');
  return Object.entries(inputs).map(([name, told]) => {
    const spec = isObjectTold(told) ? told : {};
    const values = spec['enum'];
    const provider = spec['provider'];
    return {
      name,
      type: readJson.text(spec, 'type') ?? 'any',
      required: spec['required'] === true,
      description: readJson.text(spec, 'description') ?? '',
      ...(isListTold(values) && { values }),
      ...(spec['default'] !== undefined && { default: spec['default'] }),
      ...(spec['example'] !== undefined && { example: spec['example'] }),
      ...(isObjectTold(provider) && {
        provider: {
          command: [readJson.text(provider, 'catalog'), readJson.text(provider, 'command')].join(' '),
          reads: Object.keys(inputs).filter((other) => readsInput(provider['with'], other)),
        },
      }),
    };
  });
}

const readsInput = (value: JsonTold | undefined, name: string): boolean =>
  typeof value === 'string'
    ? [...value.matchAll(/\$\{\{(.*?)\}\}/gsu)].some(([, hole = '']) =>
        [...hole.matchAll(/\binputs\.([A-Za-z_]\w*)/gu)].some(([, read]) => read === name),
      )
    : isListTold(value)
      ? value.some((one) => readsInput(one, name))
      : isObjectTold(value) && Object.values(value).some((one) => readsInput(one, name));

/** After something was typed. What was chosen from choices that are others now is gone. */
export function typeInto(
  inputs: readonly StartInput[],
  typed: Typed,
  name: string,
  text: string,
): { readonly typed: Typed; readonly emptied: readonly string[] } {
  if ((typed.get(name) ?? '') === text) return { typed, emptied: [] };
  const depending = new Set([name]);
  // A set is walked on over what comes into it: a provider may read one whose own provider reads another.
  for (const of of depending)
    for (const one of inputs) if (one.provider?.reads.includes(of) === true) depending.add(one.name);
  depending.delete(name);
  const emptied = [...depending].filter((one) => typed.has(one));
  const after = new Map([...typed].filter(([one]) => !depending.has(one)));
  if (text.trim() === '') after.delete(name);
  else after.set(name, text);
  return { typed: after, emptied };
}

/** What is in a field as a value; undefined for nothing, words for what cannot be one. */
export function typedValue(
  { type, values }: Pick<StartInput, 'type' | 'values'>,
  text: string | undefined,
): { readonly value?: JsonTold; readonly wrong?: string } {
  if (text === undefined || text.trim() === '') return {};
  const read = readValue({ as: 'value', text }, { type, ...(values !== undefined && { values: [...values] }) });
  if (!read.ok) return { wrong: read.error };
  const { value } = read.value;
  if (value === undefined) return {};
  return type === 'integer' && !Number.isInteger(value) ? { wrong: 'This is not a whole number.' } : { value };
}

/** The values that are in the fields, and none that cannot be. */
export function typedValues(inputs: readonly StartInput[], typed: Typed): ReadonlyMap<string, JsonTold> {
  return new Map(
    inputs.flatMap((input) => {
      const { value } = typedValue(input, typed.get(input.name));
      return value === undefined ? [] : [[input.name, value] as const];
    }),
  );
}

/** Words of the command that starts it: what is known, and a place to fill in for what must be. */
export const startWords = (
  id: string,
  inputs: readonly StartInput[],
  values: ReadonlyMap<string, JsonTold>,
): readonly string[] => [
  'start',
  id,
  ...inputs.flatMap(({ name, required }) => {
    const value = values.get(name);
    return value === undefined && !required
      ? []
      : ['--input', `${name}=${value === undefined ? hole() : shownValue(value).replace(/^@/u, '@@')}`];
  }),
];

/** What is said to an agent. A value is JSON: nobody takes a number for a text, or a line of it for the next input. */
export function startPrompt(id: string, values: ReadonlyMap<string, JsonTold>): string {
  const words = `Start the WorkRail workflow ${id} and follow its steps.`;
  if (values.size === 0) return words;
  return [`${words} Its inputs:`, ...[...values].map(([name, value]) => `- ${name}: ${JSON.stringify(value)}`)].join(
    '\n',
  );
}
