import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { pointerTo } from '../base/patch/json-pointer.js';
import type { Complain } from './built-request.js';
import { deepObject } from './deep-object.js';
import type { Content, Encoding } from './openapi-catalog.js';
import { type FlatStyle, type FlatValue, type Scalar, serializeParameter } from './serialize-parameter.js';

/**
 * An object as `application/x-www-form-urlencoded`. A list repeats its name and what is nested is JSON, where the document
 * does not say otherwise.
 */
export function formText({ encoding }: Content, body: JsonObject, complain: Complain): string | undefined {
  const pairs: string[] = [];
  let isWhole = true;
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue;
    const written = fieldText(name, value, own(encoding ?? {}, name) ?? {});
    if ('wrong' in written) {
      isWhole = false;
      complain(pointerTo(['body', name]), 'body_value', `\`${name}\` cannot be sent: ${written.wrong}`);
    } else if (written.sent !== undefined) pairs.push(written.sent);
  }
  return isWhole ? pairs.join('&') : undefined;
}

function fieldText(
  name: string,
  value: JsonValue,
  { style, explode, allowReserved }: Encoding,
): { readonly sent: string | undefined } | { readonly wrong: string } {
  if (style === 'deepObject' && typeof value === 'object') {
    const pairs = deepObject(name, value);
    return pairs === undefined ? { wrong: 'it holds half a character' } : { sent: pairs.join('&') || undefined };
  }
  const flat = flatField(value, style !== undefined);
  const named: FlatStyle = style === undefined || style === 'deepObject' ? 'form' : style;
  const text = serializeParameter(name, flat, { style: named, explode: explode ?? named === 'form', allowReserved });
  return text.ok ? { sent: text.value } : { wrong: text.error };
}

/** Objects are JSON where no style was named for them; so is what is nested in a list. */
function flatField(value: JsonValue, isStyled: boolean): FlatValue {
  const scalar = (one: JsonValue): Scalar => (typeof one === 'object' ? JSON.stringify(one) : one);
  if (isJsonObject(value))
    return isStyled
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scalar(inner)]))
      : JSON.stringify(value);
  return typeof value === 'object' ? (value ?? []).filter((item) => item !== null).map(scalar) : value;
}
