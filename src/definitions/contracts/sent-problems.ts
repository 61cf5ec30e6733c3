import { canonicalJson, shownJson } from '../../base/canonical-json.js';
import { closestName, isSlip } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { isFile } from '../compiled/file-reference.js';
import { linearPattern } from '../expression/linear-pattern.js';
import { templateExpressions } from '../expression/template.js';
import { JudgingWork } from './judging-work.js';

export interface SentProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The key is wrong, not what it holds. */
  readonly ofKey?: true;
  readonly closest?: string;
  readonly expected?: string;
  /** The closest is what was meant, but for a slip of the hand. */
  readonly sure?: true;
  /** It may be right all the same. */
  readonly mild?: true;
}

interface Sending {
  readonly definitions: { readonly [name: string]: JsonValue };
  /** Outside of JSON everything is text, so that the text of a number is one. */
  readonly asText?: boolean;
  /** A file may stand where bytes or a text are taken. */
  readonly takesFiles?: boolean;
  /** Why a text with holes may come to nothing, and is then left out. */
  readonly mayBeAbsent?: (text: string) => string | undefined;
  readonly work?: JudgingWork;
}

/**
 * What is wrong with a value that a step sends, by the schema of its catalog. What has holes is known when it is sent.
 * Catalogs write many dialects: what is not understood is taken.
 */
export function sentProblems(
  schema: JsonValue | undefined,
  value: JsonValue,
  sending: Sending,
): readonly SentProblem[] {
  const judge = new Judge(sending);
  return judge.value(schema, value, [], []).slice(0, limits.violations);
}

type Path = SentProblem['path'];

class Judge {
  private readonly work: JudgingWork;
  constructor(private readonly sending: Sending) {
    this.work = sending.work ?? new JudgingWork();
  }

  /** `through`: the schemas that this value was held against already. */
  value(
    schema: JsonValue | undefined,
    value: JsonValue,
    path: Path,
    through: readonly JsonObject[],
  ): readonly SentProblem[] {
    this.work.spend(1);
    if (!isJsonObject(schema ?? null) || hasHoles(value)) return [];
    const here = schema as JsonObject;
    if (through.includes(here) || through.length > limits.schemaDepth) return [];
    if (this.sending.takesFiles === true && isFile(value) && !typesOf(here).includes('object')) return [];
    const inside = [...through, here];
    if (typeof here['$ref'] === 'string') return this.value(this.referred(here['$ref']), value, path, inside);
    const found = [
      ...this.ownProblems(here, value, path),
      ...listOf(here['allOf']).flatMap((part) => this.value(part, value, path, inside)),
      ...this.choice(here, value, path, inside),
    ];
    if (found.length > 0) return found;
    if (Array.isArray(value)) return this.items(here, value, path);
    return isJsonObject(value) ? this.fields(here, value, path) : [];
  }

  private referred(ref: string): JsonValue | undefined {
    const name = /^#\/\$defs\/(.+)$/u.exec(ref)?.[1];
    return name === undefined
      ? undefined
      : own(this.sending.definitions, name.replaceAll('~1', '/').replaceAll('~0', '~'));
  }

  private ownProblems(schema: JsonObject, value: JsonValue, path: Path): readonly SentProblem[] {
    const say = (expected: string): readonly SentProblem[] => [
      { path, message: `expected ${expected}, got ${shownJson(value)}`, expected },
    ];
    const types = typesOf(schema);
    if (types.length > 0 && !types.some((type) => this.isOf(type, value)))
      return say([...types.map(typeWord), ...this.orFile(value)].join(' or '));
    const choices = Array.isArray(schema['enum'])
      ? (schema['enum'] as readonly JsonValue[])
      : Object.hasOwn(schema, 'const')
        ? [schema['const']!]
        : undefined;
    if (
      choices !== undefined &&
      !choices.some((one) => this.same(one, value)) &&
      !(value === null && isNullable(schema))
    ) {
      const closest =
        typeof value === 'string'
          ? closestName(
              value,
              choices.filter((one) => typeof one === 'string'),
            )
          : undefined;
      const [problem] = say(choices.slice(0, 12).map(shownJson).join(' or '));
      const isSure = typeof value === 'string' && closest !== undefined && isSlip(value, closest);
      return [{ ...problem!, ...(closest !== undefined && { closest }), ...(isSure && { sure: true as const }) }];
    }
    return this.bounds(schema, value, say);
  }

  private orFile(value: JsonValue): readonly string[] {
    return this.sending.takesFiles === true && isJsonObject(value)
      ? ['a file as `{ file: path }`, with `name` and `type`']
      : [];
  }

  private bounds(
    schema: JsonObject,
    value: JsonValue,
    say: (expected: string) => readonly SentProblem[],
  ): readonly SentProblem[] {
    const number = (key: string): number | undefined => {
      const bound = own(schema, key);
      return typeof bound === 'number' ? bound : undefined;
    };
    const between = (size: number, least: string, most: string, unit: string): readonly SentProblem[] => {
      const [from, to] = [number(least), number(most)];
      if (from !== undefined && size < from) return say(`at least ${from}${unit}`);
      return to !== undefined && size > to ? say(`at most ${to}${unit}`) : [];
    };
    if (typeof value === 'number') return between(value, 'minimum', 'maximum', '');
    if (Array.isArray(value)) return between(value.length, 'minItems', 'maxItems', ' elements');
    if (typeof value !== 'string') return [];
    const size = between(value.length, 'minLength', 'maxLength', ' characters');
    const { pattern } = schema;
    return size.length === 0 && typeof pattern === 'string' && !this.matches(pattern, value)
      ? say(`text that matches \`${pattern}\``)
      : size;
  }

  private matches(pattern: string, value: string): boolean {
    const compiled = pattern.length <= limits.expression ? linearPattern(pattern) : undefined;
    if (compiled?.ok !== true) return true;
    this.work.spend((value.length * compiled.value.size) / 2);
    return compiled.value.test(value);
  }

  /** Of several forms the one that comes nearest tells what is wrong. */
  private choice(
    schema: JsonObject,
    value: JsonValue,
    path: Path,
    through: readonly JsonObject[],
  ): readonly SentProblem[] {
    return ['oneOf', 'anyOf'].flatMap((key) => {
      const found = listOf(own(schema, key)).map((one) => this.value(one, value, path, through));
      if (found.length === 0 || found.some((problems) => problems.every(({ mild }) => mild))) return [];
      return found.toSorted((a, b) => a.length - b.length)[0]!;
    });
  }

  private items(schema: JsonObject, value: readonly JsonValue[], path: Path): readonly SentProblem[] {
    return value.flatMap((item, at) => this.value(schema['items'], item, [...path, at], []));
  }

  private fields(schema: JsonObject, value: JsonObject, path: Path): readonly SentProblem[] {
    const properties = isJsonObject(schema['properties'] ?? null) ? (schema['properties'] as JsonObject) : {};
    const others = schema['additionalProperties'];
    const names = Object.keys(properties);
    const isWhole = !['allOf', 'oneOf', 'anyOf'].some((key) => Object.hasOwn(schema, key));
    const required = listOf(schema['required']).filter((name) => typeof name === 'string');
    return [
      ...required.flatMap((name) => this.missing(name, own(properties, name), value, path)),
      ...Object.entries(value).flatMap(([name, inner]): readonly SentProblem[] => {
        const known = own(properties, name);
        if (known !== undefined) return this.value(known, inner, [...path, name], []);
        if (isJsonObject(others ?? null)) return this.value(others, inner, [...path, name], []);
        const closest = closestName(
          name,
          names.filter((one) => !Object.hasOwn(value, one)),
        );
        const near = closest !== undefined && isSlip(name, closest) ? closest : undefined;
        if (others !== false && !(isWhole && near !== undefined)) return [];
        return [
          {
            path: [...path, name],
            ofKey: true,
            message: `\`${name}\` is not one of its fields`,
            expected: names.slice(0, 30).join(', '),
            ...(closest !== undefined && { closest }),
            ...(others !== false ? { mild: true as const } : near !== undefined && { sure: true as const }),
          },
        ];
      }),
    ];
  }

  private missing(name: string, schema: JsonValue | undefined, value: JsonObject, path: Path): readonly SentProblem[] {
    if (isJsonObject(schema ?? null) && (schema as JsonObject)['readOnly'] === true) return [];
    const given = own(value, name);
    if (given === undefined) return [{ path, message: `\`${name}\` is missing, which is required`, expected: name }];
    const why = typeof given === 'string' ? this.sending.mayBeAbsent?.(given) : undefined;
    return why === undefined ? [] : [{ path: [...path, name], message: `\`${name}\` is required, and ${why}` }];
  }

  private isOf(type: string, value: JsonValue): boolean {
    if (this.sending.asText === true && typeof value !== 'object') {
      if (type === 'string') return true;
      const spelled = typeof value === 'string' ? value : String(value);
      if (type === 'boolean') return ['true', 'false'].includes(spelled);
      if (type === 'number') return spelled.trim() !== '' && Number.isFinite(Number(spelled));
      if (type === 'integer') return /^-?\d+$/u.test(spelled);
    }
    switch (type) {
      case 'integer':
        return Number.isInteger(value);
      case 'array':
        return Array.isArray(value);
      case 'object':
        return isJsonObject(value);
      case 'null':
        return value === null;
      case 'string':
      case 'number':
      case 'boolean':
        return typeof value === type;
      default:
        return true;
    }
  }

  private same(one: JsonValue, value: JsonValue): boolean {
    if (this.sending.asText === true && typeof value !== 'object' && typeof one !== 'object')
      return String(one) === String(value);
    return canonicalJson(one) === canonicalJson(value);
  }
}

const isNullable = (schema: JsonObject): boolean => schema['nullable'] === true || schema['x-nullable'] === true;

function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  const types = typeof type === 'string' ? [type] : listOf(type).filter((one) => typeof one === 'string');
  return types.length > 0 && isNullable(schema) ? [...types, 'null'] : types;
}

function typeWord(type: string): string {
  const words: { readonly [type: string]: string } = {
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  };
  return own(words, type) ?? type;
}

const hasHoles = (value: JsonValue): boolean => typeof value === 'string' && templateExpressions(value).length > 0;
const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];
