import { err, ok, type Result } from '../base/result.js';
import { encodeReserved, percentEncode } from './percent-encode.js';
import type { ParameterStyle } from './openapi-catalog.js';

export type Scalar = string | number | boolean;
/** What a style can write: a value, a list of them, or an object of them. */
export type FlatValue = Scalar | readonly Scalar[] | { readonly [name: string]: Scalar };

export type FlatStyle = Exclude<ParameterStyle, 'deepObject'>;

export interface Written {
  readonly style: FlatStyle;
  readonly explode: boolean;
  /** Leaves reserved signs as they are; of a query. */
  readonly allowReserved?: boolean | undefined;
  /** Escapes nothing, as in a header. */
  readonly plain?: boolean | undefined;
}

/**
 * A parameter as its style writes it (OpenAPI's table, which follows RFC 6570). Text for one place of a path or a header;
 * for a query or a form the pairs that `&` joins. Undefined stands for what is not sent: an empty list or object.
 */
export function serializeParameter(
  name: string,
  value: FlatValue,
  written: Written,
): Result<string | undefined, string> {
  const encode = encoderOf(written);
  const wrong = unwritable(value, written, encode);
  if (wrong !== undefined) return err(wrong);
  // The check above has found nothing that cannot be encoded.
  const text = (one: Scalar): string => encode(String(one)) ?? '';
  if (isList(value) ? value.length === 0 : typeof value === 'object' && Object.keys(value).length === 0)
    return ok(undefined);
  return ok(write(percentEncode(name) ?? name, value, written, text));
}

const isList = (value: FlatValue): value is readonly Scalar[] => Array.isArray(value);

type Encode = (text: string) => string | undefined;

function encoderOf({ allowReserved, plain, style, explode }: Written): Encode {
  if (plain === true) return (text) => (/^[\t -~\u00A0-\u00FF]*$/u.test(text) ? text : undefined);
  if (allowReserved !== true) return percentEncode;
  // In a list that commas part, a comma of an item is escaped.
  return style === 'form' && !explode ? (text) => encodeReserved(text)?.replaceAll(',', '%2C') : encodeReserved;
}

const delimiters: Readonly<Record<FlatStyle, string>> = {
  simple: ',',
  label: ',',
  matrix: ',',
  form: ',',
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09',
};

/** Why it cannot be written so that it can be read again. */
function unwritable(value: FlatValue, { style, explode, plain }: Written, encode: Encode): string | undefined {
  const parts = isList(value)
    ? value
    : typeof value === 'object'
      ? [...Object.keys(value), ...Object.values(value)]
      : [];
  const all = typeof value === 'object' ? parts : [value];
  if (all.some((one) => encode(String(one)) === undefined))
    return plain === true ? 'a header takes one line of Latin letters and signs' : 'it holds half a character';
  const delimiter = decodeURIComponent(delimiters[style]);
  const isParted = style.endsWith('Delimited') && !explode;
  // A comma of an item is escaped; these are the same escaped or not, and in a header nothing is escaped.
  if ((isParted || (plain === true && parts.length > 1)) && parts.some((one) => String(one).includes(delimiter)))
    return `its items are parted by ${JSON.stringify(delimiter)}, which no item may hold`;
  return undefined;
}

function write(
  name: string,
  value: FlatValue,
  { style, explode, plain }: Written,
  text: (one: Scalar) => string,
): string {
  const pairs = typeof value === 'object' && !isList(value) ? Object.entries(value) : undefined;
  const items = isList(value) ? value.map(text) : undefined;
  const delimiter = plain === true ? decodeURIComponent(delimiters[style]) : delimiters[style];
  const flat = (): string =>
    (items ?? pairs?.flatMap(([key, one]) => [text(key), text(one)]) ?? [text(value as Scalar)]).join(delimiter);
  const named = (): readonly string[] => pairs?.map(([key, one]) => `${text(key)}=${text(one)}`) ?? [];
  switch (style) {
    case 'simple':
      return explode && pairs ? named().join(',') : flat();
    case 'label':
      return `.${explode ? (items ?? (pairs ? named() : [flat()])).join('.') : flat()}`;
    case 'matrix':
      return matrix(name, explode && pairs ? named() : undefined, explode ? (items ?? [flat()]) : [flat()]);
    case 'form':
    case 'spaceDelimited':
    case 'pipeDelimited':
    case 'tabDelimited':
      if (explode && pairs) return named().join('&');
      return (explode ? (items ?? [flat()]) : [flat()]).map((one) => `${name}=${one}`).join('&');
  }
}

const matrix = (name: string, named: readonly string[] | undefined, items: readonly string[]): string =>
  (named ?? items.map((one) => (one === '' ? name : `${name}=${one}`))).map((part) => `;${part}`).join('');
