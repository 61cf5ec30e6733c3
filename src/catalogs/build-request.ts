import type { RequestViolation } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import { buildBody } from './build-body.js';
import { buildPath } from './build-path.js';
import type { BuiltRequest, Complain, GivenCall } from './built-request.js';
import { givenParameters } from './given-parameters.js';
import type { RequestedOperation } from './operation-of-shape.js';
import type { Operation, Parameter, ParameterPlace } from './openapi-catalog.js';
import { isJsonType } from './read-bodies.js';
import { serverUrl } from './server-url.js';
import { parameterText } from './parameter-text.js';

/** The request of one operation with what a step gives; or everything that is wrong with that. */
export function buildRequest(
  operation: RequestedOperation,
  call: GivenCall,
): Result<BuiltRequest, readonly RequestViolation[]> {
  const violations: RequestViolation[] = [];
  const complain: Complain = (path, rule, message, more = {}) => void violations.push({ path, rule, message, ...more });
  const given = givenParameters(operation, call.with ?? {}, complain);
  const written = (place: ParameterPlace): readonly (readonly [Parameter, string])[] =>
    [...given].flatMap(([parameter, value]) => {
      const text = parameter.in === place ? parameterText(parameter, value, complain) : undefined;
      return text === undefined ? [] : [[parameter, text] as const];
    });
  const { path, query: fixed } = buildPath(
    operation.path,
    new Map(written('path').map(([one, text]) => [one.name, text])),
    complain,
  );
  const query = [fixed, ...written('query').map(([, text]) => text)].filter((part) => part !== '').join('&');
  const headers = headersOf(operation, written('header'), written('cookie'));
  const body = buildBody(operation, call, complain);
  const base = serverUrl({ url: call.baseUrl, variables: {} });
  if (!base.ok) complain('/baseUrl', 'base_url', base.error, { actual: call.baseUrl });
  if (violations.length > 0 || !base.ok) return err(violations);
  const type = body?.type;
  return ok({
    method: operation.method,
    url: joined(base.value, path, query),
    headers:
      type === undefined || headers.some(([name]) => name === 'content-type')
        ? headers
        : [...headers, ['content-type', type]],
    ...(body !== undefined && { body: body.body }),
  });
}

function joined(base: string, path: string, query: string): string {
  const [address = '', before = ''] = base.split('?');
  const all = [before, query].filter((part) => part !== '').join('&');
  return `${address}${path}${all === '' ? '' : `?${all}`}`;
}

type Header = readonly [name: string, value: string];

function headersOf(
  { answers }: RequestedOperation,
  headers: readonly (readonly [Parameter, string])[],
  cookies: readonly (readonly [Parameter, string])[],
): readonly Header[] {
  const named = headers.map(([{ name }, text]): Header => [name.toLowerCase(), text]);
  const accept = named.some(([name]) => name === 'accept') ? undefined : acceptOf(answers);
  return [
    ...(accept === undefined ? [] : [['accept', accept] as const]),
    ...named,
    // A form parts its pairs by `&`, cookies are parted by `;`.
    ...(cookies.length > 0
      ? [['cookie', cookies.map(([, text]) => text.replaceAll('&', '; ')).join('; ')] as const]
      : []),
  ];
}

/** What the operation answers with when it succeeds, JSON before the rest. */
function acceptOf(answers: Operation['answers']): string | undefined {
  const good = answers.filter(({ status }) => status.startsWith('2'));
  const types = (good.length > 0 ? good : answers).flatMap(({ content }) => content.map(({ type }) => type));
  const json = types.filter(isJsonType);
  const told = [...new Set(json.length > 0 ? json : types)];
  return told.length === 0 ? undefined : told.join(', ');
}
