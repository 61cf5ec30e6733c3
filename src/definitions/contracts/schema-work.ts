import { shownJson } from '../../base/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { patternParts } from '../expression/pattern-parts.js';
import { draftOf, namedDraft } from './schema-draft.js';
import { schemasIn } from './schema-keywords.js';
import { isSchemaOfSchemas, SchemaPlaces, type Standing, type Target } from './schema-references.js';

export interface SchemaProblem {
  /** JSON pointer into the schema. */
  readonly pointer: string;
  readonly message: string;
  /** It may be fine by itself, and is too much beside the others. */
  readonly together?: true;
}

export interface CountedSchema {
  /** How much there is to compile. */
  readonly parts: number;
  /** A dynamic reference is only judged right where every error is gathered. */
  readonly isDynamic: boolean;
  /** Whether anything asks which fields and elements others have judged. */
  readonly asksWhatIsJudged: boolean;
  /** The first thing that is not always judged as the draft says. */
  readonly doubt?: SchemaProblem;
}

/** What the validator does not always judge as the draft says, with what to write in its place. */
const refusedKeywords: readonly (readonly [keyword: string, instead: string])[] = [
  ['$dynamicRef', 'is not supported: use `$ref`'],
  ['$recursiveRef', 'is not supported: use `$ref`'],
  [
    'unevaluatedProperties',
    'is not supported: list all fields under `properties`, and use `additionalProperties` beside them',
  ],
  ['unevaluatedItems', 'is not supported: use `items`, with `prefixItems` for the first ones'],
];

const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
type Reference = (typeof references)[number];

/**
 * Counts what a schema costs before anything of it is compiled: how much there is to compile, and how many of its parts
 * one value can meet on the way into it, with references counted as often as they are followed. What holds itself is
 * fine where it goes into the value, which ends; how often it is then applied is counted while a value is judged.
 */
export function countSchema(root: JsonObject): Result<CountedSchema, SchemaProblem> {
  const places = new SchemaPlaces(root, { depth: limits.schemaDepth, parts: limits.schemaParts });
  if (places.tooDeep !== undefined)
    return err({
      pointer: places.tooDeep,
      message: `it is nested more than ${limits.schemaDepth} deep: put inner parts under \`$defs\` and refer to them`,
    });
  const work = new SchemaWork(places);
  return work.problem === undefined ? ok(work.counted()) : err(work.problem);
}

class SchemaWork {
  problem: SchemaProblem | undefined;
  private readonly targets = new Map<JsonObject, ReadonlyMap<Reference, Target>>();
  private readonly sizes = new Map<JsonObject, number>();
  private parts = 0;
  private isDynamic = false;
  private asksWhatIsJudged = false;
  private doubt: SchemaProblem | undefined;

  constructor(private readonly places: SchemaPlaces) {
    this.problem =
      [...places.all.values()].reduce<SchemaProblem | undefined>((found, one) => found ?? this.look(one), undefined) ??
      this.countParts() ??
      this.circle() ??
      this.tooMuch();
  }

  counted(): CountedSchema {
    const { parts, isDynamic, asksWhatIsJudged, doubt } = this;
    return { parts, isDynamic, asksWhatIsJudged, ...(doubt !== undefined && { doubt }) };
  }

  /** Words that the validator would take for its own, and references that lead nowhere. */
  private look(standing: Standing): SchemaProblem | undefined {
    const { schema, pointer } = standing;
    const strange = Object.keys(schema).find((key) => key in Object.prototype || key === '$async');
    if (strange !== undefined)
      return { pointer: pointer + pointerTo([strange]), message: `\`${strange}\` is not a JSON Schema keyword` };
    // The validator passes over it, and whatever it says.
    const passedOver = schemasIn(schema).find((inner) => inner.pointer[1] === '__proto__');
    if (passedOver !== undefined)
      return { pointer: pointer + pointerTo(passedOver.pointer), message: '`__proto__` cannot be the name of a field' };
    const { $id, $schema } = schema;
    if (typeof $id === 'string' && isSchemaOfSchemas($id))
      return { pointer: `${pointer}/$id`, message: `\`${$id}\` is the name of a schema that JSON Schema comes with` };
    if (pointer === '' && $schema !== undefined && namedDraft($schema) === undefined)
      return {
        pointer: '/$schema',
        message: `${shownJson($schema)} is no draft of JSON Schema that is known here: use draft-07, 2019-09 or 2020-12`,
      };
    this.doubt ??= this.doubtIn(schema, pointer, $schema);
    this.asksWhatIsJudged ||= 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
    const targets = new Map<Reference, Target>();
    for (const keyword of references) {
      const reference = schema[keyword];
      if (typeof reference !== 'string') continue;
      this.isDynamic ||= keyword !== '$ref';
      const target = keyword === '$ref' ? this.places.target(reference, standing) : true;
      if (target === undefined || (keyword !== '$ref' && this.places.dynamicTargets(reference).length === 0))
        return {
          pointer: pointer + pointerTo([keyword]),
          message: this.leadsNowhere(keyword, reference, standing),
        };
      targets.set(keyword, target);
    }
    this.targets.set(schema, targets);
    return undefined;
  }

  private leadsNowhere(keyword: Reference, reference: string, standing: Standing): string {
    if (keyword !== '$ref') return `\`${keyword}\` is not supported: use \`$ref\``;
    const instead = 'as `#/$defs/name`';
    return this.places.isOutside(reference, standing)
      ? `\`${reference}\` is outside of this schema, and nothing is fetched: put what it names under \`$defs\`, and refer to it ${instead}`
      : `\`${reference}\` is not a schema inside this one: write it ${instead}`;
  }

  private doubtIn(schema: JsonObject, pointer: string, $schema: JsonValue | undefined): SchemaProblem | undefined {
    if ($schema !== undefined && namedDraft($schema) !== draftOf(this.places.root))
      return { pointer: `${pointer}/$schema`, message: 'a part has the draft of the whole schema: take this out' };
    for (const [keyword, instead] of refusedKeywords)
      if (Object.hasOwn(schema, keyword))
        return { pointer: `${pointer}/${keyword}`, message: `\`${keyword}\` ${instead}` };
    return undefined;
  }

  /** A part that is referred to by several names is compiled once for each. */
  private countParts(): SchemaProblem | undefined {
    const roots: (readonly [JsonObject, string])[] = [[this.places.root, '']];
    const seen = new Set<string>();
    for (const { schema, pointer, base } of this.places.all.values()) {
      const target = this.targets.get(schema)?.get('$ref');
      const name = JSON.stringify([base, schema['$ref']]);
      if (!isJsonObject(target) || target === this.places.root || seen.has(name)) continue;
      seen.add(name);
      roots.push([target, pointer + pointerTo(['$ref'])]);
    }
    for (const [root, pointer] of roots) {
      this.parts += this.sizeOf(root);
      if (this.parts > limits.schemaParts)
        return {
          pointer,
          message: `it is too large: with what it refers to it has more than ${limits.schemaParts} parts; ask for less in one artifact, or for several artifacts`,
        };
    }
    return undefined;
  }

  private sizeOf(schema: JsonObject): number {
    const known = this.sizes.get(schema);
    if (known !== undefined) return known;
    const inner = schemasIn(schema).filter(({ applied }) => applied !== 'nothing');
    const size = inner.reduce(
      (sum, { schema: one }) => sum + (isJsonObject(one) ? this.sizeOf(one) : 1),
      1 + keysOf(schema['dependentRequired']).length + patternsIn(schema),
    );
    this.sizes.set(schema, size);
    return size;
  }

  /** What is applied to the very value that a schema is applied to, with the place that says so. */
  private same(schema: JsonObject): readonly (readonly [JsonObject, string])[] {
    const same: (readonly [JsonObject, string])[] = [];
    for (const { applied, schema: inner, pointer } of schemasIn(schema))
      if (applied === 'same' && isJsonObject(inner)) same.push([inner, pointerTo(pointer)]);
    for (const [keyword, target] of this.targets.get(schema) ?? []) {
      if (keyword === '$ref' && isJsonObject(target)) same.push([target, '/$ref']);
      if (keyword === '$ref') continue;
      for (const one of this.places.dynamicTargets(schema[keyword] as string)) same.push([one, `/${keyword}`]);
    }
    return same;
  }

  private at(schema: JsonObject, pointer: string): string {
    return `${this.places.all.get(schema)?.pointer ?? ''}${pointer}`;
  }

  /** A schema that comes back to itself before it has gone into the value would never be done. */
  private circle(): SchemaProblem | undefined {
    const open = new Set<JsonObject>();
    const done = new Set<JsonObject>();
    const walk = (schema: JsonObject): string | undefined => {
      open.add(schema);
      for (const [next, pointer] of this.same(schema)) {
        const found = open.has(next) ? this.at(schema, pointer) : done.has(next) ? undefined : walk(next);
        if (found !== undefined) return found;
      }
      open.delete(schema);
      done.add(schema);
      return undefined;
    };
    for (const schema of this.places.all.keys()) {
      const pointer = done.has(schema) ? undefined : walk(schema);
      if (pointer !== undefined)
        return {
          pointer,
          message:
            'it comes back to itself without going into the value: refer to it from under `properties` or `items`',
        };
    }
    return undefined;
  }

  /** The most parts that are applied along one way into a value, each as often as it is. */
  private tooMuch(): SchemaProblem | undefined {
    const known = new Map<JsonObject, number>();
    const open = new Set<JsonObject>();
    let problem: SchemaProblem | undefined;
    const along = (schema: JsonObject): number => {
      const before = known.get(schema);
      if (before !== undefined) return before;
      // It goes round through the value.
      if (open.has(schema)) return 1;
      if (open.size >= limits.schemaDepth) {
        problem ??= { pointer: this.at(schema, ''), message: tooDeepMessage };
        return 1;
      }
      open.add(schema);
      let sum = 1;
      for (const [next, pointer] of this.same(schema)) {
        sum += along(next);
        if (sum > limits.schemaWork) problem ??= { pointer: this.at(schema, pointer), message: tooMuchMessage };
      }
      sum += this.inside(schema, along);
      if (sum > limits.schemaWork) problem ??= { pointer: this.at(schema, ''), message: tooMuchMessage };
      open.delete(schema);
      known.set(schema, sum);
      return sum;
    };
    along(this.places.root);
    return problem;
  }

  /** A field has a schema of its own, and whatever is said of all; the dearest field counts. */
  private inside(schema: JsonObject, along: (schema: JsonObject) => number): number {
    const one = new Map<string, number>([
      ['properties', 0],
      ['items', 0],
      ['prefixItems', 0],
    ]);
    let all = 0;
    for (const { applied, keyword, schema: inner } of schemasIn(schema)) {
      if (applied !== 'inside' || !isJsonObject(inner)) continue;
      const work = along(inner);
      const dearest = one.get(keyword);
      if (dearest === undefined) all += work;
      else one.set(keyword, Math.max(dearest, work));
    }
    return all + Math.max(...one.values());
  }
}

const tooDeepMessage = `with its references it goes more than ${limits.schemaDepth} parts deep: refer to fewer parts from inside of others`;
const tooMuchMessage = `its references and alternatives multiply: more than ${limits.schemaWork} parts of it would be applied to one value; refer to each part once`;

const keysOf = (value: JsonValue | undefined): readonly string[] =>
  isJsonObject(value ?? null) ? Object.keys(value as JsonObject) : [];

/** A long pattern takes as long to make as many parts. */
const instructionsOfPart = 50;

function patternsIn({ pattern, patternProperties }: JsonObject): number {
  const sources = [...keysOf(patternProperties), ...(typeof pattern === 'string' ? [pattern] : [])];
  return sources.reduce((sum, source) => sum + Math.trunc(patternParts(source) / instructionsOfPart), 0);
}
