import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import type { FunctionText } from '../compiled/compiled-workflow.js';
import { at, type Part, partsAt, textAt, textsAt, warnOfKeys } from './workrail-part.js';
import type { Surroundings } from './workrail-surroundings.js';
import { warning } from '../source/finding.js';

export function functionDefinitions(part: Part): readonly FunctionText[] {
  return partsAt(part, 'functionDefinitions', { text: 'definition', key: 'name' }).flatMap((source) => {
    warnOfKeys(source, ['name', 'definition', 'parameters', 'scope', 'description']);
    const name = bareName(textAt(source, 'name') ?? '');
    const text = textAt(source, 'definition') ?? textAt(source, 'description');
    if (name === '' || text === undefined) {
      part.say(warning(source.path, 'function', 'a function needs a `name` and a `definition`; it is ignored'));
      return [];
    }
    return [{ name, params: parameters(source), text: [text, ...described(source)].join('\n') }];
  });
}

function parameters(source: Part): readonly string[] {
  const value = at(source, 'parameters');
  if (isJsonObject(value)) return Object.keys(value);
  if (!Array.isArray(value)) return textsAt(source, 'parameters');
  return (value as readonly JsonValue[]).map((item) =>
    isJsonObject(item) && typeof item['name'] === 'string'
      ? item['name']
      : typeof item === 'string'
        ? item
        : JSON.stringify(item),
  );
}

/** What the author says of a parameter stands below the definition. */
function described(source: Part): readonly string[] {
  const value = at(source, 'parameters') ?? null;
  const named: readonly (readonly [JsonValue | undefined, JsonValue])[] = isJsonObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? (value as readonly JsonValue[]).flatMap((item) => (isJsonObject(item) ? [[item['name'], item] as const] : []))
      : [];
  return named.flatMap(([name, item]) => {
    const said = isJsonObject(item) ? item['description'] : item;
    return typeof name === 'string' && typeof said === 'string' && said.trim() !== '' ? [`${name}: ${said}`] : [];
  });
}

/** `name`, `name()` and `name(a, b)` are one function. */
function bareName(reference: string): string {
  return reference.replace(/\(.*$/su, '').trim();
}

/** `functionCalls` names functions, by themselves or with what they are to be given. */
export function functionCalls(part: Part): readonly { readonly name: string; readonly told: string }[] {
  const value = at(part, 'functionCalls') ?? [];
  return (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map((item) => {
    if (!isJsonObject(item))
      return {
        name: bareName(typeof item === 'string' ? item : ''),
        told: typeof item === 'string' ? item : JSON.stringify(item),
      };
    const { name, function: called = name, ...rest } = item;
    if (typeof called !== 'string') return { name: '', told: JSON.stringify(item) };
    return {
      name: bareName(called),
      told: Object.keys(rest).length === 0 ? called : `${called} with ${JSON.stringify(rest)}`,
    };
  });
}

/** What stands inside of a step that defines functions may refer to them as well. */
export function withOwnFunctions(part: Part, around: Surroundings): Surroundings {
  const own = functionDefinitions({ ...part, say: () => undefined });
  return own.length === 0
    ? around
    : { ...around, book: { ...around.book, functions: [...around.book.functions, ...own] } };
}

/** The functions a step refers to, those its texts call, and those that these call in turn. */
export function functionsIn(
  part: Part,
  texts: readonly string[],
  { book, draft }: Surroundings,
): readonly FunctionText[] {
  const own = functionDefinitions(part);
  const known = new Map([...book.functions, ...own].map((one) => [one.name, one]));
  const found = new Map(own.map((one) => [one.name, one]));
  textsAt(part, 'functionReferences').forEach((reference, index) => {
    const name = bareName(reference);
    const one = known.get(name);
    if (one) found.set(name, one);
    else
      part.say({
        path: [...part.path, 'functionReferences', index],
        severity: 'warning',
        rule: 'unknown_function',
        message: `the workflow defines no function \`${name}\``,
        actual: name,
        closest: closestName(name, known.keys()),
      });
  });
  for (const { name } of functionCalls(part)) if (known.has(name)) found.set(name, known.get(name)!);
  const calls = (text: string): void => {
    if (known.size === 0) return;
    for (const [, name] of text.matchAll(/([\w.-]+)\(/gu)) {
      const one = known.get(name!);
      if (one) found.set(one.name, one);
    }
  };
  texts.forEach(calls);
  // Grows while it is gone over: what a definition calls is looked into as well.
  for (const one of found.values()) calls(one.text);
  for (const name of found.keys()) draft.functionsTold.add(name);
  return [...found.values()];
}
