import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json-value.js';
import { nextPage, type PageAnswer, withLargePages } from './next-page.js';
import type { Operation, Parameter } from './openapi-catalog.js';

const parameter = (name: string, schema: JsonValue = { type: 'integer' }, description = ''): Parameter => ({
  name,
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  allowReserved: false,
  schema,
  description,
});
const operation = (...parameters: readonly Parameter[]): Operation => ({
  id: 'list',
  method: 'GET',
  path: '/list',
  tags: [],
  summary: '',
  description: '',
  safety: 'safe',
  deprecated: false,
  servers: [],
  ownServers: false,
  security: [],
  parameters: [...parameters],
  answers: [],
  definitions: {},
  leftOut: [],
  warnings: [],
});
const answer = (more: Partial<PageAnswer> = {}): PageAnswer => ({
  url: 'https://api.test/list?page=1',
  headers: {},
  body: [],
  items: 0,
  ...more,
});

describe('a list goes on', () => {
  it.each([
    ['<https://api.test/list?page=2>; rel="next"', 'https://api.test/list?page=2'],
    [
      '<https://api.test/list?page=9>; rel="last", <https://api.test/list?page=2>; rel="next"',
      'https://api.test/list?page=2',
    ],
    ['</list?page=2>; rel=next', 'https://api.test/list?page=2'],
    ['<https://api.test/list?page=2,3>; title="a, b"; rel="prev next"', 'https://api.test/list?page=2,3'],
  ])('where its Link header says: %s', (link, url) =>
    expect(nextPage(operation(), {}, answer({ headers: { link } }))).toEqual({ url }),
  );

  it.each([
    ['<https://evil.test/list>; rel="next"'],
    ['<https://api.test/list?page=1>; rel="next"'],
    ['<https://api.test/list?page=2>; rel="prev"'],
    ['nonsense'],
  ])('and nowhere else: %s', (link) =>
    expect(nextPage(operation(), {}, answer({ headers: { link } }))).toBeUndefined(),
  );

  it('by a cursor in its answer, where a parameter takes it', () => {
    const slack = { response_metadata: { next_cursor: 'abc' } };
    expect(nextPage(operation(parameter('cursor')), { a: 1 }, answer({ body: slack }))).toEqual({
      with: { a: 1, cursor: 'abc' },
    });
    expect(nextPage(operation(), {}, answer({ body: slack }))).toBeUndefined();
    const done = { response_metadata: { next_cursor: '' } };
    expect(nextPage(operation(parameter('cursor')), {}, answer({ body: done }))).toBeUndefined();
    const kubernetes = { metadata: { continue: 'xyz' } };
    expect(nextPage(operation(parameter('continue')), {}, answer({ body: kubernetes }))).toEqual({
      with: { continue: 'xyz' },
    });
    expect(nextPage(operation(), {}, answer({ body: { next: '/list?after=3' } }))).toEqual({
      url: 'https://api.test/list?after=3',
    });
  });

  it('by number while its pages are full', () => {
    const pages = operation(parameter('page'), parameter('per_page'));
    expect(nextPage(pages, { per_page: 5 }, answer({ items: 5 }))).toEqual({ with: { per_page: 5, page: 2 } });
    expect(nextPage(pages, { per_page: 5, page: 2 }, answer({ items: 4 }))).toBeUndefined();
    expect(nextPage(pages, {}, answer({ items: 5 }))).toBeUndefined();
    const offsets = operation(parameter('offset'), parameter('limit'));
    expect(nextPage(offsets, { limit: 2, offset: 4 }, answer({ items: 2 }))).toEqual({ with: { limit: 2, offset: 6 } });
  });
});

it('asks for pages as large as the document allows, unless somebody said', () => {
  expect(withLargePages(operation(parameter('per_page', { type: 'integer', maximum: 100 })), {})).toEqual({
    per_page: 100,
  });
  expect(
    withLargePages(operation(parameter('per_page', { type: 'integer' }, 'Results per page (max 100).')), {}),
  ).toEqual({ per_page: 100 });
  expect(withLargePages(operation(parameter('per_page', { maximum: 100 })), { per_page: 3 })).toEqual({ per_page: 3 });
  expect(withLargePages(operation(parameter('limit')), {})).toEqual({});
});
