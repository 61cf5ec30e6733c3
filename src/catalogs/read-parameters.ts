import { defined } from '../base/defined.js';
import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import {
  type DocumentReporter,
  flagAt,
  inside,
  isObject,
  itemsAt,
  membersAt,
  type Spot,
  textAt,
} from './document-reporter.js';
import {
  type Parameter,
  type ParameterPlace,
  parameterPlaces,
  type ParameterStyle,
  parameterStyles,
} from './openapi-catalog.js';
import { follow } from './follow.js';
import type { References } from './references.js';
import type { SchemaBag } from './schema-bag.js';

/** A parameter of 2.0 that is a body or a field of one. */
export interface BodyParameter {
  readonly place: 'body' | 'formData';
  readonly name: string;
  readonly at: Spot;
}

export interface ReadParameters {
  readonly parameters: readonly Parameter[];
  readonly bodies: readonly BodyParameter[];
}

export interface Reading {
  readonly references: References;
  readonly report: DocumentReporter;
  readonly schemas: SchemaBag;
  readonly isOld: boolean;
}

/** The parameters of a path and those of its operation, which take the place of those of the same name in the same place. */
export function readParameters(reading: Reading, path: string, lists: readonly (Spot | undefined)[]): ReadParameters {
  const { references, report, isOld } = reading;
  const found = new Map<string, { readonly name: string; readonly place: string; readonly at: Spot }>();
  for (const list of lists) {
    for (const item of itemsAt(list)) {
      const at = follow(references, report, item);
      if (at === undefined) continue;
      const [name, place] = [textAt(inside(at, 'name')), textAt(inside(at, 'in'))];
      if (name === undefined || place === undefined || !isPlace(place, isOld)) {
        report.warn(at, 'parameter', 'a parameter has a `name`, and says in which place it goes: `in`');
        continue;
      }
      if (place === 'header' && !isHeaderName(name)) {
        report.warn(at, 'parameter', 'this is not a header name');
        continue;
      }
      if (found.size >= limits.apiParameters) {
        report.warn(
          at,
          'parameter',
          `an operation has at most ${limits.apiParameters} parameters; this one is left out`,
        );
        continue;
      }
      found.set(`${place} ${name}`, { name, place, at });
    }
  }
  const parameters: Parameter[] = [];
  const bodies: BodyParameter[] = [];
  const holes = holesIn(path);
  for (const { name, place, at } of found.values()) {
    if (place === 'body' || place === 'formData') bodies.push({ place, name, at });
    else if (place === 'path' && !holes.has(name))
      report.warn(at, 'path_parameter', `\`${path}\` has no \`{${name}}\`, so this parameter is not used`);
    else {
      holes.delete(name);
      parameters.push(readParameter(reading, name, place as ParameterPlace, at));
    }
  }
  return { parameters: [...parameters, ...[...holes].map(undeclared)], bodies };
}

const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/u.test(name);

const isPlace = (place: string, isOld: boolean): boolean =>
  (parameterPlaces as readonly string[]).includes(place) || (isOld && (place === 'body' || place === 'formData'));

/** The names in braces of a path; what follows `#` is not sent. */
function holesIn(path: string): Set<string> {
  return new Set([...path.replace(/#.*$/su, '').matchAll(/\{([^{}]+)\}/gu)].map(([, name]) => name!));
}

const undeclared = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  style: 'simple',
  explode: false,
  allowReserved: false,
  schema: { type: 'string' },
});

function readParameter(
  { references, schemas, isOld }: Reading,
  name: string,
  place: ParameterPlace,
  at: Spot,
): Parameter {
  const [contentType, content] = isOld ? [] : (membersAt(inside(at, 'content'))[0] ?? []);
  const schema = isOld ? schemas.take(oldSchema(at)) : takenAt(inside(content ?? at, 'schema'), schemas);
  return defined<Parameter>({
    name,
    in: place,
    required: place === 'path' || flagAt(inside(at, 'required')) === true,
    description: textAt(inside(at, 'description')),
    deprecated: flagAt(inside(at, 'deprecated')) === true ? true : undefined,
    ...(isOld ? oldStyle(place, at) : newStyle(place, at)),
    segments: place === 'path' && flagAt(inside(at, 'x-multi-segment')) === true ? true : undefined,
    contentType,
    schema,
    example: exampleAt(references, content ?? at),
  });
}

export const takenAt = (at: Spot | undefined, schemas: SchemaBag): JsonValue | undefined =>
  at === undefined ? undefined : schemas.take(at);

type Written = Pick<Parameter, 'style' | 'explode' | 'allowReserved'>;

function newStyle(place: ParameterPlace, at: Spot): Written {
  const style = styleAt(at) ?? (place === 'path' || place === 'header' ? 'simple' : 'form');
  return {
    style,
    explode: flagAt(inside(at, 'explode')) ?? style === 'form',
    allowReserved: place === 'query' && flagAt(inside(at, 'allowReserved')) === true,
  };
}

export function styleAt(at: Spot): ParameterStyle | undefined {
  const style = textAt(inside(at, 'style'));
  return parameterStyles.find((one) => one === style);
}

export const collectionStyles: ReadonlyMap<string, ParameterStyle> = new Map([
  ['ssv', 'spaceDelimited'],
  ['tsv', 'tabDelimited'],
  ['pipes', 'pipeDelimited'],
]);

/** The collection formats of 2.0, of which `multi` alone repeats the name. */
function oldStyle(place: ParameterPlace, at: Spot): Written {
  const format = textAt(inside(at, 'collectionFormat')) ?? 'csv';
  const plain = place === 'path' || place === 'header' ? 'simple' : 'form';
  const isList = textAt(inside(at, 'type')) === 'array';
  return {
    style: (isList ? collectionStyles.get(format) : undefined) ?? plain,
    // A value that is no list is written the same either way; this is what 3.x calls the default.
    explode: isList ? format === 'multi' : plain === 'form',
    allowReserved: false,
  };
}

const notSchema = new Set(['name', 'in', 'description', 'required', 'collectionFormat', 'allowEmptyValue']);

/** In 2.0 what may be said of a value stands beside the name of its parameter. */
export function oldSchema(at: Spot): Spot {
  const members = isObject(at.value) ? Object.entries(at.value) : [];
  const said = members.filter(([name]) => !notSchema.has(name) && !name.startsWith('x-'));
  const isFile = said.some(([name, value]) => name === 'type' && value === 'file');
  const rest = said.filter(([name]) => !isFile || (name !== 'type' && name !== 'format'));
  return {
    ...at,
    value: Object.fromEntries(isFile ? [['type', 'string'], ['format', 'binary'], ...rest] : rest),
  };
}

/** The example of a parameter or of a content: the one, or the first of several, where it is short. */
export function exampleAt(references: References, at: Spot): JsonValue | undefined {
  const [first] = membersAt(inside(at, 'examples'));
  // One that leads nowhere is not missed.
  const followed = first && references.follow(first[1]);
  const example = inside(at, 'example') ?? (followed?.ok === true ? inside(followed.value, 'value') : undefined);
  if (example === undefined || JSON.stringify(example.value).length > limits.apiExample) return undefined;
  return example.value as JsonValue;
}
