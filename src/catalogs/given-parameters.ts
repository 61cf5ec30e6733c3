import { closestName } from '../base/closest-name.js';
import { shownJson } from '../base/canonical-json.js';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { pointerTo } from '../base/patch/json-pointer.js';
import { givenName, isOwnHeader, longName, parametersCalled } from '../definitions/compiled/parameter-names.js';
import type { Complain } from './built-request.js';
import type { Operation, Parameter } from './openapi-catalog.js';
import { isOfTypes, toldTypes, toldValue, typesOf } from './value-type.js';

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
    if (isOwnHeader(parameter)) continue;
    const name = givenName(parameter, parameters);
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

const shownNames = 20;

function unknownText(key: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return `\`${key}\` is not a parameter: the operation has none`;
  const names = [...new Set(parameters.map((parameter) => givenName(parameter, parameters)))];
  const closest = closestName(key.replace(/^(?:path|query|header|cookie)\./u, ''), names);
  if (closest !== undefined) return `\`${key}\` is not a parameter; did you mean \`${closest}\`?`;
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
  return `\`${key}\` is not a parameter of the operation, which has ${names.slice(0, shownNames).join(', ')}${more}`;
}

const firstSentence = (text: string): string =>
  /^[^\n]{1,160}?(?=[.!?](?:\s|$)|\n|$)|^[^\n]{160}/u.exec(text)?.[0] ?? '';
