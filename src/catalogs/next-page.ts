import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { Operation, Parameter } from './openapi-catalog.js';

/** An answer, as far as it says where it goes on. */
export interface PageAnswer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  /** How many items it has. */
  readonly items: number;
}

/** Where the next page of a list is: at an address, or with other parameters. */
export type NextPage = { readonly url: string } | { readonly with: JsonObject };

/** Where answers say how they go on, and the parameters that take it. */
const cursors: readonly (readonly [path: readonly string[], parameters: readonly string[]])[] = [
  [['next_cursor'], ['cursor', 'start_cursor', 'next_cursor']],
  [['response_metadata', 'next_cursor'], ['cursor']],
  [['nextPageToken'], ['pageToken', 'page_token']],
  [['next_page_token'], ['page_token', 'pageToken']],
  [['nextCursor'], ['cursor', 'after']],
  [['metadata', 'continue'], ['continue']],
  [['NextToken'], ['NextToken', 'next_token']],
  [['next_page'], ['page']],
];
const sizes = ['per_page', 'page_size', 'pageSize', 'perPage', 'limit', 'max_results', 'maxResults'];

const queryParameter = ({ parameters }: Operation, name: string): Parameter | undefined =>
  parameters.find((one) => one.in === 'query' && one.name === name);

/** The parameters with the largest page that the document allows, unless somebody says how large it is. */
export function withLargePages(operation: Operation, given: JsonObject): JsonObject {
  const size = sizes.map((name) => queryParameter(operation, name)).find((one) => one !== undefined);
  if (size === undefined || own(given, size.name) !== undefined) return given;
  const { maximum } = isJsonObject(size.schema) ? size.schema : {};
  const documented = /max(?:imum)?\s+(\d{1,4})/iu.exec(size.description ?? '')?.[1];
  const most = typeof maximum === 'number' ? maximum : documented === undefined ? undefined : Number(documented);
  return most === undefined ? given : { ...given, [size.name]: Math.min(most, 1000) };
}

/** Where a list goes on, if it does; what somebody gave themselves is left to them. */
export function nextPage(operation: Operation, given: JsonObject, answer: PageAnswer): NextPage | undefined {
  const linked = nextLink(answer);
  if (linked !== undefined) return { url: linked };
  for (const [path, names] of cursors) {
    const cursor = path.reduce<JsonValue | undefined>(
      (at, step) => (isJsonObject(at) ? own(at, step) : undefined),
      answer.body,
    );
    const parameter = names.find((name) => queryParameter(operation, name) !== undefined);
    if (parameter === undefined || cursor === undefined || cursor === null || cursor === '') continue;
    if (typeof cursor === 'string' || typeof cursor === 'number') return { with: { ...given, [parameter]: cursor } };
  }
  return nextNumber(operation, given, answer);
}

/** Pages that are counted go on while they are full. */
function nextNumber(operation: Operation, given: JsonObject, { items }: PageAnswer): NextPage | undefined {
  const size = sizes.map((name) => own(given, name)).find((value) => typeof value === 'number');
  if (typeof size !== 'number' || items < size || items === 0) return undefined;
  const page = own(given, 'page');
  if (queryParameter(operation, 'page') !== undefined && (page === undefined || typeof page === 'number'))
    return { with: { ...given, page: (page ?? 1) + 1 } };
  const offset = own(given, 'offset');
  if (queryParameter(operation, 'offset') !== undefined && (offset === undefined || typeof offset === 'number'))
    return { with: { ...given, offset: (offset ?? 0) + items } };
  return undefined;
}

/** The `next` of a Link header, or of an answer that gives its address; never on another host. */
function nextLink(answer: PageAnswer): string | undefined {
  const next = linkedPage(answer);
  return next !== undefined && next.origin === new URL(answer.url).origin && next.href !== answer.url
    ? next.href
    : undefined;
}

/** Where an answer says that the next page is, wherever that leads. */
export function linkedPage({ url, headers, body }: Omit<PageAnswer, 'items'>): URL | undefined {
  const header = own(headers, 'link') ?? '';
  const linked = header
    .split(/,(?=\s*<)/u)
    .map((part) => /^\s*<([^<>]*)>(.*)$/su.exec(part))
    .find(
      (match) => match !== null && /;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s[^"]*)?"?(?:\s*;|\s*$)/iu.test(match[2]!),
    )?.[1];
  const named = isJsonObject(body)
    ? [own(body, 'next'), own(body, 'next_page_url'), own(body, 'next_page_uri')].find((one) => typeof one === 'string')
    : undefined;
  const found = linked ?? (typeof named === 'string' && /^(?:https?:)?\//u.test(named) ? named : undefined);
  return found !== undefined && URL.canParse(found, url) ? new URL(found, url) : undefined;
}
