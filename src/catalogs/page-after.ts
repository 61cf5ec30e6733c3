import type { JsonObject } from '../base/json-value.js';
import { own } from '../base/own.js';
import { err, ok, type Result } from '../base/result.js';
import type { RunStep } from '../definitions/compiled/compiled-workflow.js';
import { evaluate, type Scope } from '../definitions/expression/expression.js';
import { linkedPage, type NextPage, type PageAnswer } from './next-page.js';

type Paginate = NonNullable<RunStep['paginate']>;

/** What was asked for one page, and where that went. */
export interface AskedPage {
  readonly page: NextPage;
  /** The parameters of the step. */
  readonly given: JsonObject;
  /** Of the first request: no page is asked for anywhere else. */
  readonly origin: string;
}

/** Of a list whose author said how its pages are found: where it begins. */
export function firstPage({ by, param, first }: Paginate, given: JsonObject): NextPage {
  const isCounted = by === 'page' || by === 'offset';
  return { with: isCounted ? { ...given, [param ?? by]: first ?? (by === 'page' ? 1 : 0) } : given };
}

/** Where it goes on after a page, if it does; `scope` has the names of its answer. */
export function pageAfter(
  paginate: Paginate,
  { page, given, origin }: AskedPage,
  answer: PageAnswer,
  scope: Scope,
): Result<NextPage | undefined, string> {
  const { by, param = by } = paginate;
  switch (by) {
    case 'link': {
      const next = linkedPage(answer);
      if (next === undefined || next.origin === origin) return ok(next && { url: next.href });
      return err(`the next page is at ${next.origin}, and only pages at ${origin} are asked for`);
    }
    case 'cursor':
      return cursorAfter(paginate, given, scope);
    case 'page':
    case 'offset': {
      const at = 'with' in page ? own(page.with, param) : undefined;
      const next = Number(at) + (by === 'page' ? 1 : answer.items);
      return ok(answer.items === 0 ? undefined : { with: { ...given, [param]: next } });
    }
  }
}

function cursorAfter(
  { next = '', param = '' }: Paginate,
  given: JsonObject,
  scope: Scope,
): Result<NextPage | undefined, string> {
  const cursor = evaluate(next, scope);
  // An answer without a cursor is the last one.
  if (!cursor.ok) return cursor.outOfWork === true ? err(`\`next\` cannot be read: ${cursor.message}`) : ok(undefined);
  const { value } = cursor;
  if (value === null || value === '' || value === false) return ok(undefined);
  return typeof value === 'string' || typeof value === 'number'
    ? ok({ with: { ...given, [param]: value } })
    : err(`\`next\` is not a cursor: it must be text or a number`);
}

/** What a page is told apart by before it is asked for; undefined where only its answer tells. */
export function markOfPage({ by, param = by }: Paginate, page: NextPage): string | undefined {
  if ('url' in page) return page.url;
  return by === 'cursor' ? JSON.stringify(own(page.with, param)) : undefined;
}
