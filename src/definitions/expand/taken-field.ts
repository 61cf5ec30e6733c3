import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';

/** `output.risk.level`: the way to the value in the artifact. */
export const fieldOf = (from: string): readonly string[] => from.split('.').slice(1);

/** The outputs of a step that a value may be taken from: the only one, or those whose schema names the field. */
export function holdersOf<O extends { readonly schema: JsonObject }>(
  [field = '']: readonly string[],
  outputs: readonly O[],
): readonly O[] {
  return outputs.length === 1 ? outputs : outputs.filter(({ schema }) => own(fieldsOf(schema), field) !== undefined);
}

/** What a schema says of its fields by name. */
export function fieldsOf(schema: JsonObject): JsonObject {
  const { properties = {} } = schema;
  return isJsonObject(properties) ? properties : {};
}
