import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { schemasIn } from './schema-keywords.js';

/** Nothing is ever fetched: an address only tells one schema from another. */
const nowhere = 'http://schema.invalid/';
/** The schemas of schemas, which come with the validator. */
const known = /^https?:\/\/json-schema\.org\/(?:draft-07\/schema|draft\/2020-12\/(?:schema|meta\/[a-z-]+))(?:#\/?)?$/u;

export const isSchemaOfSchemas = (address: string): boolean => known.test(address);

export interface Standing {
  readonly schema: JsonObject;
  readonly pointer: string;
  readonly base: string;
}

/** Where a reference leads: to a schema that judges something, to `true` or `false`, to a schema of schemas, or nowhere. */
export type Target = JsonObject | boolean | 'schemas' | undefined;

/** Every schema that stands in a schema, and what its references mean. */
export class SchemaPlaces {
  readonly all = new Map<JsonObject, Standing>();
  private readonly byAddress = new Map<string, JsonObject>();
  private readonly dynamic = new Map<string, JsonObject[]>();

  /** Stops at what is nested deeper or is more than may be. */
  constructor(
    readonly root: JsonObject,
    most: { readonly depth: number; readonly parts: number },
  ) {
    this.byAddress.set(nowhere, root);
    const open = [{ schema: root, pointer: '', base: nowhere, depth: 0 }];
    for (let next = open.pop(); next !== undefined && this.all.size <= most.parts; next = open.pop()) {
      const { schema, pointer, depth } = next;
      const base = this.named(schema, next.base);
      this.all.set(schema, { schema, pointer, base });
      if (depth > most.depth) this.tooDeep ??= pointer;
      else
        for (const inner of schemasIn(schema).toReversed())
          if (isJsonObject(inner.schema))
            open.push({ schema: inner.schema, pointer: pointer + pointerTo(inner.pointer), base, depth: depth + 1 });
    }
  }

  tooDeep: string | undefined;

  private named(schema: JsonObject, base: string): string {
    const { $id, $anchor, $dynamicAnchor } = schema;
    let own = base;
    if (typeof $id === 'string') {
      const address = resolved($id, base);
      if (address !== undefined) this.byAddress.set(address.replace(/#$/u, ''), schema);
      if (!$id.startsWith('#')) own = address?.replace(/#.*$/u, '') ?? base;
    }
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === 'string') this.byAddress.set(`${own}#${name}`, schema);
    if (typeof $dynamicAnchor === 'string')
      this.dynamic.set($dynamicAnchor, [...(this.dynamic.get($dynamicAnchor) ?? []), schema]);
    return own;
  }

  target(reference: string, from: Standing): Target {
    if (isSchemaOfSchemas(reference)) return 'schemas';
    const address = resolved(reference, from.base);
    if (address === undefined) return undefined;
    const [base = '', fragment = ''] = address.split('#');
    const resource = this.byAddress.get(base);
    if (fragment === '' || fragment === '/') return resource;
    if (!fragment.startsWith('/')) return this.byAddress.get(`${base}#${fragment}`);
    let at: JsonValue | undefined = resource;
    for (const key of fragment.slice(1).split('/').map(plainKey)) {
      if (key === undefined || typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
      at = (at as JsonObject)[key];
    }
    if (typeof at === 'boolean') return at;
    return isJsonObject(at) && this.all.has(at) ? at : undefined;
  }

  /** Whether a reference names a document that is none of the schema's own. */
  isOutside(reference: string, from: Standing): boolean {
    const [base = ''] = resolved(reference, from.base)?.split('#') ?? [];
    return base !== '' && !this.byAddress.has(base);
  }

  /** Any schema that a dynamic reference may mean, depending on the way there. */
  dynamicTargets(reference: string): readonly JsonObject[] {
    return reference === '#' ? [this.root] : (this.dynamic.get(reference.slice(1)) ?? []);
  }
}

function plainKey(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}

function resolved(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}
