import type { z } from 'zod';
import { safeParse } from '../base/safe-parse.js';
import type { Rejection } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import { type ApiRoute, type ApiRouteName, apiRoutes } from './api-routes.js';

type Routes = typeof apiRoutes;
export type QueryOf<N extends ApiRouteName> = Routes[N] extends { readonly query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined;
export type BodyOf<N extends ApiRouteName> = Routes[N] extends { readonly body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined;
/** What stands after the question mark, each name once. */
export function parseApiQuery<N extends ApiRouteName>(name: N, given: URLSearchParams): Result<QueryOf<N>, Rejection> {
  const twice = [...given.keys()].find((key) => given.getAll(key).length > 1);
  if (twice !== undefined) return err(invalid(`${twice} is given twice`, []));
  const { query }: ApiRoute = apiRoutes[name];
  if (query !== undefined)
    return matching(Object.fromEntries(given), query, 'the query') as Result<QueryOf<N>, Rejection>;
  const [extra] = given.keys();
  return extra === undefined
    ? ok(undefined as QueryOf<N>)
    : err(invalid(`this route takes no query, but got ${extra}`, []));
}

export function parseApiBody<N extends ApiRouteName>(name: N, value: unknown): Result<BodyOf<N>, Rejection> {
  const { body }: ApiRoute = apiRoutes[name];
  if (body === undefined || typeof body === 'string') return ok(undefined as BodyOf<N>);
  return matching(value, body, 'the body') as Result<BodyOf<N>, Rejection>;
}

function matching(value: unknown, schema: z.ZodType, what: string): Result<unknown, Rejection> {
  const parsed = safeParse(schema, value);
  if (parsed.success) return ok(parsed.data);
  const violations = parsed.error.issues.map(({ path, code, message }) => ({
    path: path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    rule: code,
    message,
  }));
  return err(
    invalid(
      `${what} is not valid: ${violations.map(({ path, message }) => `${path === '' ? '/' : path} ${message}`).join('; ')}`,
      violations,
    ),
  );
}

const invalid = (message: string, violations: NonNullable<Rejection['violations']>): Rejection => ({
  code: 'VALIDATION_ERROR',
  message,
  action: 'see /api/openapi.json for what it takes',
  ...(violations.length > 0 && { violations }),
});
