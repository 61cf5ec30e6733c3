import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';

/** What a text in a workflow is to a run. Its schema says so, and with that it is found wherever it stands. */
export type PartRole =
  /** Told to an agent, its `${{ … }}` holes filled. */
  | 'told'
  /** Shown as it stands. */
  | 'shown'
  /** Asked before a step, or a part of one, is told. */
  | 'condition'
  /** Asked with what the step itself hands back. */
  | 'agreement'
  /** Asked once, where a loop is entered. */
  | 'list'
  | 'count'
  /** Asked in the rounds of a loop: before each, after each. */
  | 'while'
  | 'until'
  /** Names that a loop gives to what is inside of it: its element, its counters. */
  | 'element'
  | 'counter';

export const partRoles = z.registry<{ readonly role: PartRole }>();

export interface Part {
  readonly role: PartRole;
  readonly text: string;
  readonly path: readonly (string | number)[];
}

type Schema = z.core.$ZodType;

/** What a schema comes to where something is there: one schema, or one for each alternative. */
function alternatives(schema: Schema): readonly z.core.$ZodTypes[] {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  if (def.type === 'optional' || def.type === 'default') return alternatives(def.innerType);
  if (def.type === 'lazy') return alternatives(def.getter());
  return def.type === 'union' ? def.options.flatMap(alternatives) : [known];
}

/**
 * A value with each of its parts changed. Goes by the schema, and leaves as it is what has another form; what holds
 * itself, such as a step or a rule, is gone into once.
 */
export function mapParts(
  schema: Schema,
  value: JsonValue,
  change: (part: Part) => string,
  path: Part['path'] = [],
  around: readonly Schema[] = [],
): JsonValue {
  const forms = alternatives(schema);
  if (forms.some((form) => around.includes(form))) return value;
  const inner = (one: Schema, item: JsonValue, key: string | number): JsonValue =>
    mapParts(one, item, change, [...path, key], [...around, ...forms]);
  for (const form of forms) {
    const { def } = form._zod;
    if (typeof value === 'string') {
      const marked = partRoles.get(form);
      if (marked) return change({ role: marked.role, text: value, path });
    } else if (Array.isArray(value)) {
      if (def.type === 'array') return (value as readonly JsonValue[]).map((item, at) => inner(def.element, item, at));
    } else if (isJsonObject(value)) {
      const entries = Object.entries(value);
      if (def.type === 'record')
        return Object.fromEntries(entries.map(([key, item]) => [key, inner(def.valueType, item, key)]));
      if (def.type === 'object' && (forms.length === 1 || isMeant(def.shape, value))) {
        // In the order of the schema: what is read from a disk has its keys in another.
        const known = Object.keys(def.shape).filter((key) => Object.hasOwn(value, key));
        return { ...value, ...Object.fromEntries(known.map((key) => [key, inner(def.shape[key]!, value[key]!, key)])) };
      }
    }
  }
  return value;
}

/** Of several objects, the one whose fixed words stand in the value. */
function isMeant(shape: z.core.$ZodShape, value: { readonly [key: string]: JsonValue }): boolean {
  return Object.entries(shape).every(([key, one]) => {
    const { def } = (one as z.core.$ZodTypes)._zod;
    return def.type !== 'literal' || def.values.includes(value[key] as string);
  });
}

/** The parts of a value, in the order of its schema. */
export function partsOf(schema: Schema, value: JsonValue): readonly Part[] {
  const parts: Part[] = [];
  mapParts(schema, value, (part) => {
    parts.push(part);
    return part.text;
  });
  return parts;
}
