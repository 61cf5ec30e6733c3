import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { oncePerObject } from '../../base/once-per-object.js';

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
  /** Asked when a round is done, of what that round left. */
  | 'collected'
  /** A text whose holes are filled when a round is done. */
  | 'line'
  /** Sent with a request: its holes are filled, and one that stands alone keeps the type of its value. */
  | 'sent'
  /** Asked of an answer: a condition, and what is taken of a page. */
  | 'answered'
  | 'paged'
  /** Asked of an answer, or of each item of it: what is kept. */
  | 'kept'
  /** What goes into the shared state when a step is done, and, with holes, where. */
  | 'put'
  | 'pointer'
  /** Another step by its id. */
  | 'step'
  /** Names that a loop gives to what is inside of it: its element, its counters. */
  | 'element'
  | 'counter';

/** What is asked inside of the rounds of a loop, though it stands at the loop. */
export const rolesOfRounds: ReadonlySet<PartRole> = new Set(['while', 'until', 'collected', 'line']);

/** What is asked of an answer, and sees it under names of its own. */
export const rolesOfAnswers: ReadonlySet<PartRole> = new Set(['answered', 'paged', 'kept']);

export const partRoles = z.registry<{ readonly role: PartRole }>();

export interface Part {
  readonly role: PartRole;
  readonly text: string;
  readonly path: readonly (string | number)[];
}

type Schema = z.core.$ZodType;

/** What a schema comes to where something is there: one schema, or one for each alternative. */
export function alternatives(schema: Schema): readonly z.core.$ZodTypes[] {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  if (def.type === 'optional' || def.type === 'default') return alternatives(def.innerType);
  if (def.type === 'lazy') return alternatives(def.getter());
  return def.type === 'union' ? def.options.flatMap(alternatives) : [known];
}

/** The schemas of what stands under a key of a value, or at an index. */
export function innerSchemas(schema: Schema, key: string | number): readonly z.core.$ZodTypes[] {
  return alternatives(schema).flatMap(({ _zod: { def } }) => {
    if (def.type === 'object') return Object.hasOwn(def.shape, key) ? alternatives(def.shape[key]!) : [];
    if (def.type === 'array') return alternatives(def.element);
    return def.type === 'record' ? alternatives(def.valueType) : [];
  });
}

const formsOf = oncePerObject((schema: Schema) => {
  const all = alternatives(schema);
  const [marked] = all.flatMap((form) => {
    const mark = partRoles.get(form);
    return mark ? [{ form, role: mark.role }] : [];
  });
  return { all, objects: all.filter(({ _zod: { def } }) => def.type === 'object'), marked };
});
type Forms = ReturnType<typeof formsOf>;

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
  const forms = formsOf(schema);
  const { objects, marked } = forms;
  if (typeof value === 'string') return marked ? change({ role: marked.role, text: value, path }) : value;
  if (objects.some((form) => around.includes(form))) return value;
  const inside = [...around, ...objects];
  const inner: Inner = (one, item, key) => mapParts(one, item, change, [...path, key], inside);
  if (Array.isArray(value)) return mapItems(forms, value, inner);
  return isJsonObject(value) ? mapFields(forms, value, inner) : value;
}

type Inner = (schema: Schema, item: JsonValue, key: string | number) => JsonValue;

function mapItems({ all, marked }: Forms, items: readonly JsonValue[], inner: Inner): readonly JsonValue[] {
  // A list where one text belongs is a mistake of its own, and hides none of those in its texts.
  const texts = marked && ['told', 'line', 'shown', 'sent'].includes(marked.role) ? marked.form : undefined;
  const [element = texts] = all.flatMap(({ _zod: { def } }) => (def.type === 'array' ? [def.element] : []));
  return element ? items.map((item, at) => inner(element, item, at)) : items;
}

function mapFields({ all, objects, marked }: Forms, value: JsonObject, inner: Inner): JsonObject {
  for (const form of all) {
    const { def } = form._zod;
    if (def.type === 'record') return mapObject(value, (item, key) => inner(def.valueType, item, key));
    // JSON of any form, each text of which is such a part.
    if (def.type === 'custom' && form === marked?.form) return mapObject(value, (item, key) => inner(form, item, key));
    if (def.type !== 'object' || (objects.length > 1 && !isMeant(def.shape, value))) continue;
    // In the order of the schema: what is read from a disk has its keys in another.
    const changed: { [key: string]: JsonValue } = { ...value };
    for (const key of Object.keys(def.shape))
      if (Object.hasOwn(value, key)) changed[key] = inner(def.shape[key]!, value[key]!, key);
    return changed;
  }
  return value;
}

function mapObject(value: JsonObject, change: (item: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]));
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
