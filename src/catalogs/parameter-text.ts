import { isJsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { pointerTo } from '../base/patch/json-pointer.js';
import type { Complain } from './built-request.js';
import { deepObject } from './deep-object.js';
import type { Parameter } from './openapi-catalog.js';
import { isJsonType } from './read-bodies.js';
import { type FlatValue, type Scalar, serializeParameter } from './serialize-parameter.js';

/** One parameter as it is sent; undefined where nothing is, be it that the value cannot be. */
export function parameterText(parameter: Parameter, value: JsonValue, complain: Complain): string | undefined {
  const { name, required } = parameter;
  const fail = (rule: string, message: string): undefined => {
    complain(pointerTo(['with', name]), rule, `\`${name}\` cannot be sent: ${message}`);
    return undefined;
  };
  const text =
    parameter.style === 'deepObject' && parameter.contentType === undefined
      ? deepText(name, value)
      : flatText(parameter, value);
  if ('wrong' in text) return fail('parameter_value', text.wrong);
  const { sent } = text;
  if (sent === undefined || sent === '') {
    if (required && sent === undefined) return fail('missing_parameter', 'an empty list or object leaves it out');
    return parameter.in === 'path' ? fail('parameter_value', 'an empty value would change the path') : sent;
  }
  if (sent.length > limits.apiParameterText)
    return fail('parameter_value', `it is longer than ${limits.apiParameterText} characters`);
  return sent;
}

type Text = { readonly sent: string | undefined } | { readonly wrong: string };

function deepText(name: string, value: JsonValue): Text {
  if (typeof value !== 'object') return flatText({ name, in: 'query', style: 'form', explode: true }, value);
  const pairs = deepObject(name, value);
  if (pairs === undefined) return { wrong: 'it holds half a character' };
  return { sent: pairs.length === 0 ? undefined : pairs.join('&') };
}

type Flat = Pick<Parameter, 'name' | 'in' | 'style' | 'explode' | 'contentType' | 'segments'> & {
  readonly allowReserved?: boolean;
};

function flatText(parameter: Flat, value: JsonValue): Text {
  const { contentType, style, explode, allowReserved, segments } = parameter;
  const flat = contentType === undefined ? flatValue(value) : documentText(contentType, value);
  if (flat === undefined)
    return { wrong: `a list or object in it has another inside, which its style \`${style}\` cannot write` };
  const written = serializeParameter(parameter.name, flat, {
    style: style === 'deepObject' || contentType !== undefined ? defaultStyle(parameter.in) : style,
    explode,
    allowReserved,
    plain: parameter.in === 'header',
  });
  if (!written.ok) return { wrong: written.error };
  return { sent: segments === true ? written.value?.replaceAll('%2F', '/') : written.value };
}

const defaultStyle = (place: Parameter['in']): 'simple' | 'form' =>
  place === 'path' || place === 'header' ? 'simple' : 'form';

/** A value that is written as a document of its own. */
const documentText = (type: string, value: JsonValue): FlatValue | undefined =>
  isJsonType(type) ? JSON.stringify(value) : isScalar(value) ? value : undefined;

const isScalar = (value: JsonValue): value is Scalar => typeof value !== 'object';

/** What is null is left out, as what is absent. */
function flatValue(value: JsonValue): FlatValue | undefined {
  if (value === null) return [];
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== null);
    return members.every((member): member is [string, Scalar] => isScalar(member[1]))
      ? Object.fromEntries(members)
      : undefined;
  }
  if (typeof value !== 'object') return value;
  const items = value.filter((item) => item !== null);
  return items.every(isScalar) ? items : undefined;
}
