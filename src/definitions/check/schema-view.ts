import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';

/** What a schema, with all that it refers to, says of the values that it takes. */
export interface SchemaView {
  /** The types that it names, without that of null; undefined where it takes any. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** What each declared member may be. */
  readonly members: ReadonlyMap<string, ReadonlySet<JsonValue>>;
  readonly items: ReadonlySet<JsonValue>;
  /** Whether there may be other members: it says so, says nothing of it, or says that there are none. */
  readonly others: 'open' | 'unsaid' | 'closed';
  /** What the others are. */
  readonly rest: ReadonlySet<JsonValue>;
}

type Definitions = { readonly [name: string]: JsonValue };

const silent: SchemaView = {
  kinds: undefined,
  members: new Map(),
  items: new Set(),
  others: 'unsaid',
  rest: new Set(),
};
const open: SchemaView = { ...silent, others: 'open' };

/** Keywords by which there may be members that no schema lists. */
const opening = ['patternProperties', 'if', 'dependentSchemas', '$dynamicRef', '$recursiveRef'];

/** Looks at schemas that refer to each other, at each of them once. */
export class SchemaViews {
  private readonly seen = new Map<JsonObject, SchemaView>();

  constructor(private readonly definitions: Definitions) {}

  /** Of a value that has one of these schemas. */
  ofAny(schemas: Iterable<JsonValue>): SchemaView {
    return either(
      [...schemas].map((schema) => this.of(schema, 0)),
      silent,
    );
  }

  private of(schema: JsonValue | undefined, depth: number): SchemaView {
    if (!isJsonObject(schema ?? null)) return silent;
    const here = schema as JsonObject;
    const known = this.seen.get(here);
    if (known !== undefined) return known;
    if (depth > limits.schemaDepth) return open;
    // What is reached again from within itself may be anything there.
    this.seen.set(here, open);
    const inside = (part: JsonValue | undefined): SchemaView => this.of(part, depth + 1);
    const parts = [...this.referred(here).map(inside), ownView(here), ...listAt(here, 'allOf').map(inside)];
    const together = parts.reduce(both, silent);
    const view = ['oneOf', 'anyOf'].reduce((all, key) => {
      const forms = listAt(here, key);
      return forms.length === 0 ? all : both(all, either(forms.map(inside), all));
    }, together);
    this.seen.set(here, view);
    return view;
  }

  private referred(schema: JsonObject): readonly (JsonValue | undefined)[] {
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return [];
    const name = /^#\/\$defs\/(.+)$/u.exec(reference)?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
    const there = name === undefined ? undefined : own(this.definitions, name);
    // Where it leads nowhere, nothing is known.
    return [there ?? { additionalProperties: true }];
  }
}

function ownView(schema: JsonObject): SchemaView {
  const properties = isJsonObject(schema['properties'] ?? null) ? (schema['properties'] as JsonObject) : {};
  const { additionalProperties: others, unevaluatedProperties: rest, items } = schema;
  const members = new Map(Object.entries(properties).map(([name, one]) => [name, new Set([one])] as const));
  const mayHave = [others, rest].filter((one) => one === true || isJsonObject(one ?? null));
  // Those that name it add to it.
  const isBase =
    Object.hasOwn(schema, 'discriminator') && !['oneOf', 'anyOf'].some((key) => Object.hasOwn(schema, key));
  const isOpen = mayHave.length > 0 || isBase || opening.some((key) => Object.hasOwn(schema, key));
  const isClosed = members.size > 0 && (others === false || rest === false);
  const isPlainList = items !== undefined && !Array.isArray(items) && !Object.hasOwn(schema, 'prefixItems');
  const kinds = kindsOf(schema, [...(members.size > 0 ? ['object'] : []), ...(isPlainList ? ['array'] : [])]);
  return {
    kinds,
    members,
    // `true` is the schema of anything.
    items: new Set(isPlainList ? [items] : kinds?.has('array') === true ? [true] : []),
    others: isOpen ? 'open' : isClosed ? 'closed' : 'unsaid',
    rest: new Set(mayHave as readonly JsonValue[]),
  };
}

/** Named, or told by the values that it lists; what it describes the parts of is among them, whatever is named. */
function kindsOf(schema: JsonObject, described: readonly string[]): SchemaView['kinds'] {
  const { type = [] } = schema;
  const named = [type].flat().filter((one) => typeof one === 'string');
  const choices = Object.hasOwn(schema, 'const') ? [schema['const']!] : listAt(schema, 'enum');
  const kinds = [...(named.length > 0 ? named : choices.map(kindOf)), ...described];
  const others = kinds.filter((kind) => kind !== 'null').map((kind) => (kind === 'integer' ? 'number' : kind));
  return kinds.length > 0 && others.every((kind) => known.has(kind)) ? new Set(others) : undefined;
}

const known: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object', 'array']);

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A value that is as both say. */
function both(a: SchemaView, b: SchemaView): SchemaView {
  const kinds = a.kinds === undefined || b.kinds === undefined ? (a.kinds ?? b.kinds) : common(a.kinds, b.kinds);
  const declaring = [a, b].filter(({ members }) => members.size > 0);
  const isOpen = a.others === 'open' || b.others === 'open';
  const isClosed = declaring.length > 0 && declaring.every(({ others }) => others === 'closed');
  return { ...joined([a, b]), kinds, others: isOpen ? 'open' : isClosed ? 'closed' : 'unsaid' };
}

/** Two that exclude each other are not meant as they stand. */
function common(a: ReadonlySet<string>, b: ReadonlySet<string>): SchemaView['kinds'] {
  const found = [...a].filter((kind) => b.has(kind));
  return found.length > 0 ? new Set(found) : undefined;
}

/** A value that is as one of these says, and as `around` says besides. */
function either(views: readonly SchemaView[], around: SchemaView): SchemaView {
  const kinds = views.every((view) => view.kinds !== undefined)
    ? new Set(views.flatMap((view) => [...(view.kinds ?? [])]))
    : undefined;
  const objects = views.filter((view) => view.kinds?.has('object') !== false);
  const saysNothing = around.members.size === 0 && objects.some(({ members }) => members.size === 0);
  const isOpen = saysNothing || objects.some(({ others }) => others === 'open');
  const isClosed = objects.length > 0 && objects.every(({ others }) => others === 'closed');
  return { ...joined(views), kinds, others: isOpen ? 'open' : isClosed ? 'closed' : 'unsaid' };
}

function joined(views: readonly SchemaView[]): Pick<SchemaView, 'members' | 'items' | 'rest'> {
  const [only, another] = views.filter(({ members, items, rest }) => members.size + items.size + rest.size > 0);
  if (another === undefined) return only ?? silent;
  const members = new Map<string, Set<JsonValue>>();
  for (const view of views)
    for (const [name, schemas] of view.members) members.set(name, new Set([...(members.get(name) ?? []), ...schemas]));
  const all = (key: 'items' | 'rest'): ReadonlySet<JsonValue> => new Set(views.flatMap((view) => [...view[key]]));
  return { members, items: all('items'), rest: all('rest') };
}

const listAt = (schema: JsonObject, key: string): readonly JsonValue[] => {
  const value = own(schema, key);
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
};
