import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { resolvedSchema } from './value-type.js';

type Definitions = { readonly [name: string]: JsonValue };

const deepest = 6;

/** A schema as one object: past its references, with all that must hold together, and of several forms the first. */
export function plainSchema(schema: JsonValue | undefined, definitions: Definitions, depth = 0): JsonObject {
  const found = resolvedSchema(schema, definitions);
  if (!isJsonObject(found) || depth > deepest) return {};
  const plain = (part: JsonValue | undefined): JsonObject => plainSchema(part, definitions, depth + 1);
  const forms = ['oneOf', 'anyOf'].flatMap((key) => firstForm(listAt(found, key).map(plain)));
  const parts = [...listAt(found, 'allOf').map(plain), ...forms];
  if (parts.length === 0) return found;
  const all = [...parts, found];
  const properties = Object.fromEntries(all.flatMap((part) => Object.entries(objectAt(part, 'properties'))));
  const required = [...new Set(all.flatMap((part) => listAt(part, 'required')))];
  return {
    ...Object.fromEntries(all.flatMap((part) => Object.entries(part))),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** One that only says that there may be nothing is no form; and forms that are one value each are choices. */
function firstForm(all: readonly JsonObject[]): readonly JsonObject[] {
  const forms = all.filter((form) => form['type'] !== 'null');
  const [first = all[0], second] = forms;
  if (first === undefined || second === undefined) return first === undefined ? [] : [first];
  const choices = forms.map((form) => own(form, 'const')).filter((choice) => choice !== undefined);
  if (choices.length < forms.length) return [textOfForms(forms) ?? first];
  const rest = Object.entries(first).filter(([key]) => key !== 'const' && key !== 'title');
  return [{ ...Object.fromEntries(rest), enum: choices }];
}

/** What takes numbers and texts takes both as text, whatever choices one of its forms has. */
function textOfForms(forms: readonly JsonObject[]): JsonObject | undefined {
  const types = forms.map(typesIn);
  if (types.some((one) => one.length === 0) || new Set(types.flat()).size < 2 || !isTextOrNumber(types.flat()))
    return undefined;
  const described = forms.find(({ description }) => description !== undefined);
  return { type: 'string', ...(described && { description: described['description']! }) };
}

/** A text, or a number instead. */
export const isTextOrNumber = (types: readonly JsonValue[]): boolean =>
  types.includes('string') && types.every((type) => type === 'string' || type === 'integer' || type === 'number');

export const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const value = own(schema, key);
  return isJsonObject(value) ? value : {};
};

const listAt = (schema: JsonObject, key: string): readonly JsonValue[] => {
  const value = own(schema, key);
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
};

/** The types that it names, without that of nothing. */
export const typesIn = (schema: JsonObject): readonly JsonValue[] =>
  [schema['type']].flat().filter((type): type is JsonValue => type !== undefined && type !== 'null');
