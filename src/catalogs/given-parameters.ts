import { closestName } from '../base/closest-name.js';
import { shownJson } from '../base/canonical-json.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { pointerTo } from '../definitions/source/source-path.js';
import type { Complain } from './built-request.js';
import { type Operation, type Parameter, type ParameterPlace, parameterPlaces } from './openapi-catalog.js';
import { isOfTypes, toldTypes, toldValue, typesOf } from './value-type.js';

/** Headers that a document may declare and that the request has of its own: they need not be given. */
const ownHeaders = new Set(['accept', 'content-type', 'authorization']);

/** Which value goes into which parameter. What is missing, unknown or of another type is complained of. */
export function givenParameters(
  { parameters, definitions }: Pick<Operation, 'parameters' | 'definitions'>,
  values: JsonObject,
  complain: Complain,
): ReadonlyMap<Parameter, JsonValue> {
  const given = new Map<Parameter, JsonValue>();
  const ambiguous = new Set<Parameter>();
  for (const [key, value] of Object.entries(values)) {
    const at = pointerTo(['with', key]);
    const meant = parametersCalled(key, parameters);
    const [parameter] = meant;
    if (parameter === undefined) complain(at, 'unknown_parameter', unknownText(key, parameters), { actual: key });
    else if (meant.length > 1) {
      for (const one of meant) ambiguous.add(one);
      const names = meant.map(longName).join(' or ');
      complain(at, 'ambiguous_parameter', `\`${key}\` is in ${meant.length} places: write ${names}`, {
        actual: key,
      });
    } else if (given.has(parameter)) complain(at, 'double_parameter', `\`${longName(parameter)}\` is given twice`);
    // As if it had not been given.
    else if (value !== null) {
      given.set(parameter, value);
      const types = parameter.contentType === undefined ? typesOf(parameter.schema, definitions) : [];
      if (!isOfTypes(value, types))
        complain(at, 'parameter_type', `\`${key}\` takes ${toldTypes(types)}, and ${toldValue(value)} was given`, {
          expected: toldTypes(types),
          actual: shownJson(value),
        });
    }
  }
  for (const parameter of parameters) {
    if (!parameter.required || given.has(parameter) || ambiguous.has(parameter)) continue;
    if (parameter.in === 'header' && ownHeaders.has(parameter.name.toLowerCase())) continue;
    const name = shortName(parameter, parameters);
    const takes = toldTypes(typesOf(parameter.schema, definitions));
    const says = parameter.description === undefined ? '' : `: ${firstSentence(parameter.description)}`;
    complain(
      pointerTo(['with', name]),
      'missing_parameter',
      `\`${name}\` is missing in the ${parameter.in}; it takes ${takes}${says}`,
      { expected: takes },
    );
  }
  return given;
}

const longName = ({ in: place, name }: Parameter): string => `${place}.${name}`;

/** How it is called in a step: by its name alone where that is clear. */
function shortName(parameter: Parameter, parameters: readonly Parameter[]): string {
  return parametersCalled(parameter.name, parameters).length === 1 ? parameter.name : longName(parameter);
}

/** By the very name; else by place and name. The case of a header's name says nothing. */
function parametersCalled(key: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const named = parameters.filter((parameter) => isCalled(parameter, key));
  if (named.length > 0) return named;
  const [place, rest] = [key.slice(0, key.indexOf('.')), key.slice(key.indexOf('.') + 1)];
  if (!(parameterPlaces as readonly string[]).includes(place)) return [];
  return parameters.filter((parameter) => parameter.in === (place as ParameterPlace) && isCalled(parameter, rest));
}

const isCalled = ({ name, in: place }: Parameter, key: string): boolean =>
  name === key || (place === 'header' && name.toLowerCase() === key.toLowerCase());

const shownNames = 20;

function unknownText(key: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return `\`${key}\` is not a parameter: the operation has none`;
  const names = [...new Set(parameters.map((parameter) => shortName(parameter, parameters)))];
  const closest = closestName(key.replace(/^(?:path|query|header|cookie)\./u, ''), names);
  if (closest !== undefined) return `\`${key}\` is not a parameter; did you mean \`${closest}\`?`;
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
  return `\`${key}\` is not a parameter of the operation, which has ${names.slice(0, shownNames).join(', ')}${more}`;
}

const firstSentence = (text: string): string =>
  /^[^\n]{1,160}?(?=[.!?](?:\s|$)|\n|$)|^[^\n]{160}/u.exec(text)?.[0] ?? '';
